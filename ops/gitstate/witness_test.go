package gitstate

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

// changes are what may happen to a repository that is kept. After each of them
// the answers are those of somebody who never looked before.
var changes = []struct {
	name   string
	setup  string // besides repo proj
	change string
}{
	{"nothing", ``, `:`},
	{"HEAD is broken in place, times put back", ``, `touch -r proj/.git/HEAD time; printf 'rex' | dd of=proj/.git/HEAD conv=notrunc 2> /dev/null; touch -r time proj/.git/HEAD`},
	{"HEAD is replaced", ``, `printf '%040d\n' 0 > head; touch -r proj/.git/HEAD head; mv head proj/.git/HEAD`},
	{"HEAD becomes a link", ``, `rm proj/.git/HEAD; ln -s config proj/.git/HEAD`},
	{"HEAD is gone", ``, `rm proj/.git/HEAD`},
	{"HEAD becomes a FIFO", ``, `rm proj/.git/HEAD; mkfifo proj/.git/HEAD`},
	{"objects are gone", ``, `rm -rf proj/.git/objects`},
	{"refs become a file", ``, `rm -rf proj/.git/refs; : > proj/.git/refs`},
	{"objects become a link", ``, `mv proj/.git/objects o; ln -s ../../o proj/.git/objects`},
	{"the config names another tree", `repo tree`, `git --git-dir=proj/.git config core.worktree ../../tree`},
	{"the config changes a letter, times put back", `printf '[core]\n\tignorecase = 0\n' > proj/.git/config`,
		`touch -r proj/.git/config time; printf '[core]\n\tignorecase = 1\n' > proj/.git/config; touch -r time proj/.git/config`},
	{"the config is broken", ``, `printf '[core\n' > proj/.git/config`},
	{"the config is gone", ``, `rm proj/.git/config`},
	{"a config appears", `rm proj/.git/config`, `printf '[core]\nignorecase\n' > proj/.git/config`},
	{"a config of the worktree appears", `git -C proj config extensions.worktreeConfig true`, `printf '[core]\nignorecase\n' > proj/.git/config.worktree`},
	{"a config of the worktree changes", `git -C proj config extensions.worktreeConfig true; git -C proj config --worktree x.y z`, `git -C proj config --worktree core.ignoreCase true`},
	{"a common dir appears", `repo other`, `printf '%s/other/.git\n' "$W" > proj/.git/commondir`},
	{"a common dir that leads nowhere appears", ``, `ln -s nowhere proj/.git/commondir`},
	{"the repository is gone", ``, `mv proj/.git away`},
	{"another repository takes its place", `repo other; git -C other add u; git -C other rm -q --cached t`, `mv proj/.git away; mv other/.git proj/.git`},
	{"a file takes its place", ``, `mv proj/.git store; printf 'gitdir: ../store\n' > proj/.git`},
	{"a link takes its place", ``, `mv proj/.git store; ln -s ../store proj/.git`},
	{"a FIFO takes its place", ``, `mv proj/.git store; mkfifo proj/.git`},
	{"another directory takes the place of all", `repo other; git -C other add u; git -C other rm -q --cached t`, `mv proj away; mv other proj`},
	{"all is gone and comes back", ``, `mv proj away; mkdir -p proj/sub; printf t > proj/t; rm -r proj; mv away proj; git -C proj add u`},
	{"git init on the way", ``, `git init -q proj/sub`},
	{"git init on the way, times put back", ``, `touch -r proj/sub time; git init -q proj/sub; touch -r time proj/sub`},
	{"a bare repository on the way", ``, `mkdir proj/sub/objects proj/sub/refs; printf 'ref: refs/heads/m\n' > proj/sub/HEAD`},
	{"a repository on the way comes and goes", ``, `git init -q proj/sub; rm -r proj/sub/.git`},
	{"a directory with one takes the place of one without", `git init -q new; printf s > new/s`, `mv proj/sub away; mv new proj/sub`},
	{"a link takes the place of a directory", `git init -q new`, `mv proj/sub away; ln -s ../new proj/sub`},
	{"a broken repository on the way", ``, `mkdir proj/sub/.git`},
	{"git init below", ``, `git init -q proj/sub/deep`},
	{"git init around", ``, `git init -q .; b=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391; git update-index --add --cacheinfo 100644,$b,proj/u --cacheinfo 100644,$b,proj/sub/u`},
	{"a bare repository around", ``, `mkdir objects refs; printf 'ref: refs/heads/m\n' > HEAD`},
	{"the index is gone", ``, `rm proj/.git/index`},
	{"the index is another, times put back", ``, `touch -r proj/.git/index time; cp proj/.git/index new; GIT_INDEX_FILE=$W/new git -C proj mv -k t u 2> /dev/null; git -C proj rm -q --cached t; git -C proj add u; touch -r time proj/.git/index`},
	{"a commit", ``, `git -C proj add u; git -C proj commit -qm m`},
	{"another branch", ``, `git -C proj checkout -q -b other`},
	{"a detached HEAD, the index gone", ``, `git -C proj checkout -q --detach; rm proj/.git/index`},

	{"linked: nothing", `link`, `:`},
	{"linked: the file is another", `link; git -C main worktree add -q -b x ../other; git -C other add -A; git -C other rm -q --cached t`, `cp other/.git proj/.git`},
	{"linked: the file is gone", `link`, `rm proj/.git`},
	{"linked: the git dir is gone", `link`, `rm -r main/.git/worktrees/proj`},
	{"linked: the main repository is gone", `link`, `mv main away`},
	{"linked: the main repository is behind a link", `link`, `mv main away; ln -s away main`},
	{"linked: its control data is behind a link", `link`, `mv main/.git away; ln -s ../away main/.git`},
	{"linked: the way is another", `link; repo other; git -C other worktree add -q -b w ../proj2; mkdir both; mv main other both; sed -i s,/main,/both/main, proj/.git`, `mv both/main/.git/worktrees/proj away; cp -r both/other/.git/worktrees/proj2 both/main/.git/worktrees/proj`},
	{"linked: the common dir is another", `link; repo other`, `printf '../../../../other/.git\n' > main/.git/worktrees/proj/commondir`},
	{"linked: HEAD is broken", `link`, `: > main/.git/worktrees/proj/HEAD`},
	{"linked: the shared config changes", `link`, `git -C main config core.ignoreCase true`},
	{"linked: its own config appears", `link; git -C main config extensions.worktreeConfig true`, `git -C proj config --worktree core.ignoreCase true`},
}

func TestKeptRepositoryIsCurrent(t *testing.T) {
	t.Parallel()
	const link = `link() { mv proj main; mkdir main/free 2> /dev/null || true; git -C main worktree add -q -b w ../proj; mkdir proj/free; printf u > proj/u; printf u > proj/sub/u; printf n > proj/n; git -C proj add n; }
		repo proj; `
	worlds := make([]*world, len(changes))
	for i, c := range changes {
		worlds[i] = newWorld(t, link+c.setup)
	}
	settle() // once for all
	for i, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			w, in := worlds[i], New(Options{})
			w.t = t
			w.answers(in) // finds it
			if honest(w.dir) && in.kept[w.path("proj")] == nil {
				t.Error("the repository is not kept")
			}
			if honest(w.dir) && !in.vacancy[w.path("proj/sub")].quiet {
				t.Error("it is not kept that none begins in proj/sub")
			}
			w.answers(in)
			w.sh(c.change)
			for range 2 {
				got, want := w.answers(in), w.answers(New(Options{}))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("kept: %+v\nanew: %+v", got, want)
				}
			}
		})
	}
}

// settle waits until nothing that is there now is so young that it is not kept.
func settle() { time.Sleep(settleTime + 50*time.Millisecond) }

// answers is all that is known of a world.
func (w *world) answers(in *Inspector) map[string]any {
	all := map[string]any{}
	ctx := context.Background()
	for _, rel := range []string{".", "proj", "proj/t", "proj/T", "proj/u", "proj/n", "proj/sub", "proj/sub/s", "proj/sub/u", "proj/sub/deep", "proj/sub/deep/d", "proj/free", "proj/free/none",
		"main/t", "main/u", "tree/t", "other/t", "other/u"} {
		path := w.path(rel)
		all[rel] = in.Classify(ctx, path, isRealDir(path), w.path("proj"))
	}
	for _, rel := range []string{"proj", "proj/sub", "proj/sub/deep", "main"} {
		p := in.Project(ctx, w.path(rel))
		all["project of "+rel] = p
		if p.Damaged != nil {
			p.Damaged = nil
			all["project of "+rel], all["damage of "+rel] = p, "there"
		}
	}
	return all
}

// What is younger than the clock of a file system can tell is not kept.
func TestFreshRepositoryIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `repo proj; touch -d 2001-01-01 proj/.git/HEAD proj/.git/config`)
	in := New(Options{})
	w.asks(t, in, "proj", "tracked proj/t \n free proj/u")
	if len(in.kept) != 0 {
		t.Error("a repository of this moment is kept")
	}
}

// What comes to a repository and leaves it makes its directory busy. Then all
// is looked at again, until that is long enough ago.
func TestBusyRepositoryIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `repo proj`)
	if !honest(w.dir) {
		t.Skip("nothing is kept on this file system")
	}
	in := New(Options{})
	quiet := func() bool {
		k := in.kept[w.path("proj")]
		return k != nil && slices.ContainsFunc(k.witnesses, func(x witness) bool { return x.quiet && x.path == w.path("proj/.git") })
	}
	settle()
	w.sh(`: > proj/.git/new`)
	w.asks(t, in, "proj", "tracked proj/t \n free proj/u")
	if quiet() {
		t.Error("a directory of this moment is quiet")
	}
	settle()
	w.asks(t, in, "proj", "tracked proj/t \n free proj/u")
	if !quiet() {
		t.Error("a directory that was left alone is not quiet")
	}
	w.asks(t, in, "proj", "tracked proj/t \n free proj/u")
	w.sh(`mv proj/.git/refs .`)
	w.asks(t, in, "proj", "tracked proj/t \n doubt proj/u")
	w.sh(`mv refs proj/.git`)
	w.asks(t, in, "proj", "tracked proj/t \n free proj/u")
	w.sh(`: > proj/.git/commondir`)
	w.asks(t, in, "proj", "doubt proj/t proj/u")
}

// Only the usual kind of repository is kept.
func TestUnusualRepositoriesAreNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `repo proj
		repo linked; mv linked/.git store; ln -s ../store linked/.git
		repo winding; mkdir way; mv winding/.git store2; printf 'gitdir: ../way/../store2\n' > winding/.git
		repo tree; git -C tree config core.worktree ../../proj
		repo away; ln -s away w; git --git-dir=away/.git config core.worktree ../../w
		repo headless; : > headless/.git/HEAD
		repo objects; mv objects/.git/objects o; ln -s ../../o objects/.git/objects
		repo head; ln -sf "$(git -C head symbolic-ref HEAD)" head/.git/HEAD
		repo config; mv config/.git/config c; ln -s ../../c config/.git/config
		mkdir damaged; : > damaged/.git
		git init -q --bare bare`)
	if !honest(w.dir) {
		t.Skip("nothing is kept on this file system")
	}
	settle()
	in := New(Options{})
	for _, rel := range []string{"proj", "linked", "winding", "tree", "away", "headless", "objects", "head", "config", "damaged", "bare"} {
		in.Project(context.Background(), w.path(rel))
	}
	if len(in.kept) != 1 || in.kept[w.path("proj")] == nil {
		for dir := range in.kept {
			t.Errorf("%s is kept", w.rel(dir))
		}
	}
}

func TestKeptRepositoriesAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `repo proj; for i in $(seq 70); do cp -r proj r$i; done`)
	settle()
	in := New(Options{})
	for _, e := range must(os.ReadDir(w.dir)) {
		in.Project(context.Background(), filepath.Join(w.dir, e.Name()))
	}
	if len(in.kept) > maxKept {
		t.Errorf("%d repositories are kept", len(in.kept))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A link's own stamp says nothing of what comes to the directory that it leads to.
func TestNoVacancyBehindALink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `mkdir real; ln -s real way`)
	settle()
	in := New(Options{})
	way := w.path("way")
	for range 2 {
		if p := in.Project(t.Context(), way); p.Root != "" {
			t.Fatalf("there is no repository yet: %+v", p)
		}
	}
	w.sh(`git init -q real`)
	got, want := in.Project(t.Context(), way), New(Options{}).Project(t.Context(), way)
	if want.Root == "" || !reflect.DeepEqual(got, want) {
		t.Errorf("kept: %+v\nanew: %+v", got, want)
	}
}

package gitstate

import (
	"context"
	"crypto/sha1"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The repository says what to execute, and nothing of it is.
func TestExecutesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
		repo proj
		printf '#!/bin/sh\necho >> "%s/executed"\nprintf x' "$W" > evil; chmod +x evil
		cd proj
		printf '* filter=evil diff=evil\n' > .gitattributes; git add .gitattributes; git commit -qm attributes; git update-index --split-index
		for k in core.fsmonitor filter.evil.clean filter.evil.smudge filter.evil.process diff.evil.command diff.evil.textconv core.pager core.editor core.sshCommand credential.helper uploadpack.packObjectsHook remote.origin.uploadpack alias.ls-files; do
			git config $k "$W/evil"; done
		git config core.hooksPath "$W/hooks"; mkdir "$W/hooks"
		for h in post-index-change fsmonitor-watchman reference-transaction; do cp ../evil "$W/hooks/$h"; done
		touch t
		rm -f "$W/executed"`)
	in := New(Options{})
	w.asks(t, in, "proj", "tracked proj/t proj/sub \n free proj/u proj/free")
	for _, rel := range []string{"t", "u", "free"} {
		if got := in.Untracked(context.Background(), w.path("proj/"+rel), rel == "free"); got != (rel != "t") {
			t.Errorf("untracked %s: %v", rel, got)
		}
	}
	if _, err := os.Stat(w.path("executed")); err == nil {
		t.Error("something from the repository's config was executed")
	}
	w.sh("git -C proj ls-files > /dev/null")
	if _, err := os.Stat(w.path("executed")); err != nil {
		t.Error("the trap does not work: git itself executed nothing")
	}
}

// A partial clone fetches what it misses, with a program that it names itself.
func TestFetchesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
		repo seed; git -C seed config uploadpack.allowFilter true
		git clone -q --filter=tree:0 --no-checkout "file://$W/seed" proj 2> /dev/null
		cd proj; git sparse-checkout set --cone --sparse-index free 2> /dev/null; git checkout -q HEAD 2> /dev/null
		git ls-files --sparse | grep -qx sub/
		trees=$(git rev-parse HEAD:sub HEAD:sub/deep)
		mkdir "$W/packs"; mv .git/objects/pack/* "$W/packs"; for p in "$W"/packs/*.pack; do git unpack-objects -q < $p; done
		for t in $trees; do rm -f .git/objects/${t:0:2}/${t:2}; done
		printf '#!/bin/sh\necho >> "%s/executed"\nexit 1' "$W" > "$W/evil"; chmod +x "$W/evil"
		git config remote.origin.uploadpack "$W/evil"
		mkdir -p sub; printf e > sub/s; printf u > u`)
	in := New(Options{})
	w.asks(t, in, "proj", "tracked proj/t proj/sub proj/sub/s \n free proj/u")
	in.Untracked(context.Background(), w.path("proj/sub"), true)
	in.Untracked(context.Background(), w.path("proj/u"), false)
	if _, err := os.Stat(w.path("executed")); err == nil {
		t.Error("something was fetched")
	}
	w.sh("git -C proj ls-files > /dev/null 2>&1 || true")
	if _, err := os.Stat(w.path("executed")); err != nil {
		t.Error("the trap does not work: git itself fetched nothing")
	}
}

// Without git, what only git can read is a doubt, and the rest goes on.
func TestNoGit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `repo plain; repo split; git -C split update-index --split-index; repo wide --object-format=sha256; repo odd; printf '[a.b]\nc = d\n' >> odd/.git/config
		repo inside; git -C inside update-index --split-index; cp "$(command -v git)" inside/git; git -C inside update-index --no-split-index
		repo within; git -C within update-index --split-index; ln "$W/inside/git" within/git
		printf '#!/bin/sh\necho warning: some of it could not be read >&2\n' > complains; chmod +x complains`)
	for name, o := range map[string]Options{
		"missing":         {Git: w.path("no/git")},
		"not a program":   {Git: w.path("plain/t")},
		"relative":        {Git: "git"},
		"says nothing":    {Git: "/bin/true"},
		"fails":           {Git: "/bin/false"},
		"something else":  {Git: "/bin/echo"},
		"complains":       {Git: w.path("complains")},
		"from the inside": {Git: w.path("inside/git")},
	} {
		t.Run(name, func(t *testing.T) {
			in := New(o)
			w.asks(t, in, "plain", "tracked plain/t \n free plain/u")
			if name == "from the inside" {
				w.asks(t, in, "inside", "tracked inside/t \n free inside/u")
				w.asks(t, New(Options{Git: w.path("within/git")}), "within", "doubt within/t within/u")
				if !in.Untracked(context.Background(), w.path("inside/t"), false) {
					t.Error("a git from inside the repository was asked")
				}
				return
			}
			if name != "says nothing" { // an empty list without complaint is what git says of an empty index
				w.asks(t, in, "plain", "doubt split/t split/u wide/t wide/u odd/u \n tracked odd/t")
			}
			if !in.Untracked(context.Background(), w.path("plain/t"), false) && name != "says nothing" {
				t.Error("without git every file counts as untracked")
			}
		})
	}
}

func TestSlowGit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `repo proj; git -C proj update-index --split-index; printf '#!/bin/sh\nsleep 60\n' > slow; chmod +x slow`)
	begin := time.Now()
	in := New(Options{Git: w.path("slow"), Timeout: 50 * time.Millisecond})
	w.asks(t, in, "proj", "doubt proj/t")
	if !in.Untracked(context.Background(), w.path("proj/t"), false) {
		t.Error("a git that does not answer leaves every file untracked")
	}
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `repo proj`)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v := New(Options{}).Classify(ctx, w.path("proj/u"), false, ""); v.Doubt == "" {
		t.Errorf("a cancelled look says %+v", v)
	}
}

// The environment of the host points git at another repository.
func TestEnvironmentIsIgnored(t *testing.T) {
	w := newWorld(t, `repo proj; git -C proj update-index --split-index; git init -q other; printf u > other/u; git -C other add u; printf 'u\n' > ignore`)
	t.Setenv("GIT_DIR", w.path("other/.git"))
	t.Setenv("GIT_WORK_TREE", w.path("proj"))
	t.Setenv("GIT_INDEX_FILE", w.path("other/.git/index"))
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.excludesFile")
	t.Setenv("GIT_CONFIG_VALUE_0", w.path("ignore"))
	t.Setenv("GIT_TRACE", "1")
	t.Setenv("GIT_CEILING_DIRECTORIES", w.path("proj"))
	in := New(Options{})
	w.asks(t, in, "proj", "tracked proj/t proj/sub \n free proj/u proj/free")
	if !in.Untracked(context.Background(), w.path("proj/u"), false) || in.Untracked(context.Background(), w.path("proj/t"), false) {
		t.Error("the environment changed what is untracked")
	}
	if p := in.Project(context.Background(), w.path("proj")); p.Root != w.path("proj") {
		t.Errorf("the environment changed the root to %q", p.Root)
	}
}

// What another user has locked away is a doubt. This needs a process without
// the rights of root, so the test starts itself again as somebody else.
func TestUnreadable(t *testing.T) {
	if dir := os.Getenv("GITSTATE_UNREADABLE"); dir != "" {
		if _, err := os.Stat(dir); err != nil {
			t.Skip("the temporary directory is closed to others")
		}
		w := &world{t, dir}
		in := New(Options{})
		w.asks(t, in, "proj", "doubt index/u config/u head/u git/u inner/sub/u entry/u \n tracked inner/sub/s inner/t \n doubt split/u")
		for _, rel := range []string{"git", "inner/sub", "entry", "common"} {
			if in.Project(context.Background(), w.path(rel)).Damaged == nil {
				t.Errorf("%s is not damaged", rel)
			}
		}
		for _, rel := range []string{"index", "config", "head", "inner"} {
			if err := in.Project(context.Background(), w.path(rel)).Damaged; err != nil {
				t.Errorf("%s is damaged: %v", rel, err)
			}
		}
		return
	}
	if os.Getuid() != 0 {
		t.Skip("needs root to become somebody else")
	}
	w := newWorld(t, `
		for r in index config head git split; do repo $r; done
		git -C split update-index --split-index
		repo inner; mkdir inner/sub/.git; chmod 0 inner/sub/.git
		mkdir entry; printf 'gitdir: x\n' > entry/.git; printf u > entry/u; chmod 0 entry/.git
		repo main; git -C main worktree add -q -b w ../common; chmod 0 main/.git/worktrees/common/commondir
		chmod 0 index/.git/index config/.git/config head/.git/HEAD git/.git`)
	for _, dir := range []string{w.dir, filepath.Dir(w.dir)} { // what t.TempDir made
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Open(os.Args[0]) // its directory is closed to others, a descriptor is not
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	cmd := exec.Command("/proc/self/fd/3", "-test.run=^TestUnreadable$", "-test.v")
	cmd.ExtraFiles = []*os.File{self}
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "GITSTATE_UNREADABLE="+w.dir)
	asNobody(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if !strings.Contains(string(out), "PASS") {
		t.Errorf("did not run:\n%s", out)
	}
}

// A small file of version 4 can spell names without end.
func TestNameBomb(t *testing.T) {
	t.Parallel()
	for _, extended := range []bool{false, true} {
		const count = 40000
		data := binary.BigEndian.AppendUint32([]byte("DIRC"), 4)
		data = binary.BigEndian.AppendUint32(data, count)
		for i := range count {
			fixed := make([]byte, entryFixed)
			if extended {
				fixed[entryFixed-2] = 0x40
				fixed = append(fixed, 0x20, 0)
			}
			data = append(data, fixed...)
			data = append(data, 0) // strip nothing
			if i == 0 {
				data = append(data, strings.Repeat("x", 4000)...)
			}
			data = append(data, 'a', 0)
		}
		sum := sha1.Sum(data)
		data = append(data, sum[:]...)
		if _, err := decode(data); err == nil || !strings.Contains(err.Error(), "believed") {
			t.Errorf("the bomb went off: %v", err)
		}
	}
}

// Names that git never writes are not believed, whoever signed them.
func TestForgedNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "/", "/etc", "a\x00b"} {
		if _, err := newNames([]entry{{name: "a"}, {name: name}}); err == nil {
			t.Errorf("%q is believed", name)
		}
	}
	n, err := newNames([]entry{{name: "z"}, {name: "b/c"}, {name: "a"}, {name: "b/c"}}) // in no order
	if err != nil || !n.covers("a") || !n.covers("b") || !n.covers("z") || n.covers("c") {
		t.Errorf("an index out of order is misread (%v)", err)
	}
}

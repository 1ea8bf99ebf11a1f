package gitstate

import (
	"context"
	"strings"
	"testing"
)

// Every path is untracked (it is or holds something that nothing could bring
// back) or safe (all of it is tracked or ignored, or there is nothing).
var untracked = []struct{ name, setup, asks string }{
	{
		"plain",
		`repo proj; printf 'ign\n*.o\n' > proj/.git/info/exclude; mkdir -p proj/ign/d proj/build proj/empty/er proj/mixed; touch proj/ign/d/x proj/build/a.o proj/mixed/a.o proj/mixed/b.c`,
		"untracked proj/u proj/free proj/free/f proj/sub proj/mixed proj/mixed/b.c \n safe proj/t proj/sub/deep proj/ign proj/ign/d proj/ign/d/x proj/build proj/build/a.o proj/empty",
	},
	{
		"ignore files, nested and negated",
		`repo proj; cd proj; printf '*\n!keep\n' > free/.gitignore; touch free/keep free/lose; printf '[!a]x\n' > .gitignore; touch ax bx`,
		"untracked proj/free proj/free/keep proj/ax \n safe proj/free/lose proj/free/f proj/bx",
	},
	{
		"modified and staged files are tracked",
		`repo proj; printf m > proj/t; printf n > proj/n; git -C proj add n`,
		"safe proj/t proj/n",
	},
	{
		"pathspec characters",
		`git init -q proj; cd proj; mkdir '*' ':(top)'; touch '*/in' ':(top)/in' u; git add '*/in'; mkdir empty '[eu]'`,
		"untracked proj/:(top) proj/:(top)/in proj/u \n safe proj/* proj/*/in proj/[eu]",
	},
	{"no repository", `mkdir proj; touch proj/u`, "untracked proj/u proj"},
	{"nothing committed", `git init -q proj; printf 'i\n' > proj/.git/info/exclude; touch proj/u proj/i`, "untracked proj/u \n safe proj/i"},
	{"a root", `repo proj; rm -r proj/u proj/sub/u proj/free`, "untracked proj"},
	{
		"a repository inside, ignored",
		`repo proj; printf 'free\n' > proj/.git/info/exclude; git init -q proj/free; printf u > proj/free/u`,
		"untracked proj/free proj/free/u",
	},
	{
		"a submodule inside",
		`repo lib; git init -q proj; mkdir proj/d; git -C proj submodule --quiet add "$W/lib" d/mod; commit proj; mkdir proj/e`,
		"untracked proj/d proj/d/mod \n safe proj/d/mod/t proj/e",
	},
	{
		"what a submodule left behind",
		`repo lib; git init -q proj; git -C proj submodule --quiet add "$W/lib" mod; commit proj; git -C proj submodule --quiet deinit -f mod; mkdir -p proj/mod/d`,
		"untracked proj/mod proj/mod/d",
	},
	{"split index", `repo proj; git -C proj update-index --split-index; printf 'free\n' > proj/.git/info/exclude`, "untracked proj/u \n safe proj/t proj/free"},
	{"SHA-256", `repo proj --object-format=sha256; printf 'free\n' > proj/.git/info/exclude`, "untracked proj/u \n safe proj/t proj/free"},
	{"a linked worktree", `repo main; git -C main worktree add -q -b w ../proj; printf 'i\n' > main/.git/info/exclude; touch proj/u proj/i`, "untracked proj/u \n safe proj/t proj/i"},
	{"a worktree inside its bare repository", `repo seed; git clone -q --bare seed hub; git -C hub worktree add -q -b w main; touch hub/main/u; mkdir hub/d`, "untracked hub/main/u hub/d \n safe hub/main/t"},
	{"a bare repository that is tracked", `git init -q proj; git init -q --bare proj/r.git; touch proj/r.git/refs/k proj/r.git/objects/k; commit proj`, "untracked proj/r.git/HEAD"},
	{"the index is broken", `repo proj; printf x > proj/.git/index`, "untracked proj/t proj/u"},
	{"the index was deleted", `repo proj; printf 'ign\n' > proj/.git/info/exclude; touch proj/ign; rm proj/.git/index`, "untracked proj/t proj/u proj/ign"},
	{"a byte of the index flipped before the first commit", `git init -q proj; touch proj/trk proj/ign; git -C proj add trk; printf 'ign\n' > proj/.git/info/exclude; sed -i s/trk/trx/ proj/.git/index`, "untracked proj/ign"},
	{"an empty .git above", `repo proj; mkdir proj/sub/.git`, "untracked proj/sub/s proj/sub/u \n safe proj/t"},
	{"the worktree is elsewhere", `repo proj; mkdir other; git --git-dir=proj/.git config core.worktree ../../other`, "untracked proj/t proj/u"},
	{"git cannot be kept inside", `repo 'a:b'`, "untracked a:b/t a:b/u"},
	{"the ignore file is a FIFO", `repo proj; rm proj/.git/info/exclude; mkfifo proj/.git/info/exclude`, "untracked proj/t"},
	{"owned by somebody else", `repo proj; [ "$(id -u)" != 0 ] || chown -R 65534:65534 proj; [ "$(id -u)" = 0 ] || rm -r proj`, "untracked proj/t proj/u"},
}

func TestUntracked(t *testing.T) {
	t.Parallel()
	for _, c := range untracked {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.setup)
			o := Options{}
			if strings.Contains(c.setup, "mkfifo") {
				o.Timeout = 200 * 1e6 // git itself waits for ever
			}
			in := New(o)
			for line := range strings.Lines(c.asks) {
				words := strings.Fields(line)
				for _, rel := range words[1:] {
					path := w.path(rel)
					if got := in.Untracked(context.Background(), path, isRealDir(path)); got != (words[0] == "untracked") {
						t.Errorf("%s: untracked is %v", rel, got)
					}
				}
			}
		})
	}
}

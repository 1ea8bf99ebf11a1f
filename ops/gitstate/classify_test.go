package gitstate

import (
	"context"
	"strings"
	"testing"
)

// Every row is a state that a directory can be in, and what is known about
// paths in it. "tracked" and "doubt" ask, "free" does not.
var states = []struct {
	name    string
	setup   string
	from    string // where somebody stands; proj when empty
	asks    string
	root    string // Project.Root for from, "-" for not looked at
	damaged bool
	control string // paths that have to be in Project.Control
	open    string // paths that must not be, nor anything above them
}{
	{
		name:    "plain",
		setup:   `repo proj`,
		asks:    "tracked proj proj/t proj/sub proj/sub/s proj/sub/deep proj/sub/deep/d \n free proj/u proj/sub/u proj/free proj/free/f proj/none proj/none/below proj/tt proj/su",
		root:    "proj",
		control: "proj/.git",
		open:    "proj/t proj/free",
	},
	{
		name:  "standing in a subdirectory",
		setup: `repo proj`, from: "proj/sub/deep",
		asks: "tracked proj/t proj/sub \n free proj/u proj/free",
		root: "proj", control: "proj/.git",
	},
	{
		name:  "standing in a directory that does not exist yet",
		setup: `repo proj`, from: "proj/new/er",
		asks: "tracked proj/t \n free proj/u proj/new",
		root: "proj", control: "proj/.git",
	},
	{
		name:  "no repository",
		setup: `mkdir proj; printf u > proj/u`,
		asks:  "free proj proj/u", root: "",
	},
	{
		name:  "staged, never committed",
		setup: `git init -q proj; printf t > proj/t; printf u > proj/u; git -C proj add t`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "intent to add",
		setup: `git init -q proj; printf t > proj/t; printf u > proj/u; git -C proj add -N t`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "staged, then deleted on disk; removed from the index, still on disk",
		setup: `repo proj; rm proj/t; git -C proj rm -q --cached sub/s`,
		asks:  "tracked proj/t proj/sub \n free proj/sub/s", root: "proj",
	},
	{
		name:  "hidden flags",
		setup: `repo proj; git -C proj update-index --assume-unchanged t; git -C proj update-index --skip-worktree sub/s`,
		asks:  "tracked proj/t proj/sub/s \n free proj/u", root: "proj",
	},
	{
		name: "a conflict",
		setup: `repo proj; git -C proj checkout -q -b other; printf o > proj/t; git -C proj commit -qam o
			git -C proj checkout -q -; printf p > proj/t; git -C proj commit -qam p; git -C proj merge -q other > /dev/null 2>&1 || true
			git -C proj ls-files -u | grep -q t`,
		asks: "tracked proj/t proj/sub \n free proj/u", root: "proj",
	},
	{
		name:  "tracked and ignored",
		setup: `repo proj; printf 'sub\nfree\n' > proj/.gitignore`,
		asks:  "tracked proj/sub proj/sub/s \n free proj/free proj/sub/u", root: "proj",
	},
	{
		name:  "names that sort between a directory and its content",
		setup: `git init -q proj; cd proj; mkdir foo foo-x; printf 1 > foo/y; printf 2 > foo-x/z; printf 3 > foo.c; git add -A; git commit -qm m; mkdir fo`,
		asks:  "tracked proj/foo proj/foo-x proj/foo.c proj/foo/y \n free proj/fo proj/foo-", root: "proj",
	},
	{
		name:  "a tracked directory replaced by a link",
		setup: `repo proj; rm -r proj/sub; ln -s free proj/sub; ln -s t proj/link; git -C proj add link; ln -s t proj/other`,
		asks:  "tracked proj/sub proj/link \n free proj/other", root: "proj",
	},
	{
		name:  "index version 4",
		setup: `repo proj; git -C proj update-index --index-version 4`,
		asks:  "tracked proj/t proj/sub/deep/d \n free proj/u proj/free", root: "proj",
	},
	{
		name: "every optional extension",
		setup: `repo proj; cd proj; git update-index --index-version 3 --untracked-cache 2>/dev/null
			git update-index --fsmonitor 2>/dev/null || true; git -c core.fsmonitor=false status > /dev/null; git -c index.threads=2 read-tree HEAD`,
		asks: "tracked proj/t proj/sub/deep/d \n free proj/u proj/free", root: "proj",
	},
	{
		name:  "split index",
		setup: `repo proj; git -C proj update-index --split-index; printf n > proj/n; git -C proj add n; ls proj/.git/sharedindex.* > /dev/null`,
		asks:  "tracked proj/t proj/n proj/sub \n free proj/u proj/free", root: "proj",
	},
	{
		name: "version 4 with flags that take more room",
		setup: `repo proj; cd proj; git update-index --index-version 4; git update-index --skip-worktree sub/s; touch new; git add -N new
			for i in 1 2 3; do touch sub/f$i; done; git add sub/f1 sub/f2 sub/f3`,
		asks: "tracked proj/new proj/sub/s proj/sub/f3 proj/t \n free proj/u proj/sub/u", root: "proj",
	},
	{
		name:  "split index, core.worktree names the parent",
		setup: `repo proj; git -C proj update-index --split-index; mv proj/.git proj/sub/.git; git --git-dir=proj/sub/.git config core.worktree ../..`, from: "proj/sub",
		asks: "doubt proj/t proj/u", root: "proj/sub",
	},
	{
		name:  "split index, core.worktree names a sibling",
		setup: `repo tree; git -C tree update-index --split-index; mkdir proj; mv tree/.git proj/.git; git --git-dir=proj/.git config core.worktree ../../tree`,
		asks:  "tracked tree/t tree/sub \n free tree/u", root: "proj",
	},
	{
		name:  "split index whose shared part is gone or changed",
		setup: `for r in proj other; do repo $r; git -C $r update-index --split-index; done; rm proj/.git/sharedindex.*; for f in other/.git/sharedindex.*; do truncate -s -30 $f; done`,
		asks:  "doubt proj/t proj/u other/t other/u", root: "proj",
	},
	{
		name:  "split index, and HEAD is a link",
		setup: `repo proj; git -C proj update-index --split-index; b=$(git -C proj symbolic-ref HEAD); ln -sf $b proj/.git/HEAD`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "HEAD is a link to anything",
		setup: `repo proj; ln -sf config proj/.git/HEAD`,
		asks:  "tracked proj/t \n doubt proj/u", root: "proj",
	},
	{
		name:  "commondir is broken in several ways",
		setup: `repo proj; ln -s nowhere proj/.git/commondir; repo a; : > a/.git/commondir; repo b; printf 'HEAD\n' > b/.git/commondir; repo c; mkfifo c/.git/commondir; repo d; printf 'x\0y' > d/.git/commondir`,
		asks:  "doubt proj/u a/u b/u c/u d/u", root: "proj", damaged: true,
	},
	{
		name:  "refs are in a table that is not read here",
		setup: `git init -q proj; mkdir proj/.git/reftable; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj",
	},
	{
		name:  "packed refs without a ref; packed refs that cannot be read",
		setup: `git init -q proj; printf '# pack-refs with: peeled\n' > proj/.git/packed-refs; git init -q other; mkfifo other/.git/packed-refs`,
		asks:  "free proj/u \n doubt other/u", root: "proj",
	},
	{
		name:  "a hash that is not known",
		setup: `repo proj; git -C proj config extensions.objectFormat sha3`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "settings of the worktree count",
		setup: `repo proj; git -C proj config extensions.worktreeConfig true; printf '[core]\nignoreCase\n' > proj/.git/config.worktree; repo other; git -C other config extensions.worktreeConfig true; mkfifo other/.git/config.worktree`,
		asks:  "tracked proj/T other/t \n free proj/u \n doubt other/u", root: "proj",
	},
	{
		name: "sparse index",
		setup: `repo proj; rm -r proj/sub/u proj/free; git -C proj sparse-checkout set --cone --sparse-index free; git -C proj ls-files --sparse | grep -qx sub/
			mkdir -p proj/sub/deep proj/free; printf e > proj/sub/s`,
		asks: "tracked proj/t proj/sub proj/sub/s proj/sub/deep proj/sub/what \n free proj/u proj/free proj/subs", root: "proj",
	},
	{
		name: "sparse index whose trees are missing, with files that should not be there",
		setup: `repo proj; rm -r proj/sub/u proj/free; git -C proj sparse-checkout set --cone --sparse-index free; git -C proj ls-files --sparse | grep -qx sub/
			mkdir -p proj/sub/deep proj/free; printf e > proj/sub/s; printf d > proj/sub/deep/d
			for t in $(git -C proj rev-parse HEAD:sub HEAD:sub/deep); do rm -f proj/.git/objects/${t:0:2}/${t:2}; done`,
		asks: "tracked proj/t proj/sub proj/sub/s proj/sub/deep/d \n free proj/u proj/free", root: "proj",
	},
	{
		name:  "sparse checkout with a full index",
		setup: `repo proj; git -C proj sparse-checkout set --cone free`,
		asks:  "tracked proj/t proj/sub proj/sub/s \n free proj/u proj/sub/what", root: "proj",
	},
	{
		name:  "SHA-256",
		setup: `repo proj --object-format=sha256`,
		asks:  "tracked proj/t proj/sub \n free proj/u proj/free", root: "proj",
	},
	{
		name:  "the checksum of the index was skipped",
		setup: `repo proj; n=$(stat -c %s proj/.git/index); truncate -s $((n-20)) proj/.git/index; head -c 20 /dev/zero >> proj/.git/index`,
		asks:  "tracked proj/t proj/sub \n free proj/u proj/free", root: "proj",
	},
	{
		name:  "nothing added yet",
		setup: `git init -q proj; printf u > proj/u`,
		asks:  "free proj/u proj", root: "proj",
	},
	{
		name:  "an empty first commit",
		setup: `git init -q proj; printf u > proj/u; git -C proj commit -q --allow-empty -m m`,
		asks:  "free proj/u", root: "proj",
	},
	{
		name:  "the index was deleted",
		setup: `repo proj; rm proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "the index was deleted, all refs are packed",
		setup: `repo proj; git -C proj pack-refs --all; rm proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "the index was deleted, HEAD is detached",
		setup: `repo proj; git -C proj checkout -q --detach; b=$(git -C proj branch --format='%(refname:short)' | tail -1); git -C proj branch -qD "$b"; rm proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "the index is a link that leads nowhere",
		setup: `git init -q proj; ln -s nowhere proj/.git/index; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj",
	},
	{
		name:  "the index is a link to a file elsewhere",
		setup: `repo proj; mv proj/.git/index store; ln -s ../../store proj/.git/index`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "the index is not one",
		setup: `repo proj; printf 'not an index' > proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "the index is empty",
		setup: `repo proj; : > proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "the index was cut off",
		setup: `repo proj; truncate -s -1 proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "the index was cut in the middle",
		setup: `repo proj; truncate -s 100 proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "a byte of a name in the index flipped",
		setup: `repo proj; sed -i 's#sub/deep/d#sub/deep/X#' proj/.git/index`,
		asks:  "doubt proj/t proj/sub/deep/d proj/u", root: "proj",
	},
	{
		name:  "the index is a directory",
		setup: `repo proj; rm proj/.git/index; mkdir proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "the index is a FIFO",
		setup: `repo proj; rm proj/.git/index; mkfifo proj/.git/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "a lock was left behind",
		setup: `repo proj; : > proj/.git/index.lock`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "owned by somebody else",
		setup: `repo proj; chown -R 65534:65534 proj 2> /dev/null || true`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "a linked worktree",
		setup: `repo main; git -C main worktree add -q -b w ../proj; printf u > proj/u; printf n > proj/n; git -C proj add n`,
		asks:  "tracked proj/t proj/n main/t \n free proj/u main/u main/n",
		root:  "proj", control: "proj/.git main/.git main/.git/worktrees/proj",
	},
	{
		name:  "a linked worktree below the main one",
		setup: `repo proj; git -C proj worktree add -q -b w .wt/one; printf w > proj/.wt/one/work`,
		asks:  "tracked proj/.wt/one proj/.wt/one/t \n free proj/.wt/one/work", // what holds it is the caller's walk
		root:  "proj",
	},
	{
		name:  "a linked worktree whose repository is gone",
		setup: `repo main; git -C main worktree add -q -b w ../proj; rm -r main`,
		asks:  "doubt proj/t proj/u", root: "proj", damaged: true,
	},
	{
		name:  "a linked worktree whose common dir is gone",
		setup: `repo main; git -C main worktree add -q -b w ../proj; printf '../nowhere\n' > main/.git/worktrees/proj/commondir`,
		asks:  "doubt proj/t proj/u", root: "proj", damaged: true, control: "proj/.git main/.git/worktrees/proj",
	},
	{
		name:  "a linked worktree without an index",
		setup: `repo main; git -C main worktree add -q --no-checkout -b w ../proj; rm -f main/.git/worktrees/proj/index; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj",
	},
	{
		name: "a bare repository with worktrees beside it",
		setup: `repo seed; mkdir proj; git clone -q --bare seed proj/.bare; printf 'gitdir: ./.bare\n' > proj/.git
			git -C proj worktree add -q -b w main; printf u > proj/main/u; mkdir proj/notes`,
		from: "proj/main",
		asks: "tracked proj/main/t \n free proj/main/u proj/notes",
		root: "proj/main", control: "proj/.git proj/.bare proj/main/.git proj/.bare/worktrees/main",
	},
	{
		name:  "a worktree of a bare repository, its index deleted",
		setup: `repo seed; git clone -q --bare seed hub; git -C hub worktree add -q -b w ../proj; rm hub/worktrees/proj/index`,
		asks:  "doubt proj/t proj/u", root: "proj",
	},
	{
		name:  "a worktree inside its bare repository",
		setup: `repo seed; git clone -q --bare seed hub; git -C hub worktree add -q -b w main; printf u > hub/main/u`, from: "hub/main",
		asks: "tracked hub/main/t hub/main/sub \n free hub/main/u \n doubt hub/HEAD hub/refs",
		root: "hub/main", control: "hub/HEAD hub/objects hub/packed-refs hub/worktrees hub/hooks hub/main/.git hub/worktrees/main", open: "hub/main/t hub/main/u",
	},
	{
		name: "a submodule, seen from outside",
		setup: `repo lib; git init -q proj; printf t > proj/t; git -C proj submodule --quiet add "$W/lib" mod; commit proj; printf u > proj/mod/u; printf u > proj/u
			git init -q "proj/unrelated"`,
		asks: "tracked proj/mod proj/mod/t proj/mod/sub proj/t \n free proj/mod/u proj/u",
		root: "proj",
	},
	{
		name:  "a submodule, seen from inside",
		setup: `repo lib; git init -q proj; printf t > proj/t; git -C proj submodule --quiet add "$W/lib" mod; commit proj; printf u > proj/mod/u; mkdir proj/mod/build`,
		from:  "proj/mod",
		asks:  "tracked proj/mod/t proj/t \n free proj/mod/u proj/mod/build",
		root:  "proj/mod", control: "proj/.git proj/mod/.git proj/.git/modules/mod",
	},
	{
		name: "a submodule that is broken",
		setup: `repo lib; git init -q proj; for m in a b; do git -C proj submodule --quiet add "$W/lib" $m; done; commit proj
			rm proj/a/.git; mkdir proj/a/.git; printf 'gitdir: gone\n' > proj/b/.git; printf u > proj/u`,
		asks: "tracked proj/a proj/a/u proj/b/u \n free proj/u", root: "proj",
	},
	{
		name:  "a repository around somebody that may have its worktree anywhere",
		setup: `repo proj; printf '[core\n' > proj/.git/config; mkdir other; printf u > other/u; printf t > proj/t`,
		asks:  "doubt other/u other \n tracked proj/t", root: "proj",
	},
	{
		name: "what a submodule left behind",
		setup: `repo lib; git init -q proj; git -C proj submodule --quiet add "$W/lib" mod; commit proj
			git -C proj submodule --quiet deinit -f mod; mkdir -p proj/mod/sub; printf l > proj/mod/left; printf u > proj/u`,
		asks: "tracked proj/mod proj/mod/left proj/mod/sub \n free proj/u", root: "proj",
	},
	{
		name:  "another repository added as a gitlink",
		setup: `git init -q proj; repo proj/emb; git -C proj add -A 2> /dev/null; git -C proj commit -qm m; printf u > proj/u`,
		asks:  "tracked proj/emb proj/emb/t \n free proj/emb/u proj/u", root: "proj",
	},
	{
		name:  "git init inside a tracked directory",
		setup: `repo proj; git init -q proj/sub`, from: "proj/sub",
		asks: "tracked proj/sub/s proj/sub/deep proj/sub \n free proj/sub/u",
		root: "proj/sub", control: "proj/.git proj/sub/.git",
	},
	{
		name:  "a nested repository nobody tracks",
		setup: `repo proj; repo proj/free/in`,
		asks:  "tracked proj/free/in proj/free/in/t \n free proj/free/in/u proj/u", root: "proj",
	},
	{
		name:  "a separate git dir",
		setup: `mkdir store; git init -q --separate-git-dir="$W/store/p.git" proj; printf t > proj/t; commit proj; printf u > proj/u`,
		asks:  "tracked proj/t \n free proj/u", root: "proj", control: "proj/.git store/p.git",
	},
	{
		name:  "a relative git file",
		setup: `repo proj; mv proj/.git store; printf 'gitdir: ../store' > proj/.git`,
		asks:  "tracked proj/t \n free proj/u", root: "proj", control: "proj/.git store",
	},
	{
		name:  "a git file with a carriage return, a path with blanks and a line break",
		setup: `repo proj; d=$'st o\nre '; mv proj/.git "$d"; printf 'gitdir: ../%s\r\n' "$d" > proj/.git`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "a git file through a link and back",
		setup: `repo proj; mkdir -p far/way; mv proj/.git far/store; ln -s ../far/way proj/l; printf 'gitdir: l/../store\n' > proj/.git`,
		asks:  "tracked proj/t \n free proj/u", root: "proj", control: "proj/.git far/store",
	},
	{
		name:  ".git is a link to the directory",
		setup: `repo proj; mkdir store; mv proj/.git store/gitdir; ln -s ../store/gitdir proj/.git`,
		asks:  "tracked proj/t \n free proj/u", root: "proj", control: "proj/.git store/gitdir",
	},
	{
		name:  ".git is a link to a link to the directory",
		setup: `repo proj; mv proj/.git store; ln -s store hop; ln -s ../hop proj/.git`,
		asks:  "tracked proj/t \n free proj/u", root: "proj", control: "proj/.git hop store",
	},
	{
		name:  ".git is a link to a git file",
		setup: `repo proj; mv proj/.git store; mkdir -p d/e; printf 'gitdir: ../store\n' > d/e/pointer; ln -s ../d/e/pointer proj/.git; git -C proj ls-files | grep -qx t`,
		asks:  "tracked proj/t \n free proj/u", root: "proj", control: "proj/.git d/e/pointer store",
	},
	{
		name:  "core.worktree names the parent",
		setup: `repo proj; mv proj/.git proj/sub/.git; git --git-dir=proj/sub/.git config core.worktree ../..`, from: "proj/sub",
		asks: "tracked proj/t proj/sub/s \n free proj/u",
		root: "proj/sub", control: "proj/sub/.git",
	},
	{
		name:  "core.worktree names a sibling",
		setup: `repo tree; mkdir proj; mv tree/.git proj/.git; git --git-dir=proj/.git config core.worktree ../../tree; printf t > proj/t`,
		asks:  "tracked tree/t tree/sub proj/t \n free tree/u proj/u", root: "proj",
	},
	{
		name:  "core.worktree goes on over two lines",
		setup: `repo tree; mkdir proj; mv tree/.git proj/.git; printf '[core]\nworktree = ../../tr\\\nee\n' > proj/.git/config; git -C proj config core.worktree | grep -qx ../../tree`,
		asks:  "tracked tree/t tree/sub \n free tree/u", root: "proj",
	},
	{
		name:  "core.worktree leads nowhere",
		setup: `repo proj; git --git-dir=proj/.git config core.worktree ../../nowhere`,
		asks:  "tracked proj/t \n doubt proj/u", root: "proj",
	},
	{
		name:  "a config of the worktree that names another tree",
		setup: `repo tree; mkdir proj; mv tree/.git proj/.git; cd proj; git config extensions.worktreeConfig true; git config --worktree core.worktree ../../tree`,
		asks:  "tracked tree/t proj/t \n free tree/u proj/u", root: "proj",
	},
	{
		name:  "a config of the worktree",
		setup: `repo proj; git -C proj config extensions.worktreeConfig true; git -C proj config --worktree x.y z`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "known extensions",
		setup: `repo proj; cd proj; git config core.repositoryFormatVersion 1; printf '[extensions]\nnoop\npreciousObjects = true\nrelativeWorktrees = true\npartialClone = origin\nrefStorage = files\nobjectFormat = sha1\n' >> .git/config`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "an unknown extension",
		setup: `repo proj; git -C proj config core.repositoryFormatVersion 1; git -C proj config extensions.bogus true`,
		asks:  "tracked proj/t \n doubt proj/u", root: "proj",
	},
	{
		name:  "a future format",
		setup: `repo proj; git -C proj config core.repositoryFormatVersion 2`,
		asks:  "tracked proj/t \n doubt proj/u", root: "proj",
	},
	{
		name:  "a config that only git parses",
		setup: `repo proj; printf '\xef\xbb\xbf[core] bare=false\n[user]\n\tname = J\xf6rg\n[a.b]\nc = d\n[x]\ny = a\\\nb\n' > proj/.git/config; git -C proj config --list > /dev/null`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name:  "a config that nobody parses",
		setup: `repo proj; printf '[core\n' > proj/.git/config`,
		asks:  "tracked proj/t \n doubt proj/u", root: "proj",
	},
	{
		name:  "no config; the config is a FIFO",
		setup: `repo proj; rm proj/.git/config; repo other; rm other/.git/config; mkfifo other/.git/config`,
		asks:  "tracked proj/t other/t \n free proj/u \n doubt other/u", root: "proj",
	},
	{
		name:  "said to be bare, with an index",
		setup: `repo proj; git -C proj config core.bare true`,
		asks:  "tracked proj/t \n free proj/u", root: "proj",
	},
	{
		name: "said to be bare, without an index; said so for the worktree only; unsaid there",
		setup: `for r in proj a b; do repo $r; rm $r/.git/index; done; git -C proj config core.bare true
			printf '[extensions]\nworktreeConfig = true\n' | tee a/.git/config > b/.git/config; printf '[core]\nbare = true\n' | tee a/.git/config.worktree >> b/.git/config; printf '[core]\nbare = false\n' > b/.git/config.worktree`,
		asks: "free proj/u a/u \n doubt b/u", root: "proj",
	},
	{
		name:  "case is ignored",
		setup: `repo proj; git -C proj config core.ignoreCase true; printf x > "proj/Ärger"; git -C proj add .; git -C proj reset -q u sub/u free`,
		asks:  "tracked proj/T proj/SUB/S proj/Sub proj/äRGER \n free proj/U proj/FREE", root: "proj",
	},
	{
		name:  "case matters",
		setup: `repo proj`,
		asks:  "free proj/T proj/SUB/S", root: "proj",
	},
	{
		name:  "an empty .git inside a tracked directory",
		setup: `repo proj; mkdir proj/sub/.git`, from: "proj/sub",
		asks: "tracked proj/t proj/sub/s proj/sub \n doubt proj/sub/u \n free proj/u",
		root: "proj", control: "proj/.git proj/sub/.git",
	},
	{
		name:  "a .git with nothing but HEAD inside a tracked directory",
		setup: `repo proj; mkdir proj/sub/.git; cp proj/.git/HEAD proj/sub/.git`, from: "proj/sub",
		asks: "tracked proj/t proj/sub/s \n doubt proj/sub/u",
		root: "proj",
	},
	{
		name:  "HEAD was lost",
		setup: `repo proj; rm proj/.git/HEAD`,
		asks:  "tracked proj/t \n doubt proj/u", root: "proj", control: "proj/.git",
	},
	{
		name:  "HEAD, objects or refs are broken",
		setup: `repo proj; : > proj/.git/HEAD; repo a; rm -r a/.git/objects; repo b; rm -r b/.git/refs; repo c; printf garbage > c/.git/HEAD`,
		asks:  "tracked proj/t a/t b/t c/t \n doubt proj/u a/u b/u c/u", root: "proj",
	},
	{
		name:  ".git is a FIFO inside a tracked directory",
		setup: `repo proj; mkfifo proj/sub/.git`, from: "proj/sub",
		asks: "tracked proj/t proj/sub/s \n doubt proj/sub/u",
		root: "proj", damaged: true, control: "proj/.git proj/sub/.git",
	},
	{
		name:  ".git is a link to a FIFO",
		setup: `mkdir proj; mkfifo pipe; ln -s ../pipe proj/.git; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj", damaged: true, control: "proj/.git pipe",
	},
	{
		name:  ".git is a link that leads nowhere",
		setup: `repo proj; ln -s nowhere proj/sub/.git`, from: "proj/sub",
		asks: "tracked proj/sub/s \n doubt proj/sub/u",
		root: "proj", damaged: true, control: "proj/sub/.git",
	},
	{
		name:  ".git is a loop of links",
		setup: `mkdir proj; ln -s .git proj/.git; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj", damaged: true, control: "proj/.git",
	},
	{
		name:  ".git is an empty file",
		setup: `mkdir proj; : > proj/.git; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj", damaged: true, control: "proj/.git",
	},
	{
		name:  ".git is a file of garbage",
		setup: `mkdir proj; printf 'gitdir:nothing' > proj/.git; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj", damaged: true, control: "proj/.git",
	},
	{
		name:  "a git file that leads to another git file",
		setup: `repo lib; mkdir proj; printf 'gitdir: ../file\n' > proj/.git; printf 'gitdir: lib/.git\n' > file; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj", damaged: true, control: "proj/.git file",
	},
	{
		name:  "a git file that leads to a directory of something else",
		setup: `mkdir proj other; printf 'gitdir: ../other\n' > proj/.git; printf u > proj/u`,
		asks:  "doubt proj/u", root: "proj", damaged: true, control: "proj/.git other",
	},
	{
		name:  "a git file that leads nowhere, above a sound repository",
		setup: `mkdir proj; printf 'gitdir: ../gone\n' > proj/.git; repo proj/in`, from: "proj/in",
		asks: "tracked proj/in/t \n doubt proj/in/u",
		root: "proj/in", damaged: true, control: "proj/.git proj/in/.git",
	},
	{
		name:  "standing in a bare repository",
		setup: `git init -q --bare proj; printf u > proj/u`,
		asks:  "doubt proj/u proj/refs", root: "", control: "proj",
	},
	{
		name:  "standing in a bare repository that the outer one tracks",
		setup: `git init -q proj; mkdir proj/data; git init -q --bare proj/data/r.git; touch proj/data/r.git/refs/keep proj/data/r.git/objects/keep; commit proj; printf u > proj/data/r.git/u`, from: "proj/data/r.git",
		asks: "tracked proj/data/r.git/HEAD \n doubt proj/data/r.git/u",
		root: "proj", control: "proj/.git proj/data/r.git",
	},
	{
		name:  "inside .git",
		setup: `repo proj`,
		asks:  "doubt proj/.git/HEAD proj/.git/refs/heads", root: "proj",
	},
	{
		name:  "what is .git elsewhere, in other letters",
		setup: `repo proj; mkdir -p proj/.GIT/x`,
		asks:  "doubt proj/.GIT proj/.Git/x", root: "proj",
	},
	{
		name:  "names that a repository has, in a project",
		setup: `git init -q proj; mkdir -p proj/objects proj/refs proj/hooks; printf c > proj/config; printf h > proj/HEAD; printf o > proj/objects/o`,
		asks:  "free proj/config proj/HEAD proj/objects proj/refs proj/hooks", root: "proj",
	},
	{
		name:  "outside the project, around it",
		setup: `mkdir out; repo out/proj; printf u > out/u`, from: "out/proj",
		asks: "tracked out \n free out/u", root: "out/proj",
	},
	{
		name:  "a path in another repository",
		setup: `repo proj; repo other`,
		asks:  "tracked other/t other/sub \n free other/u", root: "proj",
	},
}

func TestStates(t *testing.T) {
	t.Parallel()
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, s.setup)
			from := s.from
			if from == "" {
				from = "proj"
			}
			in := New(Options{})
			w.asks(t, in, from, s.asks)
			w.asks(t, in, from, s.asks) // what is kept has to say the same

			p := in.Project(context.Background(), w.path(from))
			if got := w.rel(p.Root); got != s.root {
				t.Errorf("root is %q, want %q", got, s.root)
			}
			if (p.Damaged != nil) != s.damaged {
				t.Errorf("damaged: %v, want %v", p.Damaged, s.damaged)
			}
			if p.Damaged != nil && !strings.Contains(p.Damaged.Error(), w.dir) {
				t.Errorf("%q names no path", p.Damaged)
			}
			for _, rel := range strings.Fields(s.open) {
				for _, c := range p.Control {
					if _, inside := relative(c, w.path(rel)); inside {
						t.Errorf("%s is inside the control path %s", rel, w.rel(c))
					}
				}
			}
			for _, want := range strings.Fields(s.control) {
				found := false
				for _, c := range p.Control {
					found = found || c == w.path(want)
				}
				if !found {
					t.Errorf("%s is missing in the control paths %q", want, p.Control)
				}
			}
		})
	}
}

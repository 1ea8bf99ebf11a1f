//go:build linux

package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"codemode/ops"
	"codemode/ops/opstest"
)

// TestRealFaults lets the kernel itself refuse, where a test can bring it to.
// Whatever the code, the receipt is true and the source is not lost.
func TestRealFaults(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	long := strings.Repeat("n", 255)
	for _, tt := range []mishap{
		{name: "a full disk", needs: []opstest.Need{opstest.Mount},
			setup: "mkdir full; mount -t tmpfs -o size=64k none full; mkdir s; head -c 30000 /dev/urandom > s/a; head -c 200000 /dev/urandom > s/b; cp -r s keep",
			args:  []string{"move", "s", "full/p/t"}, code: "ENOSPC", effect: ops.Unknown,
			disk: "diff -r s keep\ntest -z \"$(ls -A full)\""},
		{name: "a full disk while files are overwritten", needs: []opstest.Need{opstest.Mount},
			setup: "mkdir full; mount -t tmpfs -o size=64k none full; echo old > full/b; head -c 200000 /dev/urandom > b",
			args:  []string{"copy", "b", "full/b"}, code: "ENOSPC", effect: ops.Unknown,
			disk: "test \"$(cat full/b)\" = old\ntest \"$(ls -A full)\" = b"},
		{name: "no inodes left", needs: []opstest.Need{opstest.Mount},
			setup: "mkdir full; mount -t tmpfs -o nr_inodes=4 none full; mkdir s; touch s/a s/b s/c s/d s/e",
			args:  []string{"copy", "s", "full/t"}, code: "ENOSPC", effect: ops.Unknown, disk: "test -z \"$(ls -A full)\""},
		{name: "an immutable file in a tree", needs: []opstest.Need{opstest.Root},
			setup: "mkdir -p s/d; echo a > s/a; echo i > s/d/i; chattr +i s/d/i 2>/dev/null || exit 77",
			args:  []string{"delete", "s"}, code: "EPERM", effect: ops.Unknown, disk: "test -f s/d/i"},
		{name: "an immutable target", needs: []opstest.Need{opstest.Root},
			setup: "echo new > s; echo old > t; chattr +i t 2>/dev/null || exit 77",
			args:  []string{"move", "s", "t"}, code: "EPERM", effect: ops.Unknown, disk: "test \"$(cat s)\" = new\ntest \"$(cat t)\" = old\ntest -z \"$(ls -A | grep '^.codemode')\""},
		{name: "an immutable source that has been copied away", needs: []opstest.Need{opstest.Root, opstest.TwoFS},
			setup: "echo text > s; chattr +i s 2>/dev/null || exit 77",
			args:  []string{"move", "s", "$X/t"}, code: "EPERM", effect: ops.Unknown, disk: "test \"$(cat s)\" = text"},
		{name: "a read-only file system", needs: []opstest.Need{opstest.Mount},
			setup: "mkdir ro s; echo o > ro/o; mount --bind ro ro; mount -o remount,bind,ro ro",
			args:  []string{"move", "s", "ro/t"}, code: "EROFS", effect: ops.NotApplied, disk: "test -d s\ntest \"$(ls -A ro)\" = o"},
		{name: "a source on a read-only file system", needs: []opstest.Need{opstest.Mount},
			setup: "mkdir ro; echo o > ro/o; mount --bind ro ro; mount -o remount,bind,ro ro",
			args:  []string{"move", "ro/o", "t"}, code: "EROFS", effect: ops.NotApplied, disk: "test -f ro/o\ntest ! -e t"},
		{name: "a mount point in a tree", needs: []opstest.Need{opstest.Mount},
			setup: "mkdir -p s/m; echo a > s/a; mount -t tmpfs none s/m; echo in > s/m/in",
			args:  []string{"delete", "s"}, code: ops.MountPoint, effect: ops.NotApplied, disk: "test -f s/a\ntest -f s/m/in"},
		{name: "few descriptors and a deep, wide tree",
			setup: "d=s; for i in $(seq 40); do d=$d/d; done; mkdir -p $d; for i in $(seq 300); do echo $i > s/f$i; done",
			args:  []string{"copy", "s", "t"}, files: 64, effect: ops.Applied, disk: "diff -r s t"},
		{name: "too few descriptors",
			setup: "mkdir s; echo a > s/a; cp -r s keep",
			args:  []string{"move", "s", "t"}, files: 9, code: "EMFILE", effect: ops.NotApplied, disk: "diff -r s keep\ntest ! -e t"},
		{name: "a name as long as can be, beside which the hidden one must fit",
			setup: "echo new > s; echo old > " + long,
			args:  []string{"copy", "s", long}, effect: ops.Applied, disk: "test \"$(cat " + long + ")\" = new"},
		{name: "a name that is too long",
			setup: "echo new > s", args: []string{"move", "s", long + "n"}, code: "ENAMETOOLONG", effect: ops.NotApplied, disk: "test -f s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := opstest.NewWorld(t, tt.needs...)
			w.Setup(t, "mkdir -p proj", false)
			if out, err := w.Bash("cd proj\n" + tt.setup); err != nil {
				if strings.Contains(err.Error(), "77") {
					t.Skip("this file system knows no immutable files")
				}
				t.Fatalf("%v: %s", err, out)
			}
			c := command{bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env(), files: tt.files}
			args := []string{tt.args[0], "--json", "--approve", "allow"}
			for _, a := range tt.args[1:] {
				args = append(args, w.Expand(a))
			}
			tt.check(t, w, c.run(t, "", args...))
		})
	}
}

// mishap is an operation that something goes wrong with, and what then is true.
type mishap struct {
	name   string
	needs  []opstest.Need
	setup  string
	args   []string
	files  int // the limit of open files
	code   ops.Code
	effect ops.Effect
	disk   string // commands that succeed
}

func (f mishap) check(t *testing.T, w opstest.World, out output) {
	t.Helper()
	if len(out.stdout) == 0 && f.effect == ops.NotApplied && out.status != 0 {
		// It could not even begin.
	} else {
		var r ops.Receipt
		out.document(t, &r)
		code := ops.Code("")
		if r.Error != nil {
			code = r.Error.Code
		}
		if r.Effect != f.effect || code != f.code || (r.Effect == ops.Unknown) != (r.Evidence != nil) {
			t.Errorf("%s%s", out.stdout, out.stderr)
		}
		if r.Evidence != nil {
			for _, path := range r.Evidence.Left() {
				if !exists(string(path)) {
					t.Errorf("the evidence names %s, which is not there", path)
				}
			}
		}
	}
	for line := range strings.Lines(f.disk) {
		if out, err := w.Bash("cd proj\n" + line); err != nil {
			t.Errorf("%s: %v %s", strings.TrimSpace(line), err, out)
		}
	}
	if t.Failed() {
		t.Log(w.Listing(t))
	}
}

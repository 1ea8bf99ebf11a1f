//go:build linux

package ops_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"codemode/ops"
)

// An adversary exchanges two names at full speed while operations go by them.
// Whatever each operation answers, what lies outside stays as it is, nothing is
// lost, and the answer is true. How often each of them runs is set by
// CODEMODE_RACES; a hundred thousand take an hour.
func rounds(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("CODEMODE_RACES"))
	switch {
	case err == nil:
		return n
	case testing.Short():
		return 40
	}
	return 100
}

// arena is where one attack takes place. The directory real goes by the name
// proj/way, at times; the adversary and the test reach it by descriptor.
type arena struct {
	base string
	real *os.Root
}

const outside = "outside"

// allowed is how an operation may end here. Anything else is a surprise, and
// should be understood before it is added.
var allowed = map[ops.Effect][]ops.Code{
	ops.Applied: {""},
	ops.NotApplied: {
		ops.ConfirmationRequired, ops.OutsideRoot, ops.InvalidFileType, ops.DeleteTargetChanged, ops.TransferTargetChanged,
		"ENOENT", "ENOTDIR",
	},
	ops.Unknown: {
		ops.InvalidFileType, ops.DeleteTargetChanged, ops.TransferTargetChanged,
		"EEXIST", "ENOENT", "ENOTEMPTY",
	},
}

func newArena(t *testing.T) *arena {
	t.Helper()
	memory := "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		memory = ""
	}
	base, err := os.MkdirTemp(memory, "codemode-arena-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	if base, err = filepath.EvalSymlinks(base); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"proj/way", "proj/stable", "out/tree/sub", "out/old", "home"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// Whatever is asked for in way exists outside, too.
	for _, file := range []string{"file", "tree/one", "tree/sub/two", "old/one"} {
		if err := os.WriteFile(filepath.Join(base, "out", file), []byte(outside), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../out", filepath.Join(base, "proj/link")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", filepath.Join(base, "proj")).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	real, err := os.OpenRoot(filepath.Join(base, "proj/way"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { real.Close() })
	return &arena{base: base, real: real}
}

// furnish makes what the operations work on.
func (a *arena) furnish(t *testing.T) {
	t.Helper()
	a.clear(t)
	for _, dir := range []string{"tree/sub", "old"} {
		if err := a.real.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"file", "tree/one", "tree/sub/two", "old/one", "old/three"} {
		if err := a.real.WriteFile(file, []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.real.Symlink("../../out", "tree/link"); err != nil {
		t.Fatal(err)
	}
}

func (a *arena) clear(t *testing.T) {
	t.Helper()
	dir, err := a.real.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	for _, name := range names {
		if err := a.real.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
}

// inventory is everything in a directory: kinds, numbers and contents, by name.
func inventory(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprint(info.Mode(), " ", info.Sys().(*syscall.Stat_t).Ino)
		if info.Mode().IsRegular() {
			data, err := fs.ReadFile(fsys, path)
			if err != nil {
				return err
			}
			line += " " + string(data)
		}
		all[path] = line
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// objects is an inventory without the names, which an adversary inside changes.
func objects(inventory map[string]string) []string { return slices.Sorted(maps.Values(inventory)) }

// act is one operation, and how to see that it was done.
type act struct {
	name string
	req  ops.Request
	new  string // what it makes, perhaps outside
	done func(in map[string]string) bool
	// whole reports that nothing is lost although the effect is unknown.
	whole func(in map[string]string) bool
}

// elsewhere reports whether the new thing was made outside, where the way led
// to when the target was resolved.
func (a act) elsewhere(is, made map[string]string) bool {
	if a.new == "" || made[a.new] == "" {
		return false
	}
	return a.req.Operation != ops.Move || is["file"] == "" && has(made, a.new, "file")
}

func has(in map[string]string, path, content string) bool {
	return strings.HasSuffix(in[path], " "+content)
}

func anywhere(in map[string]string, content string) bool {
	return slices.ContainsFunc(objects(in), func(line string) bool { return strings.HasSuffix(line, " "+content) })
}

func acts() []act {
	gone := func(path string) func(map[string]string) bool {
		return func(in map[string]string) bool { return in[path] == "" }
	}
	all := func(in map[string]string) bool {
		return anywhere(in, "file") && anywhere(in, "tree/one") && anywhere(in, "tree/sub/two")
	}
	anything := func(map[string]string) bool { return true }
	return []act{
		{name: "delete a file", req: ops.Request{Operation: ops.Delete, Path: "way/file"}, done: gone("file"), whole: anything},
		{name: "delete a tree", req: ops.Request{Operation: ops.Delete, Path: "way/tree"}, done: gone("tree"), whole: anything},
		{name: "copy a file", req: ops.Request{Operation: ops.Copy, Path: "way/file", Target: "way/new"}, new: "new",
			done: func(in map[string]string) bool { return in["new"] != "" && all(in) }, whole: all},
		{name: "copy a tree", req: ops.Request{Operation: ops.Copy, Path: "way/tree", Target: "way/deep/new"}, new: "deep/new",
			done: func(in map[string]string) bool { return in["deep/new/one"] != "" && all(in) }, whole: all},
		{name: "merge", req: ops.Request{Operation: ops.Copy, Path: "way/tree", Target: "way/old", Overwrite: ops.OverwriteAny},
			done: func(in map[string]string) bool {
				return in["old/one"] != "" && has(in, "old/three", "old/three") && all(in)
			}, whole: all},
		{name: "move a file", req: ops.Request{Operation: ops.Move, Path: "way/file", Target: "way/new"}, new: "new",
			done: func(in map[string]string) bool { return has(in, "new", "file") && in["file"] == "" }, whole: all},
		{name: "move away", req: ops.Request{Operation: ops.Move, Path: "way/file", Target: "stable/new"},
			done: func(in map[string]string) bool { return in["file"] == "" }, whole: anything},
		{name: "replace a tree", req: ops.Request{Operation: ops.Move, Path: "way/tree", Target: "way/old", Overwrite: ops.OverwriteAny},
			done: func(in map[string]string) bool { return in["tree"] == "" && in["old/three"] == "" && all(in) }, whole: all},
		{name: "write", req: ops.Request{Operation: ops.Write, Path: "way/deep/new", Content: []byte("made")}, new: "deep/new",
			done: func(in map[string]string) bool { return has(in, "deep/new", "made") && all(in) }, whole: all},
		{name: "mkdir", req: ops.Request{Operation: ops.Mkdir, Path: "way/deep/new"}, new: "deep/new",
			done: func(in map[string]string) bool { return in["deep/new"] != "" && all(in) }, whole: all},
	}
}

func TestAdversary(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("an adversary needs a core of its own")
	}
	for _, attack := range []struct {
		name     string
		confined bool
		inside   bool // names in the tree change, not the way to it
		one, two string
	}{
		{name: "a parent becomes a link", one: "proj/way", two: "proj/link"},
		{name: "a parent becomes a link out of the root", confined: true, one: "proj/way", two: "proj/link"},
		{name: "a directory in the tree becomes a link", inside: true, one: "tree/sub", two: "tree/link"},
		{name: "a file in the tree becomes a directory", inside: true, one: "tree/one", two: "tree/sub"},
		{name: "the source becomes a directory", inside: true, one: "file", two: "old"},
		{name: "a directory becomes a file of the same name", inside: true, one: "old", two: "tree/one"},
	} {
		t.Run(attack.name, func(t *testing.T) {
			t.Parallel()
			for _, act := range acts() {
				t.Run(act.name, func(t *testing.T) {
					a := newArena(t)
					cfg := ops.Config{Dir: filepath.Join(a.base, "proj"), Homes: []string{filepath.Join(a.base, "home")}}
					if attack.confined {
						cfg.Root, cfg.Dir = cfg.Dir, ""
					}
					a.attack(t, act, cfg, attack.inside, attack.one, attack.two)
				})
			}
		})
	}
}

func (a *arena) attack(t *testing.T, act act, cfg ops.Config, inside bool, one, two string) {
	at := unix.AT_FDCWD
	if inside {
		dir, err := a.real.Open(".")
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		at = int(dir.Fd())
	} else {
		one, two = filepath.Join(a.base, one), filepath.Join(a.base, two)
	}
	out := os.DirFS(filepath.Join(a.base, "out"))
	before := inventory(t, out)
	results := map[string]int{}
	// It goes on until the adversary has come between and has not.
	enough := func(n int) bool {
		return n >= rounds(t) && (inside || results["applied"] > 0 && len(results) > 1 || n >= 50*rounds(t))
	}
	for n := 0; !enough(n); n++ {
		s, err := ops.Open(cfg) // what a run has made is under its protection
		if err != nil {
			t.Fatal(err)
		}
		a.furnish(t)
		was := inventory(t, a.real.FS())
		stop := meanwhile(func() { unix.Renameat2(at, one, at, two, unix.RENAME_EXCHANGE) })
		r := s.Do(t.Context(), act.req)
		stop()
		s.Close()
		is := inventory(t, a.real.FS())
		stable := inventory(t, os.DirFS(filepath.Join(a.base, "proj/stable")))
		os.Remove(filepath.Join(a.base, "proj/stable/new"))
		now := inventory(t, out)
		made := map[string]string{} // outside, where only a root keeps one from making new things
		for path, line := range now {
			if old := before[path]; old == "" {
				made[path] = line
				os.RemoveAll(filepath.Join(a.base, "out", path))
			} else if old != line {
				t.Fatalf("%v: what lies outside was %v and is %v", r, before, now)
			}
		}
		outcome, code := string(r.Effect), ops.Code("")
		if len(made) > 0 {
			outcome += " outside"
		}
		if r.Error != nil {
			code = r.Error.Code
			outcome += " " + string(code)
		}
		results[outcome]++
		wrong := func(format string, args ...any) {
			t.Errorf("%s, %v: %s\nwas %v\nis %v, stable %v", outcome, r.Err(), fmt.Sprintf(format, args...), was, is, stable)
		}
		if len(now)-len(made) != len(before) || cfg.Root != "" && len(made) > 0 {
			t.Fatalf("%s: what lies outside was %v and is %v", outcome, before, now)
		}
		if cfg.Root != "" && (anywhere(is, outside) || anywhere(stable, outside)) {
			wrong("something came from outside")
		}
		switch {
		case !slices.Contains(allowed[r.Effect], code):
			wrong("that is none of the outcomes that are allowed")
		case r.Effect == ops.NotApplied && !slices.Equal(objects(is), objects(was)),
			r.Effect == ops.NotApplied && !inside && !maps.Equal(is, was):
			wrong("it was changed all the same")
		case r.Effect == ops.NotApplied && len(made) > 0:
			wrong("%v was made", made)
		case r.Effect == ops.Applied && !inside && !act.done(is) && !act.elsewhere(is, made):
			wrong("it was not done")
		case r.Effect == ops.Unknown && !act.whole(is):
			wrong("something is lost")
		case r.Effect == ops.Unknown && r.Evidence == nil:
			wrong("there is no evidence")
		}
		for path := range is {
			if strings.Contains(path, ".codemode-") && (r.Evidence == nil || r.Evidence.Leftover == "") {
				wrong("%s was left and is not named", path)
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Log(results)
	if !inside && (len(results) < 2 || results["applied"] == 0) {
		t.Errorf("the adversary never came between: %v", results)
	}
}

package fsys_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"codemode/ops/fsys"
)

// grove makes a random tree: deep and wide places, files of many sizes, links.
func grove(t *testing.T, top string, random *rand.Rand, entries int) {
	t.Helper()
	dirs := []string{top}
	must(t, os.Mkdir(top, 0o755))
	for i := range entries {
		dir := dirs[random.IntN(len(dirs))]
		if random.IntN(3) > 0 {
			dir = dirs[len(dirs)-1] // goes deeper and deeper
		}
		path := filepath.Join(dir, fmt.Sprint("e", i))
		switch random.IntN(8) {
		case 0, 1:
			must(t, os.Mkdir(path, fs.FileMode(0o700+random.IntN(0o100))))
			dirs = append(dirs, path)
		case 2:
			must(t, os.Symlink(fmt.Sprint("to", i), path))
		case 3: // as many at once as make several parts
			for j := range random.IntN(600) {
				must(t, os.WriteFile(fmt.Sprint(path, "-", j), nil, 0o644))
			}
		default:
			data := make([]byte, random.IntN(1<<random.IntN(18)))
			for j := range data {
				data[j] = byte(random.Uint32())
			}
			must(t, os.WriteFile(path, data, fs.FileMode(0o400+random.IntN(0o400))))
		}
	}
}

// memory is a temporary directory in memory where there is one: many small
// files are slow on some disks.
func memory(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("/dev/shm"); err != nil {
		return base(t)
	}
	dir, err := os.MkdirTemp("/dev/shm", "codemode-fsys-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// describe is a tree as text, by other means than those under test.
func describe(t *testing.T, top string) (text string, entries, bytes int64) {
	t.Helper()
	var lines []string
	must(t, filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		rel, _ := filepath.Rel(top, path)
		info, err := e.Info()
		must(t, err)
		line := rel + " " + info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			must(t, err)
			line += fmt.Sprintf(" %x", data)
			bytes += info.Size()
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			line += " -> " + to
		}
		entries++
		lines = append(lines, line)
		return nil
	}))
	slices.Sort(lines)
	return strings.Join(lines, "\n"), entries, bytes
}

func resolve(t *testing.T, path string) (*fsys.Place, fsys.Info) {
	t.Helper()
	place, err := root(t, "").Resolve(path, false)
	must(t, err)
	t.Cleanup(place.Close)
	info, err := place.Stat()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return place, info
}

// TestTreesArriveWhole surveys, copies, merges and removes random trees, and
// looks at the result by other means.
func TestTreesArriveWhole(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dir := memory(t)
			top := filepath.Join(dir, "top")
			grove(t, top, rand.New(rand.NewPCG(seed, 7)), 80)
			want, entries, bytes := describe(t, top)
			place, info := resolve(t, top)
			seen := &fsys.Listings{}
			var visits atomic.Int64
			survey, err := place.Survey(t.Context(), fsys.Surveying{Listings: seen, Removal: true, Reading: true, Visit: func(*fsys.Object) error {
				visits.Add(1)
				return nil
			}})
			if err != nil || survey.Entries != entries || survey.Bytes != bytes || visits.Load() != entries {
				t.Fatalf("%+v, %d visits, %v; want %d entries, %d bytes", survey, visits.Load(), err, entries, bytes)
			}
			again, err := place.Survey(t.Context(), fsys.Surveying{})
			if err != nil || again != survey {
				t.Errorf("a second survey is %+v, %v, not %+v", again, err, survey)
			}
			copied, _ := resolve(t, filepath.Join(dir, "hidden"))
			var done fsys.Progress
			must(t, place.Build(info.Identity, copied, fsys.Copying{Hidden: "hidden", Done: &done}))
			check := func(path string) {
				t.Helper()
				if got, _, _ := describe(t, path); got != want {
					t.Errorf("%s differs from its source", filepath.Base(path))
				}
				if done.Entries.Load() != entries || done.Bytes.Load() != bytes {
					t.Errorf("%d entries and %d bytes were counted, not %d and %d", done.Entries.Load(), done.Bytes.Load(), entries, bytes)
				}
			}
			check(copied.Path)
			must(t, os.Mkdir(filepath.Join(dir, "into"), 0o755))
			into, intoInfo := resolve(t, filepath.Join(dir, "into"))
			for range 2 { // the second time everything has a match
				done = fsys.Progress{}
				must(t, place.Merge(info.Identity, into, intoInfo.Identity, fsys.Copying{Hidden: "h", Done: &done}))
				check(into.Path)
			}
			done = fsys.Progress{}
			must(t, place.Remove(info.Identity, seen, &done))
			if done.Entries.Load() != entries || done.Bytes.Load() != bytes {
				t.Errorf("removed %d entries and %d bytes, not %d and %d", done.Entries.Load(), done.Bytes.Load(), entries, bytes)
			}
			if _, err := os.Lstat(top); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it is still there: %v", err)
			}
		})
	}
}

// TestOnlyWhatWasSeenIsRemoved: a directory that holds anything else than when
// it was surveyed keeps all that it holds.
func TestOnlyWhatWasSeenIsRemoved(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(dir string) error{
		"a new file":       func(dir string) error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o644) },
		"a new directory":  func(dir string) error { return os.Mkdir(filepath.Join(dir, "new"), 0o755) },
		"one file less":    func(dir string) error { return os.Remove(filepath.Join(dir, "f1")) },
		"another name":     func(dir string) error { return os.Rename(filepath.Join(dir, "f1"), filepath.Join(dir, "g1")) },
		"two change names": func(dir string) error { return exchange(filepath.Join(dir, "f1"), filepath.Join(dir, "f2")) },
		"a file becomes a link": func(dir string) error {
			os.Remove(filepath.Join(dir, "f1"))
			return os.Symlink("f2", filepath.Join(dir, "f1"))
		},
		"another directory": func(dir string) error {
			os.Rename(dir, dir+"-away")
			os.Mkdir(dir, 0o755)
			for i := range 400 {
				os.Link(filepath.Join(dir+"-away", fmt.Sprint("f", i)), filepath.Join(dir, fmt.Sprint("f", i)))
			}
			return os.Rename(dir+"-away", filepath.Join(filepath.Dir(filepath.Dir(dir)), "away"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := filepath.Join(memory(t), "top")
			dir := filepath.Join(top, "dir")
			must(t, os.MkdirAll(dir, 0o755))
			for i := range 400 {
				must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint("f", i)), nil, 0o644))
			}
			place, info := resolve(t, top)
			seen := &fsys.Listings{}
			_, err := place.Survey(t.Context(), fsys.Surveying{Listings: seen})
			must(t, err)
			must(t, os.Chtimes(filepath.Join(dir, "f3"), info.Mtime, info.Mtime)) // no new entry
			must(t, change(dir))
			before, _, _ := describe(t, dir)
			var done fsys.Progress
			if err := place.Remove(info.Identity, seen, &done); !errors.Is(err, fsys.ErrChanged) || !strings.Contains(err.Error(), top) {
				t.Errorf("%v", err)
			}
			if after, _, _ := describe(t, dir); after != before || done.Entries.Load() != 0 {
				t.Errorf("%d entries were removed", done.Entries.Load())
			}
		})
	}
}

func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// TestAHalfEmptiedDirectoryIsCounted: what is told of a removal that fails in
// the middle is what happened.
func TestAHalfEmptiedDirectoryIsCounted(t *testing.T) {
	t.Parallel()
	top := filepath.Join(base(t), "top")
	var all int64
	for d := range 8 {
		dir := filepath.Join(top, fmt.Sprint("d", d))
		must(t, os.MkdirAll(dir, 0o755))
		for f := range 300 {
			must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint("f", f)), make([]byte, f), 0o644))
			all += int64(f)
		}
	}
	stuck := filepath.Join(top, "d7", "f150")
	if out, err := exec.Command("chattr", "+i", stuck).CombinedOutput(); err != nil {
		t.Skipf("no file can be made immutable here: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("chattr", "-i", stuck).Run() })
	place, info := resolve(t, top)
	seen := &fsys.Listings{}
	_, err := place.Survey(t.Context(), fsys.Surveying{Listings: seen})
	must(t, err)
	var done fsys.Progress
	if err := place.Remove(info.Identity, seen, &done); !errors.Is(err, syscall.EPERM) || !strings.Contains(err.Error(), stuck) {
		t.Errorf("%v", err)
	}
	_, entries, bytes := describe(t, top)
	if got := done.Entries.Load(); got+entries != 1+8*301 {
		t.Errorf("%d entries were counted, %d are left", got, entries)
	}
	if got := done.Bytes.Load(); got+bytes != all {
		t.Errorf("%d bytes were counted, %d are left of %d", got, bytes, all)
	}
}

// TestDescriptorsAreBounded works on a tree that is deep, wide and many files
// large, in a process that may open few.
func TestDescriptorsAreBounded(t *testing.T) {
	t.Parallel()
	top := filepath.Join(memory(t), "top")
	if in := os.Getenv("FSYS_TEST_DESCRIPTORS"); in != "" {
		top = in
		must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 72, Max: 72}))
		place, info := resolve(t, top)
		seen := &fsys.Listings{}
		survey, err := place.Survey(t.Context(), fsys.Surveying{Listings: seen})
		must(t, err)
		if want := os.Getenv("FSYS_TEST_ENTRIES"); fmt.Sprint(survey.Entries) != want {
			t.Errorf("%d entries, not %s", survey.Entries, want)
		}
		copied, _ := resolve(t, top+"-copy")
		var done fsys.Progress
		must(t, place.Build(info.Identity, copied, fsys.Copying{Hidden: filepath.Base(copied.Path), Done: &done}))
		must(t, place.Remove(info.Identity, seen, &done))
		return
	}
	at := top
	for d := range 40 {
		must(t, os.MkdirAll(at, 0o755))
		for f := range 60 {
			must(t, os.WriteFile(filepath.Join(at, fmt.Sprint("f", f)), nil, 0o644))
			if f < 10 {
				must(t, os.Mkdir(filepath.Join(at, fmt.Sprint("s", f)), 0o755))
			}
		}
		at = filepath.Join(at, fmt.Sprint("d", d))
	}
	for c := range 40 { // each of them stays open until its end is reached
		chain := filepath.Join(top, fmt.Sprint("c", c), strings.Repeat("d/", 14))
		must(t, os.MkdirAll(chain, 0o755))
		must(t, os.WriteFile(filepath.Join(chain, "f"), make([]byte, 1<<16), 0o644))
	}
	want, entries, _ := describe(t, top)
	cmd := exec.Command(os.Args[0], "-test.run", "^TestDescriptorsAreBounded$")
	cmd.Env = append(os.Environ(), "FSYS_TEST_DESCRIPTORS="+top, fmt.Sprint("FSYS_TEST_ENTRIES=", entries))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, _, _ := describe(t, top+"-copy"); got != want {
		t.Error("the copy differs")
	}
	if _, err := os.Lstat(top); err == nil {
		t.Error("it is still there")
	}
}

// TestAPanicEndsTheDescent: a visit that panics, on whatever goroutine, is an
// error of the survey.
func TestAPanicEndsTheDescent(t *testing.T) {
	t.Parallel()
	top := filepath.Join(memory(t), "top")
	for d := range 10 {
		dir := filepath.Join(top, fmt.Sprint("d", d))
		must(t, os.MkdirAll(dir, 0o755))
		for f := range 300 {
			must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint("f", f)), nil, 0o644))
		}
	}
	place, _ := resolve(t, top)
	for _, name := range []string{"d3", "f7"} {
		_, err := place.Survey(t.Context(), fsys.Surveying{Visit: func(o *fsys.Object) error {
			if o.Name() == name {
				panic("boom")
			}
			return nil
		}})
		if err == nil || !strings.Contains(err.Error(), "boom") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

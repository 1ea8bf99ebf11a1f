package journal_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"codemode/ops/journal"
)

func TestRunIsReadBackInOrder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "codemode")
	run, err := journal.Create(dir, journal.Options{Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := run.Append(map[string]int{"n": i}); err != nil {
			t.Fatal(err)
		}
	}
	rec, err := journal.Read(dir, run.ID())
	if err != nil || len(rec.Lines) != 5 || !rec.Running {
		t.Fatalf("while it runs: %+v, %v", rec, err)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o700, run.Path(): 0o600} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, want %v", path, st.Mode().Perm(), mode)
		}
	}
	run.Close()
	rec, _ = journal.Read(dir, run.ID())
	var last struct{ N int }
	json.Unmarshal(rec.Lines[4], &last)
	if rec.Running || last.N != 4 {
		t.Errorf("after its end: running %v, last line %s", rec.Running, rec.Lines[4])
	}
	if err := run.Append(1); err == nil {
		t.Error("a closed journal took a line")
	}
}

func TestTornLinesAreReadPast(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run, err := journal.Create(dir, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run.Append("one")
	f, _ := os.OpenFile(run.Path(), os.O_WRONLY|os.O_APPEND, 0)
	f.WriteString("{\"garbled\n")
	f.WriteString("\"two\"\n{\"to")
	f.Close()
	run.Close()
	rec, err := journal.Read(dir, run.ID())
	if err != nil || len(rec.Lines) != 2 || rec.Torn != 2 || string(rec.Lines[1]) != `"two"` {
		t.Errorf("read %s (torn %d), %v", rec.Lines, rec.Torn, err)
	}
}

func TestRunsAreFoundByPrefix(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := journal.Find(dir, "last"); !errors.Is(err, journal.ErrNoRun) {
		t.Errorf("in an empty directory: %v", err)
	}
	var ids []string
	for range 3 {
		run, err := journal.Create(dir, journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run.Close()
		ids = append(ids, run.ID())
	}
	all, _ := journal.IDs(dir)
	for _, tt := range []struct{ name, want string }{{"last", all[0]}, {ids[0], ids[0]}, {ids[1][:len(ids[1])-1], ids[1]}} {
		if got, err := journal.Find(dir, tt.name); got != tt.want || err != nil {
			t.Errorf("Find(%q) = %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	for _, name := range []string{"2", "nonsense", ""} {
		if got, err := journal.Find(dir, name); !errors.Is(err, journal.ErrNoRun) {
			t.Errorf("Find(%q) = %q, %v; want ErrNoRun", name, got, err)
		}
	}
}

func TestManyRunsAtOnceDoNotMix(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			run, err := journal.Create(dir, journal.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer run.Close()
			for range 50 {
				if err := run.Append(run.ID() + strings.Repeat("x", 500)); err != nil {
					t.Error(err)
				}
			}
			rec, err := journal.Read(dir, run.ID())
			if err != nil || len(rec.Lines) != 50 || rec.Torn != 0 {
				t.Errorf("%d lines, %d torn, %v", len(rec.Lines), rec.Torn, err)
			}
		})
	}
	wg.Wait()
}

// TestFullDisk needs a small file system of its own: /dev/full stands in for
// one, it fails every write with ENOSPC.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this machine")
	}
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	run := journal.ForTest(f)
	if err := run.Append("x"); err == nil {
		t.Error("a line was recorded on a full disk")
	}
}

//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/policy"
)

func TestCtrlCAtTheQuestionCancels(t *testing.T) {
	dir, env := world(t)
	p := sit(t, dir, env, "delete", "dir")
	p.expect(prompt, 1)
	p.types("\x03") // a question has no end of its own
	if got := p.leaves(); got != statusCancelled {
		t.Errorf("exit status %d, want %d; seen:\n%s", got, statusCancelled, p.sees())
	}
	if !exists(filepath.Join(dir, "dir")) || !strings.Contains(p.sees(), "ABORTED") {
		t.Errorf("seen:\n%s", p.sees())
	}
}

func TestCtrlCAtAScriptsQuestionEndsTheRun(t *testing.T) {
	dir, env := world(t)
	p := sit(t, dir, env, "run", "--json", "-e", `try { await tools.delete({path: "dir"}) } catch {} await tools.delete({path: "loose"})`)
	p.expect(prompt, 1)
	p.types("\x03")
	if got := p.leaves(); got != statusCancelled {
		t.Errorf("exit status %d, want %d; seen:\n%s", got, statusCancelled, p.sees())
	}
	if !exists(filepath.Join(dir, "dir")) || !exists(filepath.Join(dir, "loose")) || !strings.Contains(p.sees(), `"kind":"aborted"`) {
		t.Errorf("seen:\n%s", p.sees())
	}
}

func TestSignals(t *testing.T) {
	s := listen()
	defer s.release()
	signal := func() {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	signal()
	select {
	case <-s.ctx.Done():
	case <-time.After(patience):
		t.Fatal("the first Ctrl-C does not cancel")
	}
	if !errors.Is(context.Cause(s.ctx), errInterrupted) {
		t.Errorf("cause %v", context.Cause(s.ctx))
	}
	select {
	case <-s.abandon:
		t.Fatal("the first Ctrl-C abandons")
	case <-time.After(50 * time.Millisecond):
	}
	signal()
	select {
	case <-s.abandon:
	case <-time.After(patience):
		t.Fatal("the second Ctrl-C does not abandon")
	}
}

// The second Ctrl-C gives up an operation that is changing the disk, and says
// that nobody knows how far it came.
func TestTheSecondCtrlCStopsWaiting(t *testing.T) {
	dir, env := manyFiles(t)
	p := sit(t, dir, env, "delete", "--json", "many")
	awaitOperation(dir)
	p.types("\x03")
	said := "the delete of " + filepath.Join(dir, "many") + " has begun and is being finished"
	for end := time.Now().Add(patience); time.Now().Before(end) && !p.shows(said) && !p.shows(`"kind"`); {
		time.Sleep(time.Millisecond)
	}
	p.types("\x03")
	switch got := p.leaves(); {
	case got == statusUnknown && p.shows(said) && p.shows(`"effect":"unknown"`) && p.shows(`"evidence":`):
	case got == statusOK && p.shows(`"effect":"applied"`):
		t.Log("the operation was over before the second Ctrl-C came")
	default:
		t.Errorf("exit status %d; seen:\n%s", got, p.sees())
	}
}

// manyFiles is a world with a directory "many" that takes a while to delete.
func manyFiles(t *testing.T) (dir string, env []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("makes many files")
	}
	// In memory, if possible: making the files should not be what takes long.
	top, err := os.MkdirTemp("/dev/shm", "codemode-test-")
	if err != nil {
		top = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	dir, env = worldIn(t, top)
	for i := range 60_000 {
		name := filepath.Join(dir, "many", strconv.Itoa(i/1000), strconv.Itoa(i))
		if i%1000 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, env
}

// awaitOperation waits until the one run of a world has begun an operation.
func awaitOperation(dir string) {
	journals := filepath.Join(filepath.Dir(dir), "state", "codemode", "*.jsonl")
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if files, _ := filepath.Glob(journals); len(files) == 1 {
			if text, _ := os.ReadFile(files[0]); bytes.Contains(text, []byte("operation-started")) {
				return
			}
		}
	}
}

// Whoever interrupts an operation learns why it goes on, whenever that was.
func TestTheFirstCtrlCSaysWhatIsBeingFinished(t *testing.T) {
	a := ops.Activity{Operation: ops.Copy, Path: "/p/a\nb"}
	said := "interrupted: the copy of " + policy.Printable(a.Path) + " has begun and is being finished"
	for _, tt := range []struct {
		name string
		act  func(begin func(ops.Activity) func(), interrupt func())
		want int
	}{
		{"while it runs", func(begin func(ops.Activity) func(), interrupt func()) { begin(a); interrupt() }, 1},
		{"just before it begins", func(begin func(ops.Activity) func(), interrupt func()) { interrupt(); begin(a) }, 1},
		{"once only", func(begin func(ops.Activity) func(), interrupt func()) { begin(a)(); begin(a); interrupt(); begin(a) }, 1},
		{"after it ended", func(begin func(ops.Activity) func(), interrupt func()) { begin(a)(); interrupt() }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var seen bytes.Buffer
			f := &inFlight{s: newScreen(&seen, &seen, nil)}
			tt.act(f.begin, f.interrupt)
			if n := strings.Count(seen.String(), said); n != tt.want {
				t.Errorf("said %d times, want %d: %q", n, tt.want, seen.String())
			}
		})
	}

	var seen bytes.Buffer
	ctx, cancel := context.WithCancelCause(t.Context())
	begin, release := newScreen(&seen, &seen, nil).announce(ctx)
	defer release()
	cancel(errDeadline)
	begin(a)
	if seen.Len() > 0 {
		t.Errorf("at the deadline nobody can press Ctrl-C again: %q", seen.String())
	}
}

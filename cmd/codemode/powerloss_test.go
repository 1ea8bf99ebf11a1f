//go:build linux && amd64

package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"codemode/ops"
)

// TestPowerLoss follows the system calls of each operation with --journal-sync:
// nothing is changed before the start record is durable, with the journal's own
// name and the folders that were made for it, and the end of a run is durable
// when the command ends; and a source is not removed before its copy on another
// file system is durable. Without the flag the same check must find fault.
func TestPowerLoss(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	for _, s := range scenes {
		if s.many > 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			st := newStage(t, bin, s)
			if early := st.undurable(t, "--journal-sync"); early != "" {
				t.Error(early)
			}
			if !testing.Short() {
				st.reset(t)
				if early := st.undurable(t); early == "" {
					t.Error("without --journal-sync nothing is made durable, and this test does not see it")
				}
			}
		})
	}
}

// undurable plays the scene and returns the first change that a power loss could
// keep while it forgets the record of its start; "" if there is none.
func (st *stage) undurable(t *testing.T, flags ...string) (early string) {
	t.Helper()
	unsynced := map[string]string{} // what has been done to a file or folder since it was made durable
	begun, changes := false, 0
	copied := !st.scene.across() // the new object is durable, or on the file system of the old one
	note := func(what string) {
		if early == "" {
			early = what
		}
	}
	out := st.cmd.traced(t, func(h *happening) verdict {
		home := filepath.Join(st.w.W, "home")
		switch ours, journal := st.ours(h), inside(h.path, home); {
		case h.over && h.failed != 0, !ours:
		case !h.over && h.changes && !journal:
			changes++
			if !begun {
				note(h.String() + " before an operation was recorded as started")
			}
			if !copied && h.name == "unlinkat" && inside(h.path, st.cmd.dir) {
				note(h.String() + " while the copy is not durable")
			}
			for path, what := range unsynced {
				note(h.String() + " while " + what + " at " + path + " is not durable")
			}
		case h.over && h.name == "syncfs" && inside(h.path, st.w.X):
			copied = true
		case !h.over || !journal:
		case h.name == "openat" && h.flags&unix.O_CREAT != 0, h.name == "mkdirat":
			unsynced[filepath.Dir(h.path)] = h.name + " of " + filepath.Base(h.path)
		case h.name == "write":
			unsynced[h.path] = "a record"
			begun = begun || strings.Contains(string(h.text), `"operation-started"`)
		case h.name == "fsync", h.name == "fdatasync":
			delete(unsynced, h.path)
		}
		return verdict{}
	}, st.args(flags...)...)
	for path, what := range unsynced {
		note("at its end " + what + " at " + path + " is not durable")
	}
	if out.status != 0 || changes == 0 {
		t.Fatalf("status %d, %d changes: %s%s", out.status, changes, out.stdout, out.stderr)
	}
	return early
}

// across reports whether a scene moves to another file system.
func (s scene) across() bool { return s.op == ops.Move && strings.HasPrefix(s.target, "$X") }

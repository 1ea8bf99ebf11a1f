//go:build linux

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"codemode/ops"
)

// ward is a project with the journal of a run that died within a move of s to t.
type ward struct {
	t       *testing.T
	dir     string
	env     []string
	journal string
}

const wardHidden = ".codemode-0a1b2c3d-1"

func newWard(t *testing.T) *ward {
	dir, env := world(t)
	w := &ward{t: t, dir: dir, env: env}
	w.journal = filepath.Join(filepath.Dir(dir), "state/codemode/20260101T000000.000-00000000.jsonl")
	return w
}

// make makes a directory with a file in it and returns its identity.
func (w *ward) make(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	err := os.MkdirAll(path, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(path, "file"), []byte(text), 0o644)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	id, _ := ops.ObjectAt(path)
	return id
}

// died writes the journal.
func (w *ward) died(op, object, replaces, hidden string) {
	w.t.Helper()
	started := map[string]any{
		"type": "operation-started", "time": "2026-01-01T00:00:00Z", "seq": 1, "operation": op, "sourceKind": "directory",
		"path": filepath.Join(w.dir, "s"), "entries": 2, "bytes": 3, "hidden": hidden, "object": object, "replaces": replaces,
	}
	if op == "copy" || op == "move" {
		started["target"] = filepath.Join(w.dir, "far/t")
	}
	line, err := json.Marshal(started)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(w.journal), 0o700)
	}
	if err == nil {
		err = os.WriteFile(w.journal, append(line, '\n'), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// doctor runs it where nobody can be asked.
func (w *ward) doctor() (d diagnosis, status int) {
	w.t.Helper()
	cmd := exec.Command("codemode", "doctor", "--json")
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.Output()
	if err := json.Unmarshal(out, &d); err != nil {
		w.t.Fatalf("%v: %s", err, out)
	}
	if err != nil {
		status = cmd.ProcessState.ExitCode()
	}
	return d, status
}

func (w *ward) exists(name string) bool { return exists(filepath.Join(w.dir, name)) }

// otherwise is the same object on a file system that the kernel calls otherwise,
// as after a restart.
func otherwise(id string) string {
	_, inode, _ := strings.Cut(id, ":")
	return "9999:" + inode
}

// TestDoctorTellsWhatIsLeft makes every state in which a dead run can leave
// things, and states that only look like it.
func TestDoctorTellsWhatIsLeft(t *testing.T) {
	t.Parallel()
	far, near := "far/"+wardHidden, wardHidden
	for _, tt := range []struct {
		name             string
		set              func(w *ward)
		at, what, advice string // "": nothing is left
		only             bool
	}{
		{"an unfinished copy", func(w *ward) { w.died("copy", w.make("s", "x"), "", wardHidden); w.make(far, "x") }, far, leftUnfinished, adviceRemove, false},
		{"an unfinished copy of what is gone", func(w *ward) { w.died("copy", "1:1", "", wardHidden); w.make(far, "x") }, far, leftUnfinished, adviceLook, true},
		{"a merge", func(w *ward) {
			w.died("copy", w.make("s", "x"), w.make("far/t", "y"), wardHidden)
			w.make("far/t/"+wardHidden+".3", "")
		}, "far/t/" + wardHidden + ".3", leftUnfinished, adviceRemove, false},
		{"a merge further down", func(w *ward) {
			w.died("copy", w.make("s", "x"), w.make("far/t", "y"), wardHidden)
			w.make("far/t/a/b/"+wardHidden, "")
		}, "far/t/a/b/" + wardHidden, leftUnfinished, adviceRemove, false},
		{"the copying half of a move", func(w *ward) { w.died("move", w.make("s", "x"), "", wardHidden); w.make(far, "x") }, far, leftUnfinished, adviceRemove, false},
		{"a source put aside before the exchange", func(w *ward) { w.died("move", w.make(near, "x"), w.make("far/t", "old"), wardHidden) }, near, leftAside, adviceRestore, true},
		{"the same after a restart", func(w *ward) {
			w.died("move", otherwise(w.make(near, "x")), otherwise(w.make("far/t", "old")), wardHidden)
		}, near, leftAside, adviceRestore, true},
		{"a source put aside whose target is gone", func(w *ward) { w.died("move", w.make(near, "x"), "", wardHidden) }, near, leftAside, adviceRestore, true},
		{"a source put aside whose name is taken", func(w *ward) { w.died("move", w.make(near, "x"), "", wardHidden); w.make("s", "other") }, near, leftAside, adviceLook, true},
		{"a source whose copy has arrived", func(w *ward) { w.died("move", w.make(near, "x"), "", wardHidden); w.make("far/t", "x") }, near, leftAside, adviceRemove, false},
		{"the same after a restart, which cannot be told", func(w *ward) {
			w.died("move", otherwise(w.make(near, "x")), "", wardHidden)
			w.make("far/t", "x")
		}, near, leftAside, adviceRestore, true},
		{"a replaced tree", func(w *ward) { w.died("move", w.make("far/t", "x"), w.make(near, "old"), wardHidden) }, near, leftReplaced, adviceRemove, false},
		{"a replaced tree whose successor is gone", func(w *ward) { w.died("move", "1:1", w.make(far, "old"), wardHidden) }, far, leftReplaced, adviceRestore, true},
		{"something beside a source that is gone", func(w *ward) { w.died("move", "1:1", "", wardHidden); w.make(near, "x") }, near, leftAside, adviceRestore, true},
		{"new text", func(w *ward) { w.died("write", "", "", wardHidden); w.make(near, "x") }, near, leftUnfinished, adviceRemove, false},

		{"nothing", func(w *ward) { w.died("copy", w.make("s", "x"), "", wardHidden) }, "", "", "", false},
		{"another run's", func(w *ward) {
			w.died("copy", w.make("s", "x"), "", wardHidden)
			w.make("far/.codemode-ffffffff-1", "x")
		}, "", "", "", false},
		{"another operation's", func(w *ward) {
			w.died("copy", w.make("s", "x"), "", ".codemode-0a1b2c3d-2")
			w.make("far/.codemode-0a1b2c3d-2", "x")
		}, "", "", "", false},
		{"a journal that points elsewhere", func(w *ward) { w.died("copy", w.make("s", "x"), "", "../s"); w.make("s", "x") }, "", "", "", false},
		{"a journal that names the configuration", func(w *ward) { w.died("copy", w.make("s", "x"), "", ".codemode-"); w.make("far/.codemode-", "x") }, "", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWard(t)
			tt.set(w)
			d, status := w.doctor()
			if len(d.Runs) != 1 || len(d.Runs[0].Operations) != 1 || d.Runs[0].Status != "interrupted" {
				t.Fatalf("%+v", d)
			}
			left := d.Runs[0].Operations[0].Leftovers
			if tt.at == "" {
				if len(left) != 0 || !d.OK || status != 0 {
					t.Errorf("found %+v, status %d", left, status)
				}
				return
			}
			if len(left) != 1 || d.OK || status != statusFailed {
				t.Fatalf("found %+v, status %d", left, status)
			}
			l := left[0]
			if string(l.Path) != filepath.Join(w.dir, tt.at) || l.What != tt.what || l.Advice != tt.advice || l.OnlyCopy != tt.only {
				t.Errorf("%+v", l)
			}
			if l.OnlyCopy != strings.Contains(l.Says, "ONLY COPY") {
				t.Errorf("it says %q", l.Says)
			}
			if !w.exists(tt.at) {
				t.Error("it was touched, though nobody was asked")
			}
		})
	}
}

// TestDoctorLeavesLivingRunsAlone holds the lock of a journal as its run does.
func TestDoctorLeavesLivingRunsAlone(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.died("copy", w.make("s", "x"), "", wardHidden)
	w.make("far/"+wardHidden, "x")
	f, err := os.Open(w.journal)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	d, status := w.doctor()
	if status != 0 || d.Running != 1 || len(d.Runs) != 0 {
		t.Errorf("status %d, %+v", status, d)
	}
	p := sit(t, w.dir, w.env, "doctor")
	if status := p.leaves(); status != 0 || p.shows(prompt) || !p.shows("1 run goes on and was left alone") {
		t.Errorf("status %d: %s", status, p.sees())
	}
}

func TestDoctorRemovesWhatItIsAllowedTo(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.died("copy", w.make("s", "x"), "", wardHidden)
	w.make("far/"+wardHidden, "x")
	p := sit(t, w.dir, w.env, "doctor")
	p.expect("Remove it? Only y or yes means yes. "+prompt, 1)
	p.types("n\n")
	if status := p.leaves(); status != statusFailed || !w.exists("far/"+wardHidden) {
		t.Errorf("after a no: status %d, it is there: %v\n%s", status, w.exists("far/"+wardHidden), p.sees())
	}
	p = sit(t, w.dir, w.env, "doctor")
	p.expect(prompt, 1)
	p.types("y\n")
	if status := p.leaves(); status != 0 || w.exists("far/"+wardHidden) || !w.exists("s/file") {
		t.Errorf("after a yes: status %d\n%s", status, p.sees())
	}
	out, err := w.command("log", "last", "--json").Output()
	if err != nil || !strings.Contains(string(out), `"source":"doctor"`) || !strings.Contains(string(out), `"operation":"delete"`) {
		t.Errorf("the journal does not tell: %v %s", err, out)
	}
}

func TestDoctorPutsBack(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.died("move", w.make(wardHidden, "x"), w.make("far/t", "old"), wardHidden)
	p := sit(t, w.dir, w.env, "doctor")
	p.expect("Put it back? Only y or yes means yes. "+prompt, 1)
	if !p.shows("ONLY COPY") {
		t.Errorf("it does not say so:\n%s", p.sees())
	}
	p.types("y\n")
	if status := p.leaves(); status != 0 || w.exists(wardHidden) || !w.exists("s/file") || !w.exists("far/t/file") {
		t.Errorf("status %d\n%s", status, p.sees())
	}
}

// TestDoctorAsksTheEngine has a hook that denies all removals: doctor's question
// overrides nothing.
func TestDoctorAsksTheEngine(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.died("copy", w.make("s", "x"), "", wardHidden)
	w.make("far/"+wardHidden, "x")
	hook := filepath.Join(filepath.Dir(w.dir), "deny.js")
	if err := os.WriteFile(hook, []byte(`return {decision: "deny", reason: "not today"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	p := sit(t, w.dir, w.env, "doctor", "--hooks", hook)
	p.expect(prompt, 1)
	p.types("y\n")
	if status := p.leaves(); status != statusFailed || !w.exists("far/"+wardHidden) || !p.shows("HOOK_DENIED") {
		t.Errorf("status %d\n%s", status, p.sees())
	}
}

// TestDoctorLooksAgain changes what is left over while the question stands.
func TestDoctorLooksAgain(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.died("copy", w.make("s", "x"), "", wardHidden)
	w.make("far/"+wardHidden, "x")
	p := sit(t, w.dir, w.env, "doctor")
	p.expect(prompt, 1)
	if err := os.RemoveAll(filepath.Join(w.dir, "s")); err != nil { // now the copy is the only one
		t.Fatal(err)
	}
	p.types("y\n")
	if status := p.leaves(); status != statusFailed || !w.exists("far/"+wardHidden) || !p.shows("changed meanwhile") {
		t.Errorf("status %d\n%s", status, p.sees())
	}
}

func (w *ward) command(args ...string) *exec.Cmd {
	cmd := exec.Command("codemode", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// TestDoctorChecks breaks what runs need, one thing at a time.
func TestDoctorChecks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, check, state, says string
		breaks                   func(w *ward, top string) error
	}{
		{"all is well", "journal", stateOK, "1 run", func(*ward, string) error { return nil }},
		{"an open journal", "journal", stateProblem, "chmod 700", func(_ *ward, top string) error { return os.Chmod(filepath.Join(top, "state/codemode"), 0o755) }},
		{"a file in its place", "journal", stateProblem, "no directory", func(_ *ward, top string) error {
			if err := os.RemoveAll(filepath.Join(top, "state/codemode")); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(top, "state/codemode"), nil, 0o600)
		}},
		{"broken settings", "settings", stateProblem, "config.toml", func(_ *ward, top string) error {
			if err := os.MkdirAll(filepath.Join(top, "config/codemode"), 0o755); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(top, "config/codemode/config.toml"), []byte("aprove = 1\n"), 0o644)
		}},
		{"no git", "git", stateWarning, "no git program", func(w *ward, top string) error {
			bin := filepath.Join(top, "bin")
			codemode, err := exec.LookPath("codemode")
			if err != nil {
				return err
			}
			w.env = append(w.env, "PATH="+bin)
			if err := os.Mkdir(bin, 0o755); err != nil {
				return err
			}
			return os.Symlink(codemode, filepath.Join(bin, "codemode"))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWard(t)
			w.died("copy", w.make("s", "x"), "", wardHidden)
			if err := tt.breaks(w, filepath.Dir(w.dir)); err != nil {
				t.Fatal(err)
			}
			cmd := w.command("doctor", "--json")
			out, err := cmd.Output()
			var d diagnosis
			if json.Unmarshal(out, &d) != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if (err != nil) != (tt.state == stateProblem) || d.OK != (err == nil) {
				t.Errorf("%v, %s", err, out)
			}
			for _, c := range d.Checks {
				if c.Name == tt.check && (c.State != tt.state || !strings.Contains(c.Detail, tt.says)) {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}

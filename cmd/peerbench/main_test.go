package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"codemode/runtime/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// peerbench runs the program and returns its status and what it says.
func peerbench(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = command(t.Context(), args, &out, &err)
	return status, out.String(), err.String()
}

// TestOneRound goes all the way once, where no peer can be had: the peers are
// named as missing, and everything of ours is measured.
func TestOneRound(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "report.json")
	status, stdout, stderr := peerbench(t, "--rounds", "1", "--wait", "0", "--offline", "--cache", t.TempDir(),
		"--only", "^empty script|^one awaited|^stuck loop|in-process$|^an awaited|^each of many", "--scale", "0.002", "--json", file, "--notes")
	if status != 0 {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	for _, want := range []string{
		"| empty script, whole process ", "missing: not in the cache", ", 1 rounds", "node -e ''", "20 ms",
		"isolated: codemode run --no-journal -e ''", // a note
		"Peers: pi-codemode missing: ",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Benches) != 7 || r.Rounds != 1 || r.Machine.Cores < 1 {
		t.Errorf("the file has %d benches of %d rounds on %v", len(r.Benches), r.Rounds, r.Machine)
	}
	for _, b := range r.Benches {
		for _, s := range b.Sides {
			if b.Missing == "" && s.Ours != (len(s.Samples) == 1 && s.Samples[0] > 0) {
				t.Errorf("%s, %s: samples %v, problem %q", b.Name, s.Name, s.Samples, s.Problem)
			}
		}
	}
}

// TestFilesOnce does a little of each kind of work with files, without a peer
// that has to be fetched. Benches with sandboxes of this process are left to
// TestOneRound, which makes sure that none is left over.
func TestFilesOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("file operations exist on Linux only")
	}
	file := filepath.Join(t.TempDir(), "report.json")
	status, stdout, stderr := peerbench(t, "--rounds", "1", "--scale", "0.002", "--wait", "0", "--offline", "--cache", t.TempDir(), "--images", t.TempDir(),
		"--only", "^(copy|delete|move|replace) (many small files|one file), tmpfs|^delete one file|^system calls|^peak memory|^next Git|^10,000 operations", "--json", file)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	r, err := readReport(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Benches) != 10 || r.Scale != 0.002 {
		t.Errorf("the file has %d benches of scale %v\n%s", len(r.Benches), r.Scale, stdout)
	}
	for _, b := range r.Benches {
		for _, s := range b.Sides {
			if b.Missing == "" && s.Ours && len(s.Samples) != 1 {
				t.Errorf("%s, %s: samples %v, problem %q", b.Name, s.Name, s.Samples, s.Problem)
			}
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args   string
		status int
		says   string
	}{
		{"--rounds 0", 2, "at least 1"},
		{"--scale 0", 2, "--scale"},
		{"--from nothing-of-that-name", 1, "nothing-of-that-name"},
		{"--only (", 2, "--only"},
		{"--only nothing-of-that-name", 2, "--list"},
		{"copy", 2, "unexpected argument"},
		{"--frobnicate", 2, "frobnicate"},
		{"--help", 0, "-rounds"},
		{"--list --only ^polyfills", 0, "polyfills, new process\npolyfills, in-process\n"},
	} {
		status, stdout, stderr := peerbench(t, strings.Fields(test.args)...)
		if status != test.status || !strings.Contains(stdout+stderr, test.says) {
			t.Errorf("%s: status %d\n%s%s", test.args, status, stdout, stderr)
		}
	}
}

func TestBenchesAreWellFormed(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, b := range append(benches(), longBenches()...) {
		if err := b.check(); err != nil {
			t.Error(err)
		}
		if names[b.name] {
			t.Errorf("two benches are called %q", b.name)
		}
		names[b.name] = true
	}
}

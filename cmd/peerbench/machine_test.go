package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	t.Parallel()
	before, ok := parseTicks("cpu  100 0 50 800 50 0 0 0 7 0")
	after, again := parseTicks("cpu  110 0 60 860 70 0 0 0 9 0")
	if !ok || !again || before.all != 1000 || after.all != 1100 {
		t.Fatalf("read %v %v", before, after)
	}
	if busy := before.busyUntil(after); busy < 0.199 || busy > 0.201 {
		t.Errorf("busy for %v of the time", busy)
	}
	if after.busyUntil(before) != 0 || before.busyUntil(before) != 0 {
		t.Error("busy in no time")
	}
	for _, line := range []string{"", "cpu0 1 2 3 4 5 6 7 8", "cpu a b c d e", "cpu 1 2"} {
		if _, ok := parseTicks(line); ok {
			t.Errorf("%q was read", line)
		}
	}
}

func TestChildOf(t *testing.T) {
	t.Parallel()
	for stat, want := range map[string]bool{
		"12 (node) S 7 12 12 0": true, "12 (a ) R 7 (b) S 7 1": true, "12 (a ) R 7 (b) S 8 1": false, "12 (x) S 70 1": false, "": false,
	} {
		if pid, ok := childOf(7, stat); ok != want || ok && pid != 12 {
			t.Errorf("%q: %d, %v", stat, pid, ok)
		}
	}
}

func TestMissingPeers(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	if _, err := installNPM(t.Context(), cache, true, "a@1.0.0"); err == nil {
		t.Error("something was fetched without a network")
	}
	if _, err := installDebian(t.Context(), cache, true, "a"); err == nil {
		t.Error("a package was fetched without a network")
	}
	if left, _ := os.ReadDir(cache); len(left) > 0 {
		t.Errorf("%v is left in the cache", left)
	}
	if err := npmFailure(errors.New("exit status 1"), []byte("npm error code E404\nnpm error 404 Not Found")); err.Error() != "npm cannot install it: E404" {
		t.Error(err)
	}
	if err := npmFailure(errors.New("killed"), nil); err.Error() != "npm cannot install it: killed" {
		t.Error(err)
	}
	dir := filepath.Join(cache, "npm-0c1a")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if installed(dir) {
		t.Error("an empty folder counts as installed")
	}
	name, program := nodePackage()
	if !strings.HasPrefix(name, "node-") || !strings.Contains(program, "node") {
		t.Errorf("Node.js would be %s of %s", program, name)
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, text := range []string{"one", "one", "two"} {
		if err := place(filepath.Join(dir, "a.mjs"), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "a.mjs")); string(got) != text {
			t.Errorf("the file has %q, not %q", got, text)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("there are %v", files)
	}
}

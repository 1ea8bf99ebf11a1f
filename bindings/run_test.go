package bindings_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
)

// newSession starts a session in a fresh directory that approves everything.
func newSession(t *testing.T, change ...func(*ops.Config)) (*ops.Session, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cfg := ops.Config{Dir: dir, Approve: func(context.Context, policy.Question) (bool, error) { return true, nil }}
	for _, c := range change {
		c(&cfg)
	}
	s, err := ops.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, dir
}

// write makes files with parents; a name with a slash at its end is a directory.
func write(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if name[len(name)-1] == '/' {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("content of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

func run(t *testing.T, s *ops.Session, source string) bindings.Report {
	t.Helper()
	return bindings.Run(context.Background(), s, bindings.Options{
		Script: runtime.Script{Source: source}, Timeout: 20 * time.Second, RunID: "r1",
	})
}

func TestResolvesToTheReceipt(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "a")
	r := run(t, s, `return await tools.move({path: 'a', target: 'new/b'})`)
	if !r.OK || len(r.Operations) != 1 || !exists(dir, "new/b") {
		t.Fatalf("got %+v %v", r, r.Error)
	}
	want, _ := json.Marshal(r.Operations[0])
	var a, b any
	json.Unmarshal(want, &a)
	json.Unmarshal(r.Value, &b)
	got, _ := json.Marshal(b)
	want, _ = json.Marshal(a)
	if string(got) != string(want) {
		t.Errorf("script saw\n%s\nreport has\n%s", got, want)
	}
}

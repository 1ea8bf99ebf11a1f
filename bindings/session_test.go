package bindings_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// want fails the test unless a script's value is the JSON text want.
func want(t *testing.T, r bindings.Report, want string) {
	t.Helper()
	if !r.OK {
		t.Errorf("the run failed: %s %s\n%s", r.Error.Kind, r.Error.Message, r.Error.Stack)
		return
	}
	if string(r.Value) != want {
		t.Errorf("the script returned\n%s\nwant\n%s", r.Value, want)
	}
}

// effects is what became of the operations: "1 delete applied, 2 copy not-applied ABORTED".
func effects(r bindings.Report) string {
	var list []string
	for _, op := range r.Operations {
		text := fmt.Sprintf("%d %s %s", op.Seq, op.Operation, op.Effect)
		if op.Error != nil {
			text += " " + string(op.Error.Code)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

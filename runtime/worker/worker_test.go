package worker_test

import (
	"context"
	"os"
	"testing"

	"codemode/runtime"
	"codemode/runtime/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	if part := os.Getenv(partEnv); part != "" {
		parts[part]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// partEnv has this test binary play one of parts: a program of its own.
const partEnv = "CODEMODE_WORKER_PART"

var parts = map[string]func(){}

// echo is a host whose tool echo returns its argument.
type echo struct{}

func (echo) Tools() []runtime.Tool { return []runtime.Tool{{Name: "echo"}} }
func (echo) Call(ctx context.Context, c runtime.Call) runtime.Result {
	if ctx.Err() != nil {
		return runtime.Result{Err: &runtime.CallError{Message: "stopped", Props: []byte(`{"code":"ABORTED"}`)}}
	}
	return runtime.Result{Value: c.Args}
}
func (echo) Store(string, []byte) error { return nil }
func (echo) Load(string) ([]byte, bool) { return []byte("7"), true }

package worker_test

import (
	"context"
	"os"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

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

func TestFirst(t *testing.T) {
	list, err := worker.Protections()
	t.Log(list, err)
	pool := worker.New(worker.Config{})
	defer pool.Close()
	for range 3 {
		r := runtime.Run(context.Background(), runtime.Script{Source: "text('hi'); store('a', 1); return [await tools.echo({a: 1}), load('a')]"}, echo{}, runtime.Options{Engine: pool, Deadline: runtime.NewDeadline(5 * time.Second)})
		t.Log(string(r.Value), r.Error, r.Output, r.Duration)
	}
	r := runtime.Run(context.Background(), runtime.Script{Source: "let a=[];a.length=2**32-1; String(a).length"}, echo{}, runtime.Options{Engine: pool, Deadline: runtime.NewDeadline(200 * time.Millisecond)})
	t.Log(string(r.Value), r.Error, r.Output, r.Duration)
	r = runtime.Run(context.Background(), runtime.Script{Source: "'x'.repeat(2**31)"}, echo{}, runtime.Options{Engine: pool, Deadline: runtime.NewDeadline(2000 * time.Millisecond)})
	t.Log(string(r.Value), r.Error, r.Output, r.Duration)
	r = runtime.Run(context.Background(), runtime.Script{Source: "function*g(){yield* g()};[...g()]"}, echo{}, runtime.Options{Engine: pool, Deadline: runtime.NewDeadline(2000 * time.Millisecond)})
	t.Log(string(r.Value), r.Error, r.Output, r.Duration)
}

package runtime_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// A call that lasts keeps nobody from hearing what the script does meanwhile, nor
// from hearing that it ends.
func TestHearsDuringACall(t *testing.T) {
	t.Parallel()
	t.Run("output", func(t *testing.T) {
		t.Parallel()
		shown := make(chan struct{})
		h := &fakeHost{answer: func(_ context.Context, c runtime.Call) runtime.Result {
			if string(c.Args) == `{"last":true}` {
				<-shown
			}
			return runtime.Result{Value: c.Args}
		}}
		r := execute(t.Context(), runtime.Script{Source: `
			for (let i = 0; i < 3; i++) await tools.echo({i});
			const last = tools.echo({last: true});
			await new Promise(resolve => setTimeout(resolve, 5));
			console.log('meanwhile');
			store('a', load('b') ?? 1);
			await last;
			for (let i = 0; i < 3; i++) await tools.echo({i});`,
		}, h, runtime.Options{OnOutput: func(runtime.Output) { close(shown) }, Deadline: runtime.NewDeadline(20 * time.Second)})
		if !r.OK || len(h.calls) != 7 {
			t.Errorf("%v, %d calls", r.Error, len(h.calls))
		}
	})
	t.Run("stop", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		h := &fakeHost{answer: func(ctx context.Context, c runtime.Call) runtime.Result {
			time.AfterFunc(10*time.Millisecond, cancel)
			<-ctx.Done()
			return runtime.Result{Value: c.Args}
		}}
		r := execute(ctx, runtime.Script{Source: `await tools.echo({}); await tools.echo({})`}, h, runtime.Options{})
		begun := slices.DeleteFunc(h.calls, func(call string) bool { return strings.HasPrefix(call, "!") })
		if r.OK || r.Error.Kind != runtime.KindAborted || len(begun) != 1 {
			t.Errorf("%v, %q", r.Error, begun)
		}
	})
	t.Run("end", func(t *testing.T) {
		t.Parallel()
		h := &fakeHost{answer: func(ctx context.Context, c runtime.Call) runtime.Result {
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
			return runtime.Result{Value: c.Args}
		}}
		r := execute(t.Context(), runtime.Script{Source: `tools.echo({}); await null; throw new Error('enough')`}, h, runtime.Options{})
		if r.OK || r.Error.Kind != runtime.KindScript {
			t.Errorf("%v", r.Error)
		}
	})
}

package worker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"

	"golang.org/x/sys/unix"
)

// A watcher is a host that looks on which processors its calls may run.
type watcher struct {
	echo
	bound int
	pause int // this call lasts
	calls int
}

func (w *watcher) Call(ctx context.Context, c runtime.Call) runtime.Result {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) == nil && set.Count() < 2 {
		w.bound++
	}
	if w.calls++; w.calls == w.pause {
		time.Sleep(20 * time.Millisecond)
	}
	return w.echo.Call(ctx, c)
}

// Whatever is done for quick turns, no call runs on a thread that is bound to one
// processor: it might start a program, which would be bound, too.
func TestCallsAreNotBound(t *testing.T) {
	t.Parallel()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil || set.Count() < 2 {
		t.Skip("there is one processor")
	}
	pool := worker.New(worker.Config{})
	defer pool.Close()
	w := &watcher{pause: 250}
	script := fmt.Sprintf("for (let i = 0; i < %d; i++) { await tools.echo({}); if (i === 400) for (let n = 0; n < 1e6; n++); }", 500)
	if r := runtime.Run(t.Context(), runtime.Script{Source: script}, w, runtime.Options{Engine: pool}); !r.OK {
		t.Fatal(r.Error)
	}
	if w.calls != 500 || w.bound > 0 {
		t.Errorf("%d of %d calls ran on a bound thread", w.bound, w.calls)
	}
}

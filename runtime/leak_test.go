package runtime_test

import (
	"context"
	stdruntime "runtime"
	"sync"
	"testing"
	"time"

	"codemode/runtime"
)

// TestManyRuns holds that runs share nothing and leave nothing behind, however
// they end.
func TestManyRuns(t *testing.T) {
	before := stdruntime.NumGoroutine()
	var group sync.WaitGroup
	for n := range 60 {
		group.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			source := "globalThis.mine = 1; Object.prototype.mine = 1; await tools.echo({n: 1}); return 'ok'"
			switch n % 4 {
			case 1:
				source = "if (typeof mine !== 'undefined' || ({}).mine) throw new Error('shared'); return 'ok'"
			case 2:
				source = "setInterval(() => {}, 1); await new Promise(() => {})"
				time.AfterFunc(20*time.Millisecond, cancel)
			case 3:
				source = "for (;;) await tools.echo({})"
				time.AfterFunc(20*time.Millisecond, cancel)
			}
			r := execute(ctx, runtime.Script{Source: source}, &fakeHost{}, runtime.Options{Deadline: runtime.NewDeadline(time.Minute), Memory: 1 << 30})
			if n%4 < 2 && string(r.Value) != `"ok"` || n%4 >= 2 && (r.OK || r.Error.Kind != "aborted") {
				t.Errorf("%s: %s %+v", source, r.Value, r.Error)
			}
		})
	}
	group.Wait()
	for range 100 {
		if stdruntime.NumGoroutine() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, stdruntime.NumGoroutine())
}

package worker_test

import (
	"context"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// BenchmarkStuck is how long it takes from the cancellation of a run to its
// report, when nothing is left of the child.
func BenchmarkStuck(b *testing.B) {
	for _, script := range []struct{ name, source string }{
		{"loop", "while (true) {}"},
		{"builtin", "let a = []; a.length = 2**31; a.join('')"},
	} {
		b.Run(script.name, func(b *testing.B) {
			pool := worker.New(worker.Config{})
			defer pool.Close()
			var took time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(context.Background())
				var decided time.Time
				time.AfterFunc(40*time.Millisecond, func() {
					decided = time.Now()
					cancel()
				})
				r := runtime.Run(ctx, runtime.Script{Source: script.source}, echo{}, runtime.Options{Engine: pool})
				took += time.Since(decided)
				cancel()
				if r.OK || r.Error.Kind != runtime.KindAborted {
					b.Fatal(r.Error)
				}
			}
			b.ReportMetric(float64(took.Microseconds())/1000/float64(b.N), "ms/stop")
		})
	}
}

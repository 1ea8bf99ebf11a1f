package worker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

func benchmark(b *testing.B, engine runtime.Engine, source string, calls int) {
	for b.Loop() {
		if r := runtime.Run(context.Background(), runtime.Script{Source: source}, echo{}, runtime.Options{Engine: engine}); !r.OK {
			b.Fatal(r.Error)
		}
	}
	if calls > 0 {
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(calls), "µs/call")
	}
}

// BenchmarkCold is a run that starts its child: process, engine, an empty script,
// report, and nothing left of the child.
func BenchmarkCold(b *testing.B) {
	pool := worker.New(worker.Config{})
	defer pool.Close()
	benchmark(b, pool, "", 0)
}

// BenchmarkSpare is a run that finds a child started ahead. The pause in which
// the pool starts the next one does not count.
func BenchmarkSpare(b *testing.B) {
	pool := worker.New(worker.Config{Spares: 1})
	defer pool.Close()
	for b.Loop() {
		b.StopTimer()
		time.Sleep(15 * time.Millisecond)
		b.StartTimer()
		if r := runtime.Run(context.Background(), runtime.Script{}, echo{}, runtime.Options{Engine: pool}); !r.OK {
			b.Fatal(r.Error)
		}
	}
}

// BenchmarkInProcess is a run without a child.
func BenchmarkInProcess(b *testing.B) { benchmark(b, nil, "", 0) }

const awaited = 5000

var awaitedCalls = fmt.Sprintf("for (let i = 0; i < %d; i++) await tools.echo({path: 'src/a.ts', target: 'src/b.ts'})", awaited)

// BenchmarkCallIsolated is the cost of one awaited call to a child.
func BenchmarkCallIsolated(b *testing.B) {
	pool := worker.New(worker.Config{})
	defer pool.Close()
	benchmark(b, pool, awaitedCalls, awaited)
}

// BenchmarkCallInProcess is that of one in this process.
func BenchmarkCallInProcess(b *testing.B) { benchmark(b, nil, awaitedCalls, awaited) }

// BenchmarkPolyfillsCold is a run that starts its child and mentions some of the
// polyfills, which are compiled in each child anew.
func BenchmarkPolyfillsCold(b *testing.B) {
	for _, script := range []struct{ name, source string }{
		{"none", ""},
		{"common", "void [structuredClone, URL, TextEncoder, AbortController, Object.groupBy]"},
		{"all", "eval('')"},
	} {
		b.Run(script.name, func(b *testing.B) {
			pool := worker.New(worker.Config{})
			defer pool.Close()
			benchmark(b, pool, script.source, 0)
		})
	}
}

package runtime_test

import (
	"context"
	"fmt"
	"testing"

	"codemode/runtime"
)

func benchmark(b *testing.B, source string) {
	b.ReportAllocs()
	h := &fakeHost{answer: func(_ context.Context, c runtime.Call) runtime.Result { return runtime.Result{Value: c.Args} }}
	for b.Loop() {
		h.calls = h.calls[:0]
		if r := runtime.Run(context.Background(), runtime.Script{Source: source}, h, runtime.Options{}); !r.OK {
			b.Fatal(r.Error)
		}
	}
}

// BenchmarkEmptyScript is the cost of a run: engine, globals, report.
func BenchmarkEmptyScript(b *testing.B) { benchmark(b, "") }

// BenchmarkAwaitedCalls is that and a thousand calls, each awaited.
func BenchmarkAwaitedCalls(b *testing.B) {
	const calls = 1000
	benchmark(b, fmt.Sprintf("for (let i = 0; i < %d; i++) await tools.move({path: 'src/a.ts', target: 'src/b.ts'})", calls))
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/calls, "µs/call")
}

// BenchmarkEmptyCalls is a thousand calls that pass nothing, each awaited.
func BenchmarkEmptyCalls(b *testing.B) {
	const calls = 1000
	benchmark(b, fmt.Sprintf("for (let i = 0; i < %d; i++) await tools.move({})", calls))
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/calls, "µs/call")
}

// BenchmarkLargeResult is a listing of a thousand entries that enters the engine.
func BenchmarkLargeResult(b *testing.B) {
	list := []byte(`{"entries":[`)
	for i := range 1000 {
		if i > 0 {
			list = append(list, ',')
		}
		list = fmt.Appendf(list, `{"name":"file%d.ts","path":"src/file%d.ts","kind":"file","size":%d,"mode":420,"mtime":"2026-01-01T00:00:00Z"}`, i, i, i)
	}
	list = append(list, "]}"...)
	h := &fakeHost{answer: func(context.Context, runtime.Call) runtime.Result { return runtime.Result{Value: list} }}
	b.ReportAllocs()
	for b.Loop() {
		if r := runtime.Run(context.Background(), runtime.Script{Source: "return (await tools.echo({})).entries.length"}, h, runtime.Options{}); string(r.Value) != "1000" {
			b.Fatal(r.Error)
		}
	}
}

func runBench(b *testing.B, h runtime.Host, source string) {
	if r := runtime.Run(context.Background(), runtime.Script{Source: source}, h, runtime.Options{}); !r.OK {
		b.Fatal(r.Error)
	}
}

package runtime_test

import (
	"context"
	stdruntime "runtime"
	"testing"

	"codemode/runtime"
)

// BenchmarkIdleInProcess says what a run in this process holds while its script
// waits for a tool. Of one in a process of its own worker.BenchmarkIdle says it.
func BenchmarkIdleInProcess(b *testing.B) {
	const runs = 16
	for b.Loop() {
		before := liveBytes()
		waiting, release, ended := make(chan struct{}), make(chan struct{}), make(chan runtime.Report)
		answer := func(context.Context, runtime.Call) runtime.Result {
			waiting <- struct{}{}
			<-release
			return runtime.Result{}
		}
		for range runs {
			go func() {
				host := &fakeHost{answer: answer}
				ended <- runtime.Run(context.Background(), runtime.Script{Source: "await tools.echo({})"}, host, runtime.Options{})
			}()
		}
		for range runs {
			<-waiting
		}
		b.ReportMetric(float64(liveBytes()-before)/1024/runs, "KB/sandbox")
		close(release)
		for range runs {
			if r := <-ended; !r.OK {
				b.Fatal(r.Error)
			}
		}
	}
}

// liveBytes is what the heap and the stacks hold after a collection.
func liveBytes() uint64 {
	stdruntime.GC()
	stdruntime.GC() // what pools and finalizers let go
	var m stdruntime.MemStats
	stdruntime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

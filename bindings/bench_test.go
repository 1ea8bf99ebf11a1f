package bindings_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	stdruntime "runtime"
	"runtime/metrics"
	"testing"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/journal"
	"codemode/ops/policy"
	"codemode/runtime"
	"codemode/runtime/worker"
)

// BenchmarkOperations is the cost of one operation in a script that does many:
// it does not grow with their number, and hardly with a journal. What a run keeps
// of each until its end is the receipt.
func BenchmarkOperations(b *testing.B) {
	pool := worker.New(worker.Config{})
	b.Cleanup(pool.Close)
	for _, kind := range []struct {
		name, body string
	}{
		{"move", "await tools.move({path: i % 2 ? 'b' : 'a', target: i % 2 ? 'a' : 'b'})"},
		{"edit", "await tools.edit({path: 'text', edits: [{find: `line ${i}`, replace: `line ${i + 1}`}]})"},
	} {
		for _, journaled := range []bool{false, true} {
			for _, isolated := range []bool{false, true} {
				for _, n := range []int{100, 10_000} {
					b.Run(fmt.Sprintf("%s/journal=%v/isolated=%v/n=%d", kind.name, journaled, isolated, n), func(b *testing.B) {
						var engine runtime.Engine
						if isolated {
							engine = pool
						}
						operations(b, fmt.Sprintf("for (let i = 0; i < %d; i++) %s", n, kind.body), n, journaled, engine)
					})
				}
			}
		}
	}
}

func operations(b *testing.B, source string, n int, journaled bool, engine runtime.Engine) {
	var kept uint64
	for b.Loop() {
		b.StopTimer()
		dir, err := filepath.EvalSymlinks(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range []string{"a", "text"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("line 0\n"), 0o644); err != nil {
				b.Fatal(err)
			}
		}
		cfg := ops.Config{Dir: dir, Approve: func(context.Context, policy.Question) (bool, error) { return true, nil }}
		if journaled {
			run, err := journal.Create(b.TempDir(), journal.Options{})
			if err != nil {
				b.Fatal(err)
			}
			cfg.Journal, cfg.JournalDir = run, filepath.Dir(run.Path())
		}
		s, err := ops.Open(cfg)
		if err != nil {
			b.Fatal(err)
		}
		before := live()
		b.StartTimer()
		r := bindings.Run(b.Context(), s, bindings.Options{Script: runtime.Script{Source: source}, Engine: engine})
		b.StopTimer()
		if !r.OK || len(r.Operations) != n {
			b.Fatalf("%+v, %d operations", r.Error, len(r.Operations))
		}
		if now := live(); now > before {
			kept += now - before
		}
		stdruntime.KeepAlive(r)
		s.Close()
		if cfg.Journal != nil {
			cfg.Journal.Close()
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000/float64(b.N)/float64(n), "µs/operation")
	b.ReportMetric(float64(kept)/float64(b.N)/float64(n), "B-kept/operation")
}

// live is how much of the heap is in use.
func live() uint64 {
	stdruntime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

package gitstate

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"
)

// large is a repository of 100,000 entries.
const large = `git init -q proj; cd proj
	b=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
	for d in $(seq -w 0 99); do for f in $(seq -w 0 999); do printf '100644 %s\tsome/directory-%s/that-has-a/rather-long-name/file-%s.go\n' $b $d $f; done; done | git update-index --index-info
	mkdir -p some/directory-50`

// free asks about a path that nothing tracks: every reader has to be through
// with the index before that can be said.
func (w *world) free(b *testing.B, in *Inspector) {
	path, from := w.path("proj/some-other"), w.path("proj")
	if v := in.Classify(context.Background(), path, false, from); v != (Verdict{Repository: from}) {
		b.Fatalf("%+v", v)
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkFirst is the first verdict on a repository of 100,000 entries, with
// everything in the page cache. In each turn it is measured beside the program
// that lists the same index, go-git's decoder, and what the small reader of
// names takes for itself. Medians of all turns are reported, and the best: on a
// machine that is shared, those had both processors.
func BenchmarkFirst(b *testing.B) {
	w := newWorld(b, large)
	data, err := os.ReadFile(w.path("proj/.git/index"))
	if err != nil {
		b.Fatal(err)
	}
	runs := []struct {
		name string
		run  func()
	}{
		{"verdict", func() { w.free(b, New(Options{})) }},
		{"ls-files", func() {
			if err := exec.Command("git", "-C", w.path("proj"), "ls-files", "-z").Run(); err != nil {
				b.Fatal(err)
			}
		}},
		{"go-git", func() {
			if _, err := decodeEntries(data); err != nil {
				b.Fatal(err)
			}
		}},
		{"scan", func() {
			if _, ok := scanIndex(withoutSum(data)); !ok {
				b.Fatal("refused")
			}
		}},
	}
	times := make([][]time.Duration, len(runs))
	for b.Loop() {
		for i, r := range runs {
			runtime.GC() // what the one before left is not this one's
			begin := time.Now()
			r.run()
			times[i] = append(times[i], time.Since(begin))
		}
	}
	for i, r := range runs {
		b.ReportMetric(float64(median(times[i]).Microseconds())/1000, r.name+"-ms")
		b.ReportMetric(float64(slices.Min(times[i]).Microseconds())/1000, r.name+"-best-ms")
	}
	b.ReportMetric(float64(median(times[1]))/float64(median(times[0])), "times-ls-files")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkVerdict is any verdict after the first: with an index that was left
// alone, and with one that was written in the last seconds. The processor's
// time is reported besides: on a machine that is shared it says more.
func BenchmarkVerdict(b *testing.B) {
	for name, setup := range map[string]string{
		"small":  `repo proj`,
		"large":  large,
		"linked": `repo main; git -C main worktree add -q -b w ../proj`,
	} {
		w := newWorld(b, setup)
		in := New(Options{})
		w.free(b, in)
		var file *input
		for _, s := range in.slots {
			file = s.inputs[0]
		}
		measure := func(name string, before func()) {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				begin := processorTime()
				for b.Loop() {
					before()
					w.free(b, in)
				}
				b.ReportMetric(float64((processorTime()-begin).Nanoseconds())/float64(b.N), "cpu-ns/op")
			})
		}
		measure(name+"/written just now", func() { file.settled = false })
		settle()
		for range 2 { // the first looks at what is settled now, the second keeps
			w.free(b, in)
		}
		measure(name+"/kept", func() {})
	}
}

// BenchmarkMemory is what an inspector holds of a repository of 100,000
// entries, and what is left when it is gone.
func BenchmarkMemory(b *testing.B) {
	w := newWorld(b, large)
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / 1e6
	}
	before := heap()
	for b.Loop() {
		in := New(Options{})
		w.free(b, in)
		b.ReportMetric(heap()-before, "held-MB")
		runtime.KeepAlive(in)
	}
	b.ReportMetric(heap()-before, "left-MB")
	b.ReportMetric(0, "ns/op")
}

package worker

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// BenchmarkIdle says what a spare that waits holds of the machine's memory.
func BenchmarkIdle(b *testing.B) {
	for b.Loop() {
		p, err := start(modeSpare, runtime.DefaultMemory)
		if err != nil {
			b.Fatal(err)
		}
		if err := p.greet(); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		time.Sleep(50 * time.Millisecond)
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.pid))
		if err != nil {
			b.Skip(err)
		}
		sizes := map[string]float64{}
		for line := range strings.Lines(string(text)) {
			var name string
			var size float64
			if n, _ := fmt.Sscanf(line, "%s %f kB", &name, &size); n == 2 {
				sizes[name] += size / 1024
			}
		}
		b.ReportMetric(sizes["Rss:"], "MB-resident")
		b.ReportMetric(sizes["Private_Dirty:"]+sizes["Private_Clean:"], "MB-private")
		p.Kill()
		p.Wait()
		b.StartTimer()
	}
}

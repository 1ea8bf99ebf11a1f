package runtime

import (
	stdruntime "runtime"
	"runtime/metrics"
	"time"
)

const (
	memoryInterval = 20 * time.Millisecond
	heapMetric     = "/memory/classes/heap/objects:bytes"
)

// A memoryWatch says when the heap of this process has grown too much.
type memoryWatch struct {
	reached <-chan struct{}
	ended   chan struct{}
}

// watchMemory begins to sample; with a limit of 0 it never reports anything.
func watchMemory(limit int64) *memoryWatch {
	w := &memoryWatch{ended: make(chan struct{})}
	if limit <= 0 {
		return w
	}
	reached := make(chan struct{})
	w.reached = reached
	allowed := heapBytes() + limit
	go func() {
		tick := time.NewTicker(memoryInterval)
		defer tick.Stop()
		for {
			select {
			case <-w.ended:
				return
			case <-tick.C:
			}
			if heapBytes() <= allowed {
				continue
			}
			stdruntime.GC() // what is only garbage does not count
			if heapBytes() > allowed {
				close(reached)
				return
			}
		}
	}()
	return w
}

func (w *memoryWatch) stop() { close(w.ended) }

func heapBytes() int64 {
	sample := []metrics.Sample{{Name: heapMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}

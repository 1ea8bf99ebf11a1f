package runtime

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	heapInterval = 5 * time.Millisecond
	liveMetric   = "/gc/heap/live:bytes"

	// A small heap may grow by four times itself between two collections, which
	// otherwise take a fifth of the time of a script that makes calls. One that is
	// larger is collected as often as any.
	smallHeap     = 8 << 20
	smallHeapRoom = 400 // per cent
	heapRoom      = 100
)

// watchHeap calls full when what the last collections found in use in this
// process is so much that it is about to run into its memory limit. It serves a
// process that runs one script at a time: the script can then be stopped where it
// is and say so, instead of dying. Whatever is faster than this meets the limit
// itself. It ends when over is closed.
func watchHeap(limit int64, over <-chan struct{}, full func()) {
	sample := []metrics.Sample{{Name: liveMetric}}
	small := true
	debug.SetGCPercent(smallHeapRoom)
	tick := time.NewTicker(heapInterval)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		metrics.Read(sample)
		if sample[0].Value.Kind() != metrics.KindUint64 {
			return
		}
		live := int64(sample[0].Value.Uint64())
		if small && live > smallHeap {
			small = false
			debug.SetGCPercent(heapRoom)
		}
		if live > limit {
			full()
			return
		}
	}
}

package runtime

import (
	"container/heap"
	"time"
)

// maxTimers is how many timers a script may have at once.
const maxTimers = 10_000

type timer struct {
	id    int64 // also the order of setting
	at    time.Time
	wait  time.Duration
	every time.Duration // 0 for a timer that fires once
	task  func()
}

// timerHeap orders timers by time and then by the order of setting.
type timerHeap []*timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].id < h[j].id
	}
	return h[i].at.Before(h[j].at)
}
func (h timerHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *timerHeap) Push(x any)   { *h = append(*h, x.(*timer)) }
func (h *timerHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}

// after sets a timer and returns its number, or 0 when there are too many. With
// repeat it fires again and again, each time d after it fired.
func (l *loop) after(d time.Duration, repeat bool, task func()) int64 {
	if len(l.timers) >= maxTimers {
		return 0
	}
	l.nextID++
	t := &timer{id: l.nextID, at: time.Now().Add(d), wait: d, task: task}
	if repeat {
		t.every = d
	}
	heap.Push(&l.timers, t)
	return t.id
}

// clear removes a timer; a number that names none is ignored.
func (l *loop) clear(id int64) {
	for i, t := range l.timers {
		if t.id == id {
			heap.Remove(&l.timers, i)
			return
		}
	}
}

// restart lets a timer wait anew.
func (l *loop) restart(id int64) {
	for i, t := range l.timers {
		if t.id == id {
			t.at = time.Now().Add(t.wait)
			heap.Fix(&l.timers, i)
			return
		}
	}
}

// fire takes the first timer off the heap, or sets it anew, and returns its task.
func (l *loop) fire() func() {
	t := l.timers[0]
	if t.every == 0 {
		heap.Pop(&l.timers)
	} else {
		t.at = time.Now().Add(t.every)
		heap.Fix(&l.timers, 0)
	}
	return t.task
}

package runtime

import (
	"sync"
	"time"
)

// A loop decides what the engine does next. It knows nothing of the engine.
//
// All tasks run on the one goroutine that calls [loop.next]; only that goroutine
// touches the engine, and each task is one visit to it. Two kinds of task exist:
//
//   - what came from outside, handed in with [loop.post] from any goroutine, in
//     the order it came;
//   - timers, set with [loop.after] from the loop's own goroutine, in the order
//     of their time, and of their setting where the times are equal.
//
// What is expected from outside is counted: [loop.expect] says that one more
// post will come, and each post makes it one less. So the loop knows when it
// waits for something that can never happen, which it reports as dry. That, and
// [loop.stop], are the only ways in which next returns without a task; stop
// wakes it at once and wins over everything that is ready.
type loop struct {
	mu      sync.Mutex
	inbox   []func()
	stopped bool
	wake    chan struct{} // holds one token when inbox or stopped changed

	// pull, where it is set, fetches what comes from outside: it posts at least
	// one task, or returns when wait is over (unless it is negative) or wake has
	// its token. Otherwise somebody else posts.
	pull func(wait time.Duration, wake <-chan struct{})

	expected int
	timers   timerHeap
	nextID   int64
}

// What next found.
type loopState int

const (
	loopReady   loopState = iota // a task
	loopDry                      // nothing to do, and nothing can come
	loopStopped                  // stop was called
)

func newLoop() *loop { return &loop{wake: make(chan struct{}, 1)} }

// renewed is a loop for another run of the same engine: timers keep their own
// numbers, lest an old one be taken for a new one.
func (l *loop) renewed() *loop {
	next := newLoop()
	next.pull, next.nextID = l.pull, l.nextID
	return next
}

// post hands in a task that was expected.
func (l *loop) post(task func()) {
	l.mu.Lock()
	l.inbox = append(l.inbox, task)
	l.mu.Unlock()
	l.signal()
}

// stop ends the loop for good.
func (l *loop) stop() {
	l.mu.Lock()
	l.stopped = true
	l.mu.Unlock()
	l.signal()
}

func (l *loop) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// expect announces one post.
func (l *loop) expect() { l.expected++ }

// next waits for the next task.
func (l *loop) next() (func(), loopState) {
	for {
		l.mu.Lock()
		if l.stopped {
			l.mu.Unlock()
			return nil, loopStopped
		}
		if len(l.inbox) > 0 {
			task := l.inbox[0]
			l.inbox[0] = nil
			l.inbox = l.inbox[1:]
			l.mu.Unlock()
			l.expected--
			return task, loopReady
		}
		l.mu.Unlock()

		if len(l.timers) == 0 {
			if l.expected == 0 {
				return nil, loopDry
			}
			if l.pull != nil {
				l.pull(-1, l.wake)
			} else {
				<-l.wake
			}
			continue
		}
		wait := time.Until(l.timers[0].at)
		if wait <= 0 {
			return l.fire(), loopReady
		}
		if l.pull != nil {
			l.pull(wait, l.wake)
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-l.wake:
			timer.Stop()
		}
	}
}

package runtime

import (
	"sync"
	"time"
)

// Deadline is the time that a run may take, counted from its start. It stands
// still while it is paused. All methods may be called from any goroutine.
type Deadline struct {
	total time.Duration

	mu      sync.Mutex
	left    time.Duration
	since   time.Time // when the clock last began to run
	paused  int
	started bool
	timer   *time.Timer
	expired chan struct{}
}

// NewDeadline returns a deadline for one run, which starts its clock.
func NewDeadline(d time.Duration) *Deadline {
	return &Deadline{total: d, left: d, expired: make(chan struct{})}
}

// Pause stops the clock, for instance while a person is asked. Each Pause needs
// its own [Deadline.Resume].
func (d *Deadline) Pause() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paused++
	if d.paused == 1 && d.started && d.timer.Stop() {
		d.left -= time.Since(d.since)
	}
}

// Resume lets the clock run on after the last [Deadline.Pause] was undone.
func (d *Deadline) Resume() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.paused == 0 {
		panic("runtime: Deadline.Resume without Pause")
	}
	d.paused--
	if d.paused == 0 && d.started {
		d.run()
	}
}

// start lets the clock run and returns the channel that is closed when the time
// is up.
func (d *Deadline) start() <-chan struct{} {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.started {
		d.started = true
		d.timer = time.AfterFunc(time.Hour, d.expire)
		d.timer.Stop()
		if d.paused == 0 {
			d.run()
		}
	}
	return d.expired
}

func (d *Deadline) run() {
	d.since = time.Now()
	d.timer.Reset(max(d.left, 0))
}

// expire runs on the timer's goroutine. A Pause may have come first.
func (d *Deadline) expire() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.paused > 0 {
		d.left = 0
		return
	}
	select {
	case <-d.expired:
	default:
		close(d.expired)
	}
}

// stop ends the clock's timer when its run is over.
func (d *Deadline) stop() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
}

package main

import (
	"context"
	"sync"
	"time"

	"codemode/ops"
)

// clock ends a context with [errDeadline] when its time is up. It stands still
// while a person is asked.
type clock struct {
	mu      sync.Mutex
	left    time.Duration
	since   time.Time
	stopped int
	timer   *time.Timer
}

// withClock gives ctx a deadline; 0 is none.
func withClock(ctx context.Context, d time.Duration) (context.Context, func()) {
	if d <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	c := &clock{left: d, since: time.Now()}
	c.timer = time.AfterFunc(d, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.stopped == 0 {
			cancel(errDeadline)
		}
	})
	return ops.WithClock(ctx, c.pause), func() {
		c.timer.Stop()
		cancel(nil)
	}
}

// pause stops the clock and returns what lets it go on.
func (c *clock) pause() (resume func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped++; c.stopped == 1 {
		c.timer.Stop()
		c.left -= time.Since(c.since)
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.stopped--; c.stopped == 0 {
			c.since = time.Now()
			c.timer.Reset(max(c.left, 0))
		}
	}
}

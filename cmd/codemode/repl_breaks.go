package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// breaks is how a prompt hears that what it does should stop: Ctrl-C ends the
// input that is being carried out, and SIGTERM or a hang-up the session.
//
// A second Ctrl-C while an operation is changing the disk stops waiting for it.
// What becomes of it is then unknown, and goes on as long as this process lives;
// nothing else may begin beside it. So the session ends with that.
type breaks struct {
	*stopping
	flight  *inFlight
	waiting func() // told of Ctrl-C while nothing is carried out

	mu        sync.Mutex
	cancel    context.CancelCauseFunc // of the input that is being carried out; nil: none is
	broken    bool                    // that one was interrupted
	abandoned chan struct{}
	gone      bool // abandoned is closed
}

// newBreaks begins to listen.
func newBreaks(s *screen) *breaks {
	ctx, cancel := context.WithCancelCause(context.Background())
	b := &breaks{flight: &inFlight{s: s, mute: !s.errTTY}, abandoned: make(chan struct{})}
	arrived, over := catch(), make(chan struct{})
	var once sync.Once
	b.stopping = &stopping{ctx: ctx, abandon: b.abandoned, release: func() {
		once.Do(func() {
			close(over)
			signal.Stop(arrived)
			cancel(nil)
		})
	}}
	b.waiting = func() { cancel(errInterrupted) }
	go func() {
		for {
			select {
			case sig := <-arrived:
				if sig == os.Interrupt {
					b.interrupt()
				} else {
					b.end(cancel)
				}
			case <-over:
				return
			}
		}
	}()
	return b
}

// interrupt is Ctrl-C.
func (b *breaks) interrupt() {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.cancel == nil:
		b.waiting()
	case !b.broken:
		b.broken = true
		b.cancel(errInterrupted)
		b.flight.interrupt()
	case b.flight.busy():
		b.abandonLocked()
	}
}

// end is a signal that ends the session. A second one stops waiting.
func (b *breaks) end(cancel context.CancelCauseFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ctx.Err() != nil {
		b.abandonLocked()
		return
	}
	cancel(errInterrupted)
	b.flight.interrupt()
	if b.cancel == nil {
		b.waiting()
	}
}

func (b *breaks) abandonLocked() {
	if !b.gone {
		b.gone = true
		close(b.abandoned)
	}
}

// gaveUp reports whether an operation was left on its way.
func (b *breaks) gaveUp() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.gone
}

// begin is the context of one input. It is to be ended by done.
func (b *breaks) begin() (ctx context.Context, done func()) {
	b.flight.again()
	ctx, cancel := context.WithCancelCause(b.ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cancel, b.broken = cancel, false
	return ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.cancel = nil
		cancel(nil)
	}
}

// onWaiting says what Ctrl-C does while nothing is carried out. By itself it ends
// the session.
func (b *breaks) onWaiting(do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = do
}

package runtime

import (
	"context"
	"errors"
	"sync"
)

// A dispatcher carries the script's calls to the host, one at a time and in the
// order in which the script made them. It decides which context each call gets,
// see [Host.Call].
type dispatcher struct {
	host   Host
	settle func(id uint64, r Result)

	ctx    context.Context // of calls that are carried out
	cancel context.CancelCauseFunc
	done   context.Context // of calls that are only recorded

	mu       sync.Mutex
	changed  sync.Cond
	queue    []announced
	released int    // how many of queue may be carried out
	settled  uint64 // the last call whose result was handed over
	seen     uint64 // the last call whose result the script is known to have had
	refusing bool   // the script failed or the run was stopped
	closed   bool   // no further call will be accepted
	left     bool   // nobody waits any longer
	idle     chan struct{}
}

type announced struct {
	id    uint64
	call  Call
	alone bool
}

var (
	errScriptFailed = errors.New("the script has failed before this call began")
	errRunStopped   = errors.New("the run was stopped")
)

func newDispatcher(ctx context.Context, host Host) *dispatcher {
	d := &dispatcher{host: host, idle: make(chan struct{})}
	d.changed.L = &d.mu
	d.ctx, d.cancel = context.WithCancelCause(ctx)
	done, cancel := context.WithCancelCause(ctx)
	cancel(errScriptFailed)
	d.done = done
	return d
}

// run is the goroutine on which the host is called. It ends when the dispatcher
// was closed and every call has been handed over.
func (d *dispatcher) run() {
	defer close(d.idle)
	for {
		next, ctx, ok := d.take()
		if !ok {
			return
		}
		result := d.host.Call(ctx, next.call)
		d.mu.Lock()
		d.settled = next.id
		d.mu.Unlock()
		d.settle(next.id, result)
	}
}

func (d *dispatcher) take() (announced, context.Context, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		switch {
		case d.left, d.closed && len(d.queue) == 0:
			return announced{}, nil, false
		case len(d.queue) > 0 && (d.refusing || d.closed || d.released > 0 && d.upToDate(d.queue[0])):
			next := d.queue[0]
			d.queue[0] = announced{}
			d.queue = d.queue[1:]
			d.released = max(d.released-1, 0)
			if d.refusing {
				return next, d.done, true
			}
			return next, d.ctx, true
		}
		d.changed.Wait()
	}
}

// upToDate reports whether the script has had every result when next begins, so
// that a failure which it does not handle comes before its next step.
func (d *dispatcher) upToDate(next announced) bool { return next.alone || d.settled <= d.seen }

// sawResult says that the script has had the result of a call.
func (d *dispatcher) sawResult(id uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen = max(d.seen, id)
	d.changed.Signal()
}

func (d *dispatcher) announce(id uint64, c Call, alone bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.queue = append(d.queue, announced{id, c, alone})
	if d.refusing {
		d.changed.Signal()
	}
}

func (d *dispatcher) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.released = len(d.queue)
	d.changed.Signal()
}

// refuse makes every call that has not begun one that is only recorded.
func (d *dispatcher) refuse() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refusing = true
	d.changed.Signal()
}

// stop refuses what has not begun and cancels what has.
func (d *dispatcher) stop() {
	d.refuse()
	d.cancel(errRunStopped)
}

// close accepts no further call. The channel is closed when all are done.
func (d *dispatcher) close() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.changed.Signal()
	return d.idle
}

// leave gives up on whatever is not done yet.
func (d *dispatcher) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed, d.left = true, true
	d.queue = nil
	d.changed.Signal()
	d.cancel(errRunStopped)
}

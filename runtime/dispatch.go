package runtime

import (
	"context"
	"errors"
	"sync"
)

// A dispatcher carries the script's calls to the host, one at a time and in the
// order in which the script made them. It decides which context each call gets,
// see [Host.Call].
//
// Whoever lets a call begin may carry it out there and then, if he has nothing
// better to do: passing it to another goroutine costs more than many a call. All
// others are carried out by the dispatcher's own goroutine, see [dispatcher.run].
type dispatcher struct {
	host   Host
	settle func(id uint64, r Result)

	ctx    context.Context // of calls that are carried out
	cancel context.CancelCauseFunc
	done   context.Context // of calls that are only recorded

	mu       sync.Mutex
	changed  sync.Cond
	queue    []announced
	room     []announced // for the queue, whenever it is empty
	released int         // how many of queue may be carried out
	settled  uint64      // the last call whose result was handed over
	seen     uint64      // the last call whose result the script is known to have had
	busy     bool        // somebody carries calls out
	refusing bool        // the script failed or the run was stopped
	closed   bool        // no further call will be accepted
	left     bool        // nobody waits any longer
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

// run carries out what nobody else does. It ends when the dispatcher was closed
// and every call has been handed over.
func (d *dispatcher) run() {
	defer close(d.idle)
	d.mu.Lock()
	for !d.over() {
		if !d.ready() {
			d.changed.Wait()
			continue
		}
		d.carryOut()
	}
	d.mu.Unlock()
}

// over reports whether nothing is left to do. The dispatcher is locked here and
// in what follows.
func (d *dispatcher) over() bool {
	return d.left || d.closed && len(d.queue) == 0 && !d.busy
}

// ready reports whether a call may begin.
func (d *dispatcher) ready() bool {
	return !d.busy && !d.left && len(d.queue) > 0 &&
		(d.refusing || d.closed || d.released > 0 && d.upToDate(d.queue[0]))
}

// proceed has the calls begin that may begin: on this goroutine, which then
// returns when they are done, if it is given here for that.
func (d *dispatcher) proceed(here bool) {
	switch {
	case !d.ready():
	case here:
		d.carryOut()
		if d.over() {
			d.changed.Signal()
		}
	default:
		d.changed.Signal()
	}
}

// carryOut carries calls out until none may begin. The dispatcher is unlocked
// meanwhile, and stays so when one panics.
func (d *dispatcher) carryOut() {
	for d.ready() {
		next := d.queue[0]
		d.queue[0] = announced{}
		d.queue = d.queue[1:]
		if len(d.queue) == 0 {
			d.queue = d.room[:0]
		}
		d.released = max(d.released-1, 0)
		ctx := d.ctx
		if d.refusing {
			ctx = d.done
		}
		d.busy = true
		d.mu.Unlock()
		result := d.host.Call(ctx, next.call)
		d.mu.Lock()
		d.settled = next.id
		d.mu.Unlock()
		d.settle(next.id, result)
		d.mu.Lock()
		d.busy = false
	}
}

// upToDate reports whether the script has had every result when next begins, so
// that a failure which it does not handle comes before its next step.
func (d *dispatcher) upToDate(next announced) bool { return next.alone || d.settled <= d.seen }

// sawResult says that the script has had the result of a call. Here is as in
// [dispatcher.proceed].
func (d *dispatcher) sawResult(id uint64, here bool) {
	d.mu.Lock()
	d.seen = max(d.seen, id)
	d.proceed(here)
	d.mu.Unlock()
}

func (d *dispatcher) announce(id uint64, c Call, alone bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	if d.queue == nil {
		d.queue = make([]announced, 0, 8)
		d.room = d.queue
	}
	d.queue = append(d.queue, announced{id, c, alone})
	if d.refusing {
		d.changed.Signal()
	}
}

// release lets the calls announced so far begin. Here is as in
// [dispatcher.proceed].
func (d *dispatcher) release(here bool) {
	d.mu.Lock()
	d.released = len(d.queue)
	d.proceed(here)
	d.mu.Unlock()
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

package runtime

import (
	"sync/atomic"
	"time"
)

// reliefAfter is how long the reader of a [remote] may be busy before another
// goroutine reads on; it may be as long again before that is noticed.
const reliefAfter = 2 * time.Millisecond

// A relief watches a goroutine that reads and sometimes does something else
// meanwhile. When that lasts, it calls come on a goroutine of its own, which is
// the reader then. Watching costs the reader next to nothing: there is no timer
// for each thing that it does, but one that looks now and then whether it is
// still at the same.
type relief struct {
	come func()

	turn     atomic.Uint64 // odd while the reader is busy; no number comes twice
	watching atomic.Bool
	last     uint64 // turn when it was looked at last; of watch alone
}

// begin says that the reader is busy from now on.
func (r *relief) begin() (turn uint64) {
	turn = r.turn.Add(1)
	if !r.watching.Load() && r.watching.CompareAndSwap(false, true) {
		time.AfterFunc(reliefAfter, r.watch)
	}
	return turn
}

// end says that the goroutine which began a turn is no longer busy, and reports
// whether another one reads now.
func (r *relief) end(turn uint64) (relieved bool) {
	return !r.turn.CompareAndSwap(turn, turn+1)
}

// watch looks what has become of the turn that it saw last. It ends when nothing
// happens any more, and whoever begins the next turn starts it again.
func (r *relief) watch() {
	turn := r.turn.Load()
	busy := turn%2 == 1
	if busy && turn == r.last && r.turn.CompareAndSwap(turn, turn+1) {
		go r.come()
	}
	idle := !busy && turn == r.last
	r.last = turn
	if idle {
		r.watching.Store(false)
		if r.turn.Load() == turn || !r.watching.CompareAndSwap(false, true) {
			return
		}
	}
	time.AfterFunc(reliefAfter, r.watch)
}

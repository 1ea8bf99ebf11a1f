package runtime

import (
	"context"
	"sync"
)

// A Session is a series of runs in one engine: what one run declares at its top
// level, or leaves in global variables, the next finds there. Names may be
// declared again. Runs of a session follow one another; their host, deadline and
// output are each their own, while the engine's memory limit is that of the
// first. Timers end with the run that set them, and imported files are read anew
// by each.
//
// An engine that could not be stopped in time, that reached its memory limit or
// that failed is given up, see [Report.Lost]; the next run gets a new one.
type Session struct {
	turn chan struct{} // held by the run under way

	mu     sync.Mutex
	kept   keptHalf // between runs
	runs   byte
	closed bool
}

// A keptHalf is the engine's half of a run that can serve another.
type keptHalf interface {
	half
	// again readies it for the run of a job.
	again(j job, host upward)
	// discard leaves nothing of it.
	discard()
}

// NewSession returns a session, which is to be closed. Its engine is made by its
// first run.
func NewSession() *Session { return &Session{turn: make(chan struct{}, 1)} }

// Close gives up the engine. A run under way goes on to its end.
func (s *Session) Close() {
	s.mu.Lock()
	kept := s.kept
	s.kept, s.closed = nil, true
	s.mu.Unlock()
	if kept != nil {
		kept.discard()
	}
}

// begin waits until no other run of the session is under way, and numbers this
// one.
func (s *Session) begin(ctx context.Context) (run byte, err error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs++
	return s.runs, nil
}

// engine is what the last run has left, if anything. It may be called on nil.
func (s *Session) engine() keptHalf {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.kept
	s.kept = nil
	return kept
}

// end lets the next run begin, with the engine of this one if it is of use.
func (s *Session) end(engine keptHalf, useful bool) (lost bool) {
	s.mu.Lock()
	lost = engine != nil && !useful
	if useful && !s.closed {
		s.kept, engine = engine, nil
	}
	s.mu.Unlock()
	if engine != nil {
		engine.discard()
	}
	<-s.turn
	return lost
}

// useful reports whether an engine that ended like this can serve another run.
func (o outcome) useful() bool {
	return !o.Spent && (o.Err == nil || o.Err.Kind != KindMemory && o.Err.Kind != KindSandbox)
}

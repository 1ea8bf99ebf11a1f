package runtime

import (
	"sync"

	"github.com/dop251/goja"
)

// A sandbox is the engine's half of a run: one engine, its loop, and the
// script's globals. It is the host's [downward].
type sandbox struct {
	mu       sync.Mutex
	vm       *engine // for stop, which comes from another goroutine
	halted   bool
	stopped  chan struct{} // closed when the run is to stop
	direct   uint64        // the call whose result is waited for in place, or 0
	directly chan<- Result
	ended    bool    // the run is over: there is nothing to stop
	early    int     // the run that is to be stopped and has not begun, or -1
	warm     *engine // one made ahead, or nil

	// Of the engine, as long as it lives:
	*engine
	ready     bool              // its globals are defined
	names     map[string]string // real names of files, by what the engine shows
	places    places
	clock     clock
	part      *goja.Object // what the polyfills are given
	made      polyfills
	seen      polyfills // mentioned so far
	lastCall  uint64
	console   console
	inspectFn *goja.Object // util.inspect
	timeout   *goja.Object // the prototype of timers, see timerOf
	lastKept  bool         // the session declares `_` itself

	// Of the run:
	job     job
	host    upward
	loop    *loop
	unit    *unit
	modules modules
	body    *goja.Promise
	exited  bool

	lends  bool // the host may use this goroutine for calls
	relief relief

	completion goja.Value // what an interactive script came to; nil: nothing yet

	pending  map[uint64]pendingCall
	waiting  int    // calls announced and not released
	answered uint64 // the call whose result the script has just had; 0 for none
}

// pendingCall is the script's side of a call that the host has not answered.
type pendingCall struct {
	resolve, reject func(any) error
	stack           []goja.StackFrame // where the script made it
}

// What the engine is interrupted with.
type interruption string

const (
	stopSignal interruption = "stop"
	exitSignal interruption = "exit"
)

func newSandbox(j job, host upward) *sandbox {
	s := &sandbox{loop: newLoop(), names: map[string]string{}, early: -1}
	s.again(j, host)
	return s
}

// again readies the sandbox for a run, the first or another one of its session.
func (s *sandbox) again(j job, host upward) {
	if j.Script.Name == "" {
		j.Script.Name = "script.js"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.job, s.host = j, host
	s.loop = s.loop.renewed()
	s.unit, s.body, s.exited, s.completion = nil, nil, false, nil
	s.pending, s.waiting, s.answered = map[uint64]pendingCall{}, 0, 0
	s.ended, s.stopped = false, make(chan struct{})
	s.halted = s.early == int(j.Run)
	s.early = -1
	if s.vm == nil {
		return
	}
	clear(s.vm.rejected)
	if s.halted {
		s.halt()
	} else {
		s.vm.ClearInterrupt()
		s.vm.halting.Store(false)
	}
}

// discard has nothing to do: nothing of a sandbox lives outside it.
func (s *sandbox) discard() {}

func (s *sandbox) settle(id uint64, r Result) {
	s.mu.Lock()
	if s.direct == id && id != 0 {
		s.directly <- r
		s.mu.Unlock()
		return
	}
	loop := s.loop
	s.mu.Unlock()
	loop.post(func() { s.answer(id, r) })
}

func (s *sandbox) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.halt()
}

// interrupt stops a run, which may be over already or not have begun, and reports
// whether it is the one under way.
func (s *sandbox) interrupt(run byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.job.Run != run {
		s.early = int(run)
		return false
	}
	s.halt()
	return true
}

// halt makes the engine stop. The sandbox is locked.
func (s *sandbox) halt() {
	if s.ended {
		return
	}
	select {
	case <-s.stopped:
	default:
		close(s.stopped)
	}
	s.halted = true
	s.loop.stop()
	if s.vm != nil {
		s.vm.Interrupt(stopSignal)
		s.vm.halting.Store(true)
	}
}

package runtime

import (
	"errors"
	"slices"
	"sync"

	"codemode/ops/plain"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
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
	ready    bool              // its globals are defined
	names    map[string]string // real names of files, by what the engine shows
	places   places
	clock    clock
	part     *goja.Object // what the polyfills are given
	made     polyfills
	seen     polyfills // mentioned so far
	lastCall uint64
	console  console
	lastKept bool // the session declares `_` itself

	// Of the run:
	job     job
	host    upward
	loop    *loop
	unit    *unit
	modules modules
	body    *goja.Promise
	exited  bool

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

// run runs the script to its end. Whatever the engine does, it returns.
func (s *sandbox) run() (o outcome) {
	defer func() {
		if x := recover(); x != nil {
			o = outcome{Err: &Error{Kind: KindSandbox, Message: (&errEngine{x}).Error()}}
		}
		if o.Err != nil {
			s.host.fail()
		}
	}()
	if s.job.Script.Inquiry == InquireMembers {
		return s.ask()
	}
	u, syntax := compile(s.job.Script.Name, s.job.Script.Source, s.mode())
	if syntax != nil {
		return outcome{Err: syntax.report(s.job.Script.Name), Incomplete: syntax.incomplete(s.job.Script.Source)}
	}
	if s.job.Script.Inquiry == InquireWhole {
		return outcome{}
	}
	s.unit = u
	s.known(u)
	s.places.add(u)
	s.wake()
	if s.job.Keep {
		return s.guarded(s.runUnit)
	}
	return s.runUnit()
}

// ask answers for the members of a value, which needs an engine, too.
func (s *sandbox) ask() outcome {
	s.unit = &unit{needs: scanWords(s.job.Script.Source).needs}
	s.wake()
	if s.job.Keep {
		return s.guarded(s.inquire)
	}
	return s.inquire()
}

func (s *sandbox) runUnit() outcome {
	if err := s.prepare(); err != nil {
		return outcome{Err: s.explain(err)}
	}
	if err := s.start(); err != nil {
		return s.end(err)
	}
	for !s.finished() {
		if s.exited { // where no instruction followed that could be interrupted
			return s.left()
		}
		task, state := s.loop.next()
		switch state {
		case loopStopped:
			return outcome{Err: &Error{Kind: KindAborted, Message: "the script was stopped"}}
		case loopDry:
			return s.stalled()
		}
		if err := s.visit(task); err != nil {
			return s.end(err)
		}
		s.flush()
		s.tellSeen()
	}
	return s.result()
}

// stalled is the outcome of a script that waits for nothing. When a promise was
// rejected and nobody took notice, that is why.
func (s *sandbox) stalled() (o outcome) {
	o.Err = &Error{Kind: KindScript, Message: stalledMessage}
	if lost := s.unhandled(); lost != nil {
		if err := s.visit(func() { o.Err = s.describe(lost.Result()) }); err != nil {
			return s.end(err)
		}
	}
	return o
}

const stalledMessage = "the script awaits something that can never happen: " +
	"no tool call is in flight and no timer is set, so nothing can settle the promise that it waits for"

// mode is how the script is compiled.
func (s *sandbox) mode() mode {
	return mode{session: s.job.Keep, interactive: s.job.Script.Interactive}
}

// wake makes the engine, unless there is one of an earlier run of the session.
func (s *sandbox) wake() {
	if s.ready {
		return
	}
	vm := s.warm
	if vm == nil {
		vm = newEngine()
	}
	s.warm, s.part, s.made, s.seen = nil, nil, 0, 0
	s.mu.Lock()
	s.vm, s.engine = vm, vm
	if s.halted {
		vm.Interrupt(stopSignal)
		vm.halting.Store(true)
	}
	s.mu.Unlock()
}

// prepare makes the script's globals.
func (s *sandbox) prepare() error {
	if s.ready {
		return s.visit(s.refreshGlobals)
	}
	err := s.visit(s.defineGlobals)
	s.ready = err == nil
	return err
}

func (s *sandbox) defineGlobals() {
	s.defineClock()
	s.defineTools()
	s.defineOutput()
	s.defineConsole()
	s.defineTimers()
	s.defineModules()
	args := make([]any, len(s.job.Script.Args))
	for i, arg := range s.job.Script.Args {
		args[i] = jsString(arg)
	}
	s.global("args", s.freeze(s.NewArray(args...)))
	s.polyfill(s.unit.needs)
	s.global("exit", s.function("exit", 0, s.exit))
	s.defineHostGlobals()
	s.declare()
}

// refreshGlobals readies an engine that has served a run for another.
func (s *sandbox) refreshGlobals() {
	s.forgetModules()
	s.polyfill(s.unit.needs)
	s.defineHostGlobals()
	s.declare()
}

func (s *sandbox) defineHostGlobals() {
	for name, text := range s.job.Script.Globals {
		v, err := plain.Parse(text)
		if err != nil {
			panic(&errEngine{err})
		}
		s.global(name, s.build(v))
	}
}

// exit ends the run successfully. Nothing of the script runs after it, no catch
// and no finally.
func (s *sandbox) exit(goja.FunctionCall) goja.Value {
	s.exited = true
	s.Interrupt(exitSignal)
	return goja.Undefined()
}

// start runs the script up to its first await that has to wait.
func (s *sandbox) start() error {
	err := s.visit(func() {
		body, err := s.RunProgram(s.unit.program)
		throw(err)
		if s.unit.transformed {
			body = s.imported(callable(body))
		}
		promise, err := callable(body)(goja.Undefined(), s.taker())
		throw(err)
		s.body, _ = promise.Export().(*goja.Promise)
	})
	if err != nil {
		return err
	}
	if s.body == nil {
		return &errEngine{"the script's body is no promise"}
	}
	s.flush()
	return nil
}

// imported carries out the imports of a transformed script and returns its body.
func (s *sandbox) imported(program goja.Callable) goja.Value {
	var body goja.Value
	start := s.function("start", 1, func(c goja.FunctionCall) goja.Value {
		if body == nil {
			body = c.Argument(0)
		}
		return goja.Undefined()
	})
	i := &importing{canWait: true}
	_, err := program(goja.Undefined(), start, s.requireFor(i))
	throw(err)
	ready := s.whenReady(i)
	if goja.IsUndefined(ready) {
		return body
	}
	return s.function("start", 0, func(goja.FunctionCall) goja.Value {
		promise, err := s.then(ready, s.function("", 0, func(goja.FunctionCall) goja.Value {
			v, err := callable(body)(goja.Undefined(), s.taker())
			throw(err)
			return v
		}))
		throw(err)
		return promise
	})
}

// known notes the name of a file that the engine shows in another way.
func (s *sandbox) known(u *unit) {
	name := s.job.Script.Name
	if u.file != "" {
		name = u.file
	}
	if name != u.name {
		s.names[u.name] = name
	}
}

// flush lets the host begin with the calls that were made in this visit, unless
// the script has failed in it.
func (s *sandbox) flush() {
	if s.waiting == 0 {
		return
	}
	if s.bodyDone() && s.failed() {
		s.host.fail()
	}
	s.waiting = 0
	s.host.release()
}

// tellSeen lets the host go on with a call that was waiting for the script to
// have the result of the one before.
func (s *sandbox) tellSeen() {
	if s.answered == 0 {
		return
	}
	if len(s.pending) > 0 && s.bodyDone() && s.failed() {
		s.host.fail()
	} else if len(s.pending) > 0 {
		s.host.seen(s.answered)
	}
	s.answered = 0
}

func (s *sandbox) bodyDone() bool { return s.body.State() != goja.PromiseStatePending }

// failed reports whether the script, whose body is done, has failed.
func (s *sandbox) failed() bool {
	return s.body.State() == goja.PromiseStateRejected || s.unhandled() != nil
}

// finished reports whether the run is over: the body has ended, and either the
// script has failed or every call that it made is answered and, for a person who
// waits at a prompt, no timer is left.
func (s *sandbox) finished() bool {
	idle := len(s.pending) == 0 && !(s.job.Script.Interactive && len(s.loop.timers) > 0)
	return !s.exited && s.bodyDone() && (s.failed() || idle)
}

// end is the outcome after err came out of the engine.
func (s *sandbox) end(err error) outcome {
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) && interrupted.Value() == exitSignal {
		return s.left()
	}
	return outcome{Err: s.explain(err)}
}

// left is the outcome of a script that ended itself by exit. What it called is
// still carried out.
func (s *sandbox) left() outcome {
	s.host.release()
	s.host.seen(seenAll)
	return outcome{}
}

// result is the outcome of a script that has finished.
func (s *sandbox) result() outcome {
	var o outcome
	err := s.visit(func() {
		reason := s.unhandled()
		if s.body.State() == goja.PromiseStateRejected {
			reason = s.body
		}
		if reason != nil {
			o.Err = s.describe(reason.Result())
			return
		}
		if s.job.Script.Interactive {
			o.Shown = s.shown(s.body.Result())
			return
		}
		var problem string
		o.Value, problem = s.jsonValue(s.body.Result())
		if problem != "" {
			o = outcome{Err: &Error{Kind: KindOutput, Message: problem}}
		}
	})
	if err != nil {
		return s.end(err)
	}
	return o
}

// scriptFrames keeps the frames that lie in the script.
func (s *sandbox) scriptFrames(frames []goja.StackFrame) []goja.StackFrame {
	return slices.DeleteFunc(frames, func(f goja.StackFrame) bool {
		p := f.Position()
		return ours(p.Filename) || f.SrcName() == "<native>" || s.outside(p)
	})
}

// outside reports whether a position lies in what the script is wrapped in.
func (s *sandbox) outside(p file.Position) bool {
	place, ok := s.places[p.Filename]
	return ok && p.Line >= place.after
}

// ours reports whether a file is no part of the script.
func ours(file string) bool { return file == preludeName || file == transformedName }

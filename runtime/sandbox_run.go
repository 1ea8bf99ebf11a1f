package runtime

import "github.com/dop251/goja"

// runFor runs the script to its end. It carries calls out itself, because most
// return at once; when one lasts, another goroutine goes on with the script. A
// session's engine stands on frames that must stay where they are, see guarded.
func (s *sandbox) runFor(ended chan<- outcome) {
	s.lends = !s.job.Keep
	s.relief.come = func() { s.tell(ended, func() outcome { return s.safely(s.goOn) }) }
	s.tell(ended, s.run)
}

func (s *sandbox) tell(ended chan<- outcome, run func() outcome) {
	if o := run(); !o.Relieved {
		ended <- o
	}
}

// run runs the script to its end.
func (s *sandbox) run() outcome { return s.safely(s.runJob) }

// A hostPanic is a panic in a call of the host, which is not ours to catch.
type hostPanic struct{ cause any }

// safely returns whatever the engine does.
func (s *sandbox) safely(run func() outcome) (o outcome) {
	defer func() {
		if x := recover(); x != nil {
			if host, ok := x.(hostPanic); ok {
				panic(host.cause)
			}
			o = outcome{Err: &Error{Kind: KindSandbox, Message: (&errEngine{x}).Error()}}
		}
		if o.Err != nil {
			s.host.fail()
		}
	}()
	return run()
}

func (s *sandbox) runJob() outcome {
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
	return s.goOn()
}

// goOn runs what is left of the script, up to its end or a call that lasts.
func (s *sandbox) goOn() outcome {
	for {
		if s.flush() {
			return outcome{Relieved: true}
		}
		if s.finished() {
			return s.result()
		}
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
		if s.tellSeen() { // which leaves with what flush says
			return outcome{Relieved: true}
		}
	}
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
	_, err := program(goja.Undefined(), start, s.requireFor(i), s.meta(s.job.Script.File))
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

// flush lets the host begin with the calls that were made in this visit, unless
// the script has failed in it. When it has lasted, it may find that another
// goroutine has gone on with the script; so may tellSeen.
func (s *sandbox) flush() (relieved bool) {
	if s.waiting == 0 {
		return false
	}
	if s.bodyDone() && s.failed() {
		s.host.fail()
	}
	s.waiting = 0
	return s.letBegin(s.host.release)
}

// tellSeen lets the host go on with a call that was waiting for the script to
// have the result of the one before.
func (s *sandbox) tellSeen() (relieved bool) {
	id := s.answered
	if id == 0 {
		return false
	}
	s.answered = 0
	if len(s.pending) == 0 {
		return false
	}
	if s.bodyDone() && s.failed() {
		s.host.fail()
		return false
	}
	return s.letBegin(func(here bool) { s.host.seen(id, here) })
}

// letBegin does what may have calls begin.
func (s *sandbox) letBegin(f func(here bool)) (relieved bool) {
	if !s.lends {
		f(false)
		return false
	}
	turn := s.relief.begin()
	lend(f)
	return s.relief.end(turn)
}

// lend gives this goroutine to the host.
func lend(f func(here bool)) {
	defer func() {
		if x := recover(); x != nil {
			panic(hostPanic{x})
		}
	}()
	f(true)
}

func (s *sandbox) bodyDone() bool { return s.body.State() != goja.PromiseStatePending }

// failed reports whether the script, whose body is done, has failed.
func (s *sandbox) failed() bool {
	return s.body.State() == goja.PromiseStateRejected || s.unhandled() != nil
}

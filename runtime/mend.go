package runtime

import (
	"github.com/dop251/goja"
)

// When goja is interrupted in a promise job, which is where a script is after its
// first await, it forgets to unwind the contexts of the functions that were
// running, and from then on takes every call for a nested one: no promise job
// ever runs again. A session that is to outlive an interruption therefore runs
// inside levels of goja's own try, whose frames know the state at the outset. A
// panic that passes them restores it, one level for each function that awaits or
// yields and was left in the middle.
const unwindLevels = 16

// guarded runs a script of a session and, if the engine was interrupted in it,
// mends the engine.
func (s *sandbox) guarded(run func() outcome) (o outcome) {
	s.broken = nil
	s.levels(unwindLevels, func() {
		o = run()
		if s.broken != nil {
			panic(s.broken)
		}
	})
	if s.broken != nil && !s.mended() {
		o.Spent = true
	}
	return o
}

// levels calls f inside n levels of try.
func (s *sandbox) levels(n int, f func()) {
	defer func() {
		if x := recover(); x != nil && x != s.broken {
			panic(x)
		}
	}()
	nested := f
	for range n {
		inner := nested
		nested = func() { s.Try(inner) }
	}
	nested()
}

// mended clears what an interrupted script has left and reports whether the
// engine works.
func (s *sandbox) mended() bool {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	const clearing interruption = "clear"
	s.Interrupt(clearing) // an interruption at the top level drops the jobs that wait
	_ = s.visit(func() {})
	s.ClearInterrupt()
	s.halting.Store(false)
	ran := false
	err := s.visit(func() {
		promise, resolve, _ := s.NewPromise()
		throw(resolve(goja.Undefined()))
		_, err := s.then(s.ToValue(promise), s.function("", 0, func(goja.FunctionCall) goja.Value {
			ran = true
			return goja.Undefined()
		}))
		throw(err)
	})
	return err == nil && ran
}

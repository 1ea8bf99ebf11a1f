package runtime

import (
	"math"
	"time"

	"github.com/dop251/goja"
)

// maxDelay is the longest delay in milliseconds; what is longer, or no number,
// counts as one millisecond, as it does everywhere else.
const maxDelay = math.MaxInt32

func (s *sandbox) defineTimers() {
	set := func(name string, repeat, immediate bool) {
		s.global(name, s.function(name, 1, func(c goja.FunctionCall) goja.Value {
			return s.setTimer(name, c.Arguments, repeat, immediate)
		}))
	}
	set("setTimeout", false, false)
	set("setInterval", true, false)
	set("setImmediate", false, true)
	for _, name := range []string{"clearTimeout", "clearInterval", "clearImmediate"} {
		s.global(name, s.function(name, 1, func(c goja.FunctionCall) goja.Value {
			if id, ok := s.idOf(c.Argument(0)); ok {
				s.loop.clear(id)
			}
			return goja.Undefined()
		}))
	}
	s.global("queueMicrotask", s.function("queueMicrotask", 1, func(c goja.FunctionCall) goja.Value {
		if _, ok := goja.AssertFunction(c.Argument(0)); !ok {
			s.typeError("queueMicrotask: the argument must be a function")
		}
		promise, resolve, _ := s.NewPromise()
		throw(resolve(goja.Undefined()))
		_, err := s.then(s.ToValue(promise), c.Argument(0))
		throw(err)
		return goja.Undefined()
	}))
}

func (s *sandbox) setTimer(name string, arguments []goja.Value, repeat, immediate bool) goja.Value {
	if len(arguments) == 0 {
		s.typeError("%s: the first argument must be a function", name)
	}
	callback, ok := goja.AssertFunction(arguments[0])
	if !ok {
		s.typeError("%s: the first argument must be a function", name)
	}
	delay, rest := 0.0, arguments[1:]
	if !immediate {
		delay = 1
		if len(rest) > 0 {
			delay, rest = rest[0].ToFloat(), rest[1:]
		}
		if !(delay >= 1 && delay <= maxDelay) {
			delay = 1
		}
	}
	rest = append([]goja.Value(nil), rest...) // the engine reuses its slice
	wait := time.Duration(delay * float64(time.Millisecond))
	id := s.loop.after(wait, repeat, func() {
		s.passed(wait)
		_, err := callback(goja.Undefined(), rest...)
		throw(err)
	})
	if id == 0 {
		s.typeError("%s: a script may have %d timers at once", name, maxTimers)
	}
	return s.timerOf(id)
}

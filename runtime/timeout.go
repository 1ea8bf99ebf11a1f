package runtime

import "github.com/dop251/goja"

// What setTimeout returns is a number, as in browsers, unless the sources speak of
// what only Node's objects have: unref, ref, hasRef, refresh.

// timerOf is what a script gets for a timer.
func (s *sandbox) timerOf(id int64) goja.Value {
	if s.seen&needTimeout == 0 {
		return s.ToValue(id)
	}
	if s.timeout == nil {
		s.timeout = s.newTimeoutPrototype()
	}
	o := s.CreateObject(s.timeout)
	s.hide(o, timerID, s.ToValue(id))
	return o
}

// timerID is the member of such an object that holds the number.
const timerID = "_id"

// idOf is the number of the timer that v stands for.
func (s *sandbox) idOf(v goja.Value) (int64, bool) {
	if o, ok := v.(*goja.Object); ok && s.timeout != nil && o.Prototype() == s.timeout {
		v = s.ownValue(o, jsString(timerID))
	}
	if !goja.IsNumber(v) {
		return 0, false
	}
	return v.ToInteger(), true
}

func (s *sandbox) newTimeoutPrototype() *goja.Object {
	prototype := s.NewObject()
	class := s.function("Timeout", 0, func(goja.FunctionCall) goja.Value {
		s.typeError("Illegal constructor")
		return nil
	})
	s.hide(prototype, "constructor", class)
	s.hide(class, "prototype", prototype)
	for _, name := range []string{"ref", "unref", "refresh"} {
		s.hide(prototype, name, s.function(name, 0, func(c goja.FunctionCall) goja.Value {
			if id, ok := s.idOf(c.This); ok && name == "refresh" {
				s.loop.restart(id)
			}
			return c.This
		}))
	}
	s.hide(prototype, "hasRef", s.function("hasRef", 0, func(goja.FunctionCall) goja.Value { return s.ToValue(true) }))
	stop := s.function("close", 0, func(c goja.FunctionCall) goja.Value {
		if id, ok := s.idOf(c.This); ok {
			s.loop.clear(id)
		}
		return c.This
	})
	s.hide(prototype, "close", stop)
	throw(prototype.DefineDataPropertySymbol(goja.SymToPrimitive, s.function("[Symbol.toPrimitive]", 0, func(c goja.FunctionCall) goja.Value {
		id, _ := s.idOf(c.This)
		return s.ToValue(id)
	}), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return prototype
}

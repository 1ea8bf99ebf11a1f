package runtime

import (
	"strings"

	"github.com/dop251/goja"
)

// A class says itself how it is shown by a method named
// Symbol.for('nodejs.util.inspect.custom'). It is looked for only where the
// sources of the run, or a part of ours, mention it.

const customName = "nodejs.util.inspect.custom"

func (i *inspector) custom(o *goja.Object, level int) (string, bool) {
	if i.seen&needCustom == 0 {
		return "", false
	}
	symbol := i.customSymbol()
	if symbol == nil {
		return "", false
	}
	var method goja.Callable
	for p := o; p != nil && method == nil; p = p.Prototype() {
		if isProxy(p) {
			return "", false
		}
		v, _ := i.own(p, symbol)
		method, _ = goja.AssertFunction(v)
	}
	inspect := i.inspectFunction()
	if method == nil || o == inspect {
		return "", false
	}
	if level > maxValueDepth {
		return "...", true
	}
	options := i.NewObject()
	i.member(options, "depth", i.ToValue(i.depth-level))
	i.member(options, "stylize", i.function("stylize", 2, func(c goja.FunctionCall) goja.Value { return jsString(shownString(i.str(c.Argument(0)))) }))
	result, err := method(o, i.ToValue(i.depth-level), options, inspect)
	throw(err)
	if text, ok := result.(goja.String); ok {
		return strings.ReplaceAll(shownString(clipped(text)), "\n", "\n"+strings.Repeat(" ", i.indent)), true
	}
	if result == goja.Value(o) {
		return "", false
	}
	i.values += 100 // one that makes a new object each time ends, too
	return i.value(result, level+1), true
}

func (s *sandbox) customSymbol() *goja.Symbol {
	forName := callable(s.object("Symbol").Get("for"))
	v, err := forName(goja.Undefined(), jsString(customName))
	throw(err)
	symbol, _ := v.(*goja.Symbol)
	return symbol
}

// inspectFunction is util.inspect.
func (s *sandbox) inspectFunction() *goja.Object {
	if s.inspectFn != nil {
		return s.inspectFn
	}
	s.inspectFn = s.function("inspect", 2, func(c goja.FunctionCall) goja.Value {
		options := c.Argument(1)
		if depth := c.Argument(2); !goja.IsUndefined(depth) { // as it was called long ago
			o := s.NewObject()
			s.member(o, "depth", depth)
			options = o
		}
		return jsString(s.inspectWith(c.Argument(0), s.inspectOptionsOf(options)))
	})
	s.member(s.inspectFn, "custom", s.customSymbol())
	return s.inspectFn
}

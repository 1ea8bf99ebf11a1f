package runtime

import (
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// defineModules makes require, which knows the built-in modules of this file and
// nothing else: there is no loader that could reach a disk. A module is made
// when it is first asked for.
func (s *sandbox) defineModules() {
	loaded := map[string]goja.Value{}
	modules := map[string]func() goja.Value{
		"util":   s.utilModule,
		"buffer": s.bufferModule,
	}
	require := func(name string) goja.Value {
		if loaded[name] == nil {
			loaded[name] = modules[name]()
		}
		return loaded[name]
	}
	s.global("require", s.function("require", 1, func(c goja.FunctionCall) goja.Value {
		text, ok := c.Argument(0).(goja.String)
		if !ok {
			s.typeError("require: the name of a module must be a string")
		}
		name := strings.TrimPrefix(text.String(), "node:")
		if modules[name] == nil {
			s.typeError("require: there is no module %s; a script has %s, and reaches files through tools", quote(shorten(name, 100)), moduleNames(modules))
		}
		return require(name)
	}))
	s.global("Buffer", goja.Undefined())
	get := s.function("get Buffer", 0, func(goja.FunctionCall) goja.Value {
		return require("buffer").(*goja.Object).Get("Buffer")
	})
	set := s.function("set Buffer", 1, func(c goja.FunctionCall) goja.Value {
		s.global("Buffer", c.Argument(0))
		return goja.Undefined()
	})
	throw(s.GlobalObject().DefineAccessorProperty("Buffer", get, set, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

func moduleNames(modules map[string]func() goja.Value) string {
	var names []string
	for name := range modules {
		names = append(names, "'"+name+"'")
	}
	slices.Sort(names)
	return strings.Join(names, " and ")
}

func (s *sandbox) bufferModule() goja.Value {
	module := s.NewObject()
	s.member(module, "Buffer", s.newBuffer())
	return module
}

func (s *sandbox) utilModule() goja.Value {
	module := s.NewObject()
	s.member(module, "format", s.function("format", 0, func(c goja.FunctionCall) goja.Value {
		return jsString(s.format(c.Arguments))
	}))
	s.member(module, "inspect", s.function("inspect", 2, func(c goja.FunctionCall) goja.Value {
		depth := inspectDepth
		if options, ok := c.Argument(1).(*goja.Object); ok && kindOf(options) == kindObject {
			switch v := s.ownValue(options, jsString("depth")); {
			case goja.IsNull(v):
				depth = maxValueDepth
			case goja.IsNumber(v):
				depth = int(min(max(v.ToInteger(), 0), maxValueDepth))
			}
		}
		return jsString(s.inspectDepth(c.Argument(0), depth))
	}))
	return module
}

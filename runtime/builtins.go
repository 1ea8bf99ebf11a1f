package runtime

import "github.com/dop251/goja"

// builtinModules are what require knows besides files: what scripts use of Node's
// modules and can be had without a disk, a network or a process. Each is made when
// it is first asked for.
func (s *sandbox) builtinModules() map[string]func() goja.Value {
	modules := map[string]func() goja.Value{
		"assert":          func() goja.Value { return s.assertModule() },
		"assert/strict":   func() goja.Value { return s.builtinModule("assert").(*goja.Object).Get("strict") },
		"buffer":          s.bufferModule,
		"events":          func() goja.Value { return s.smallModules().Get("events") },
		"os":              s.osModule,
		"path":            func() goja.Value { return s.runPart("path") },
		"path/posix":      func() goja.Value { return s.builtinModule("path") },
		"timers/promises": func() goja.Value { return s.smallModules().Get("timers") },
		"url":             s.urlModule,
		"util":            s.utilModule,
	}
	for name, make := range modules {
		modules[name] = func() goja.Value {
			if s.part == nil {
				s.part = s.newPart()
			}
			return make()
		}
	}
	return modules
}

// smallModules are what util.js gives.
func (s *sandbox) smallModules() *goja.Object {
	if s.modules.small == nil {
		s.withDeepEqual()
		s.modules.small = s.runPart("util").(*goja.Object)
	}
	return s.modules.small
}

func (s *sandbox) withDeepEqual() {
	if s.part.Get("deepEqual") == nil {
		s.member(s.part, "deepEqual", s.runPart("deepequal"))
	}
}

func (s *sandbox) assertModule() goja.Value {
	s.withDeepEqual()
	return s.runPart("assert")
}

func (s *sandbox) osModule() goja.Value {
	module := s.NewObject()
	s.member(module, "EOL", s.ToValue("\n"))
	s.member(module, "tmpdir", s.function("tmpdir", 0, func(goja.FunctionCall) goja.Value { return s.ToValue("/tmp") }))
	return module
}

func (s *sandbox) urlModule() goja.Value {
	s.polyfill(needURL)
	return s.runPart("urlmodule")
}

func (s *sandbox) bufferModule() goja.Value {
	module := s.NewObject()
	s.member(module, "Buffer", s.newBuffer())
	return module
}

func (s *sandbox) utilModule() goja.Value {
	module := s.smallModules().Get("util").(*goja.Object)
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
	s.polyfill(needText)
	s.member(module, "TextEncoder", s.Get("TextEncoder"))
	s.member(module, "TextDecoder", s.Get("TextDecoder"))
	return module
}

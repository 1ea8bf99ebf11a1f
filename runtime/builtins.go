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
		"console":         func() goja.Value { return s.Get("console") },
		"events":          func() goja.Value { return s.runPart("emitter") },
		"os":              s.osModule,
		"path":            func() goja.Value { return s.runPart("path") },
		"path/posix":      func() goja.Value { return s.builtinModule("path") },
		"querystring":     s.querystringModule,
		"string_decoder":  s.stringDecoderModule,
		"timers":          s.timersModule,
		"timers/promises": func() goja.Value { return s.smallModules().Get("timers") },
		"url":             s.urlModule,
		"util":            s.utilModule,
		"util/types":      func() goja.Value { return s.builtinModule("util").(*goja.Object).Get("types") },
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

func (s *sandbox) stringDecoderModule() goja.Value {
	if s.part.Get("Buffer") == nil {
		s.member(s.part, "Buffer", s.builtinModule("buffer").(*goja.Object).Get("Buffer"))
	}
	return s.runPart("stringdecoder")
}

func (s *sandbox) querystringModule() goja.Value {
	s.polyfill(needText)
	return s.runPart("querystring")
}

func (s *sandbox) timersModule() goja.Value {
	module := s.NewObject()
	for _, name := range []string{"setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"} {
		s.member(module, name, s.Get(name))
	}
	s.member(module, "promises", s.builtinModule("timers/promises"))
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
	s.member(module, "inspect", s.inspectFunction())
	s.member(s.part, "scriptArgs", s.Get("args"))
	s.member(module, "parseArgs", s.runPart("utilargs"))
	s.member(module, "formatWithOptions", s.function("formatWithOptions", 1, func(c goja.FunctionCall) goja.Value {
		return jsString(s.format(append([]goja.Value(nil), c.Arguments[min(1, len(c.Arguments)):]...)))
	}))
	s.polyfill(needText)
	s.member(module, "TextEncoder", s.Get("TextEncoder"))
	s.member(module, "TextDecoder", s.Get("TextDecoder"))
	return module
}

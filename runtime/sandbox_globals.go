package runtime

import (
	"path"

	"codemode/ops/plain"

	"github.com/dop251/goja"
)

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
	s.warm, s.part, s.made, s.seen, s.inspectFn, s.timeout = nil, nil, 0, 0, nil, nil
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
	if file := s.job.Script.File; file != "" {
		s.global("__filename", jsString(file))
		s.global("__dirname", jsString(path.Dir(file)))
	}
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

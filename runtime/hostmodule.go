package runtime

import (
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// hostModule is a built-in module that the host brings, see [ModuleHost]. It
// reports false where there is none of that name.
func (s *sandbox) hostModule(name string) (v goja.Value, problem error) {
	if v := s.modules.loaded[name]; v != nil {
		return v, nil
	}
	_, source, err := s.host.module(name, "")
	if err != nil {
		return nil, err
	}
	program, err := hostProgram(source)
	throw(err)
	function, err := s.RunProgram(program)
	throw(err)
	v, err = callable(function)(goja.Undefined(), s.hostObject())
	throw(err)
	s.modules.loaded[name] = v
	return v, nil
}

var hostPrograms sync.Map // of *goja.Program, by source

func hostProgram(source string) (*goja.Program, error) {
	if p, ok := hostPrograms.Load(source); ok {
		return p.(*goja.Program), nil
	}
	p, err := goja.Compile(preludeName, source, true)
	if err == nil {
		hostPrograms.Store(strings.Clone(source), p)
	}
	return p, err
}

// hostObject is what a module of the host's is given.
func (s *sandbox) hostObject() *goja.Object {
	o := s.NewObject()
	s.member(o, "call", s.function("call", 2, func(c goja.FunctionCall) goja.Value {
		return s.callTool(s.toolNamed(c), c.Arguments[1:])
	}))
	s.member(o, "callSync", s.function("callSync", 2, func(c goja.FunctionCall) goja.Value {
		return s.callToolSync(s.toolNamed(c), c.Arguments[1:])
	}))
	s.member(o, "require", s.requireFor(&importing{}))
	return o
}

func (s *sandbox) toolNamed(c goja.FunctionCall) string {
	name, _ := c.Argument(0).(goja.String)
	for _, tool := range s.job.Tools {
		if name != nil && tool.Name == name.String() {
			return tool.Name
		}
	}
	s.typeError("there is no tool %s", c.Argument(0))
	return ""
}

package runtime

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// Limits of what a script may import.
const (
	maxModules     = 1000
	maxModuleBytes = 16 << 20
)

// modules are what a script has imported. A module is made when it is first
// asked for, and once.
type modules struct {
	builtin map[string]func() goja.Value // nil before the first require
	loaded  map[string]goja.Value        // built-in ones
	files   map[string]*goja.Object      // `module` objects, by the host's names
	pending map[string]goja.Value        // promises of files that are not ready
	small   *goja.Object                 // what util.js gives
	bytes   int
}

// defineModules makes require, which knows the built-in modules, and files as far
// as the host gives them. Nothing in here reaches a disk.
func (s *sandbox) defineModules() {
	s.modules = modules{
		loaded:  map[string]goja.Value{},
		files:   map[string]*goja.Object{},
		pending: map[string]goja.Value{},
	}
	s.global("require", s.requireFor(&importing{}))
	s.global("Buffer", goja.Undefined())
	get := s.function("get Buffer", 0, func(goja.FunctionCall) goja.Value {
		return s.builtinModule("buffer").(*goja.Object).Get("Buffer")
	})
	set := s.function("set Buffer", 1, func(c goja.FunctionCall) goja.Value {
		s.global("Buffer", c.Argument(0))
		return goja.Undefined()
	})
	throw(s.GlobalObject().DefineAccessorProperty("Buffer", get, set, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

// forgetModules makes the next run of a session read files anew.
func (s *sandbox) forgetModules() {
	s.modules.files, s.modules.pending = map[string]*goja.Object{}, map[string]goja.Value{}
	s.modules.bytes = 0
}

// requireFor makes the require of one file; what import statements and import()
// become calls it too.
func (s *sandbox) requireFor(i *importing) *goja.Object {
	return s.function("require", 1, func(c goja.FunctionCall) goja.Value {
		text, ok := c.Argument(0).(goja.String)
		if !ok {
			s.typeError("require: the name of a module must be a string")
		}
		specifier := shownString(text)
		if isFile(specifier) {
			return s.fileModule(specifier, i)
		}
		name := strings.TrimPrefix(specifier, "node:")
		if s.builtins()[name] == nil {
			module, err := s.hostModule(name)
			if err != nil {
				more := ""
				if err.Error() != noModuleHost {
					more = "; " + err.Error()
				}
				s.noModule("require: there is no module %s; a script has %s, and files by their relative path%s", quote(shorten(specifier, 100)), s.moduleNames(), more)
			}
			return module
		}
		return s.builtinModule(name)
	})
}

// noModule throws with the code by which scripts know such errors.
func (s *sandbox) noModule(format string, args ...any) {
	e := s.NewTypeError("%s", fmt.Sprintf(format, args...))
	s.member(e, "code", jsString("MODULE_NOT_FOUND"))
	panic(e)
}

// isFile reports whether a specifier names a file by its path.
func isFile(specifier string) bool {
	return specifier == "." || specifier == ".." || strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../") || strings.HasPrefix(specifier, "/")
}

func (s *sandbox) moduleNames() string {
	var names []string
	for name := range s.builtins() {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func (s *sandbox) builtins() map[string]func() goja.Value {
	if s.modules.builtin == nil {
		s.modules.builtin = s.builtinModules()
	}
	return s.modules.builtin
}

func (s *sandbox) builtinModule(name string) goja.Value {
	if s.modules.loaded[name] == nil {
		s.modules.loaded[name] = s.builtins()[name]()
	}
	return s.modules.loaded[name]
}

// fileModule is the exports of a file. One that is still being evaluated, in a
// cycle, gives what it has so far.
func (s *sandbox) fileModule(specifier string, i *importing) goja.Value {
	importer := i.name
	if importer == "" {
		importer = s.job.Script.Name
	}
	name, source, err := s.host.module(specifier, importer)
	if err != nil {
		s.noModule("require: %s, from %s: %v", quote(shorten(specifier, 200)), importer, err)
	}
	if module := s.modules.files[name]; module != nil {
		return s.meet(i, name, module)
	}
	if s.modules.bytes += len(source); s.modules.bytes > maxModuleBytes || len(s.modules.files) >= maxModules {
		s.typeError("require: a script may import %d files and %d bytes", maxModules, maxModuleBytes)
	}
	if len(source) > MaxSource {
		s.typeError("require: %s has %d bytes; the limit is %d", quote(name), len(source), MaxSource)
	}
	module := s.NewObject()
	exports := s.NewObject()
	s.member(module, "exports", exports)
	s.modules.files[name] = module
	defer func() {
		if x := recover(); x != nil {
			delete(s.modules.files, name) // so that the next import fails again
			panic(x)
		}
	}()
	if strings.HasSuffix(name, ".json") {
		s.member(module, "exports", s.jsonModule(name, source))
	} else {
		s.evaluate(name, source, module, exports)
	}
	return s.meet(i, name, module)
}

// jsonModule is the value of a JSON file.
func (s *sandbox) jsonModule(name, source string) goja.Value {
	var v goja.Value
	if ex := s.Try(func() { v = s.parseJSON(jsString(strings.TrimPrefix(source, "\ufeff")).(goja.String)) }); ex != nil {
		s.throwSyntaxError(name + ": " + strings.TrimPrefix(ex.Value().String(), "SyntaxError: "))
	}
	return v
}

func (e *engine) throwSyntaxError(message string) {
	object, err := e.syntaxErrorClass(nil, jsString(message))
	throw(err)
	panic(object)
}

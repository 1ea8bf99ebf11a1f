package runtime

import (
	"path"

	"github.com/dop251/goja"
)

// A importing is the require of one file and what it has met.
type importing struct {
	name string // of the file; "" for the script of the run

	// canWait says that the file waits for modules that are not ready; met are
	// their promises. A file that cannot wait and meets one sets again.
	canWait bool
	met     []any
	again   bool
}

// evaluate runs the code of a file.
func (s *sandbox) evaluate(name, source string, module, exports *goja.Object) {
	if s.evaluateOnce(name, source, module, exports, false) {
		return
	}
	// It imports a module that waits. Imports come before everything else, so that
	// nothing of the file itself has run yet.
	s.evaluateOnce(name, source, module, exports, true)
}

func (s *sandbox) evaluateOnce(name, source string, module, exports *goja.Object, waits bool) bool {
	u, failed := compileModule(name, source, waits)
	if failed != nil {
		s.throwSyntaxError(failed.describe(name))
	}
	s.known(u)
	s.polyfill(u.needs)
	program, err := s.RunProgram(u.program)
	throw(err)
	i := &importing{name: name, canWait: u.waits}
	ready := s.function("ready", 0, func(goja.FunctionCall) goja.Value { return s.whenReady(i) })
	v, err := callable(program)(goja.Undefined(), module, exports, s.requireFor(i), ready, s.meta(name), jsString(name), jsString(path.Dir(name)))
	if err != nil && i.again {
		return false
	}
	throw(err)
	if u.waits {
		s.waitFor(name, module, v)
	}
	i.canWait = true // from now on it imports with import() only, which waits
	return true
}

// whenReady is a promise for all that a file has to wait for, or undefined.
func (s *sandbox) whenReady(i *importing) goja.Value {
	if len(i.met) == 0 {
		return goja.Undefined()
	}
	all, err := s.promiseAll(s.promiseClass, s.NewArray(i.met...))
	throw(err)
	return all
}

// waitFor notes that a module is not ready before promise is. Until then its
// exports are thenable, which makes import() wait, and only that.
func (s *sandbox) waitFor(name string, module *goja.Object, promise goja.Value) {
	if p, ok := promise.Export().(*goja.Promise); ok && p.State() == goja.PromiseStateFulfilled {
		return
	}
	s.modules.pending[name] = promise
	exports, _ := module.Get("exports").(*goja.Object)
	done := s.function("done", 0, func(goja.FunctionCall) goja.Value {
		delete(s.modules.pending, name)
		throw(exports.Delete("then"))
		return goja.Undefined()
	})
	after, err := s.then(promise, done)
	throw(err)
	s.modules.pending[name] = after
	s.hide(exports, "then", s.function("then", 2, func(c goja.FunctionCall) goja.Value {
		namespace, resolve := c.This, callable(c.Argument(0))
		_, err := s.then(after, s.function("", 0, func(goja.FunctionCall) goja.Value {
			v, err := resolve(goja.Undefined(), namespace)
			throw(err)
			return v
		}), c.Argument(1))
		throw(err)
		return goja.Undefined()
	}))
}

// meet gives the exports of a module to the file that imports it.
func (s *sandbox) meet(i *importing, name string, module *goja.Object) goja.Value {
	if pending, ok := s.modules.pending[name]; ok {
		if !i.canWait {
			i.again = true
			s.typeError("require: %s awaits at its top level; import it, or use import()", quote(name))
		}
		i.met = append(i.met, pending)
	}
	return module.Get("exports")
}

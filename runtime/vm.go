package runtime

import (
	_ "embed"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// maxCallDepth bounds recursion. Unwinding deep native recursion costs the
// square of its depth, so that more would make stopping slow.
const maxCallDepth = 1200

// Regular expressions that need backtracking give up at this stack size, and
// goja takes that for "no match", which is a wrong answer. The setting is the
// library's and holds for the whole process.
func init() {
	regexp2.DefaultOptimizationOptions.MaxBacktrackingStackSize = -1
}

const preludeName = "codemode:prelude"

//go:embed prelude.js
var preludeSource string

// A process whose scripts run in another one never needs it.
var preludeProgram = sync.OnceValue(func() *goja.Program { return goja.MustCompile(preludeName, preludeSource, true) })

// An engine is a goja runtime with what we captured of it before the script
// could change anything. All methods run on the goroutine of the loop.
type engine struct {
	*goja.Runtime

	enterFn goja.Callable
	taskFn  goja.Value
	task    func()

	operationError   goja.Constructor
	syntaxErrorClass goja.Constructor
	objectPrototype  *goja.Object

	uint8Array, arrayBuffer, typeErrorClass, rangeErrorClass goja.Value

	ownKeys, define, get, deleteProperty       goja.Callable // of Reflect
	descriptor, has                            native        // of Reflect
	hasOwn, isEnumerable                       goja.Callable // of Object.prototype
	disturbing                                 [][]goja.Value
	pollutedPrototype                          bool // see look
	promiseClass                               goja.Value
	promiseAll                                 goja.Callable
	parseInt, parseFloat                       goja.Callable
	freezeFn                                   goja.Callable
	mapEach, setEach, then, toISO, stringValue goja.Callable // of their prototypes

	broken  error // what came out of a visit and was no exception, or nil
	regexps regexps
	halting atomic.Bool // the run is being stopped: built-in functions of ours end

	rejected   map[*goja.Promise]int // those without a handler, numbered in order
	rejections int
}

func newEngine() *engine {
	vm := goja.New()
	vm.SetParserOptions(parser.WithDisableSourceMaps)
	vm.SetMaxCallStackSize(maxCallDepth)
	e := &engine{Runtime: vm, rejected: map[*goja.Promise]int{}}
	vm.SetPromiseRejectionTracker(e.track)

	reflect := e.object("Reflect")
	e.ownKeys = method(reflect, "ownKeys")
	object := e.prototype("Object")
	e.hasOwn, e.isEnumerable = method(object, "hasOwnProperty"), method(object, "propertyIsEnumerable")
	e.descriptor, e.has = nativeMethod(reflect, "getOwnPropertyDescriptor"), nativeMethod(reflect, "has")
	e.define = method(reflect, "defineProperty")
	e.get = method(reflect, "get")
	e.deleteProperty = method(reflect, "deleteProperty")
	e.freezeFn = method(e.object("Object"), "freeze")
	e.mapEach = method(e.prototype("Map"), "forEach")
	e.setEach = method(e.prototype("Set"), "forEach")
	e.then = method(e.prototype("Promise"), "then")
	e.promiseClass, e.promiseAll = vm.Get("Promise"), method(e.object("Promise"), "all")
	e.parseInt, e.parseFloat = callable(vm.Get("parseInt")), callable(vm.Get("parseFloat"))
	e.uint8Array, e.arrayBuffer = vm.Get("Uint8Array"), vm.Get("ArrayBuffer")
	e.typeErrorClass, e.rangeErrorClass = vm.Get("TypeError"), vm.Get("RangeError")
	e.objectPrototype = object
	for _, name := range []string{"value", "get", "set", "writable", "enumerable", "configurable"} {
		e.disturbing = append(e.disturbing, []goja.Value{object, jsString(name)})
	}
	e.stringValue = method(e.prototype("String"), "valueOf")
	e.syntaxErrorClass, _ = goja.AssertConstructor(vm.Get("SyntaxError"))
	e.toISO = method(e.prototype("Date"), "toISOString")

	prelude := must(vm.RunProgram(preludeProgram()))
	parts := must(callable(prelude)(goja.Undefined(),
		vm.Get("Error"), reflect.Get("defineProperty"), e.object("Object").Get("preventExtensions"))).(*goja.Object)
	e.operationError, _ = goja.AssertConstructor(parts.Get("OperationError"))
	e.enterFn = method(parts, "enter")
	e.taskFn = e.function("task", 0, func(goja.FunctionCall) goja.Value {
		e.task()
		return goja.Undefined()
	})
	e.defineRegExp()
	e.defineSymbols()
	e.defineJSON()
	e.global("OperationError", parts.Get("OperationError"))
	throw(vm.GlobalObject().Delete("GoError")) // goja's class of wrapped Go errors, which no script meets
	return e
}

func must(v goja.Value, err error) goja.Value {
	if err != nil {
		panic(err)
	}
	return v
}

func callable(v goja.Value) goja.Callable {
	f, ok := goja.AssertFunction(v)
	if !ok {
		panic("runtime: the engine lacks a built-in function")
	}
	return f
}

// A native is a built-in function that is called without the engine's noticing:
// for those that run nothing of the script, within a visit. What it throws is a
// panic.
type native func(goja.FunctionCall) goja.Value

func nativeMethod(o *goja.Object, name string) native {
	f, ok := o.Get(name).Export().(func(goja.FunctionCall) goja.Value)
	if !ok {
		panic("runtime: the engine lacks a built-in function")
	}
	return f
}

func method(o *goja.Object, name string) goja.Callable { return callable(o.Get(name)) }

func (e *engine) object(name string) *goja.Object { return e.Get(name).(*goja.Object) }

func (e *engine) prototype(name string) *goja.Object {
	return e.object(name).Get("prototype").(*goja.Object)
}

// errEngine is a failure of the engine itself, after which it is not used again.
type errEngine struct{ cause any }

func (e *errEngine) Error() string { return fmt.Sprintf("the JavaScript engine failed: %v", e.cause) }

// visit is the only way into the engine. It runs task, which may call anything
// in the engine and panic with an exception of its own, and then the promise
// jobs that came of it. The error is a *[goja.Exception], an
// *[goja.InterruptedError], a *[goja.StackOverflowError] or an *[errEngine].
func (e *engine) visit(task func()) (err error) {
	defer func() {
		if err != nil && !isException(err) {
			e.broken = err
		}
	}()
	defer rescue(&err)
	e.task = task
	_, err = e.enterFn(goja.Undefined(), e.taskFn)
	return err
}

// rescue turns a Go panic of the engine into an error.
func rescue(err *error) {
	x := recover()
	if x == nil {
		return
	}
	if known, ok := x.(error); ok && isScriptError(known) {
		*err = known
		return
	}
	if x == errStopping {
		*err = errStopping
		return
	}
	if failed, ok := x.(*errEngine); ok {
		*err = failed
		return
	}
	*err = &errEngine{x}
}

func isScriptError(err error) bool {
	var (
		interrupted *goja.InterruptedError
		overflow    *goja.StackOverflowError
	)
	return isException(err) || errors.As(err, &interrupted) || errors.As(err, &overflow)
}

func isException(err error) bool {
	var exception *goja.Exception
	return errors.As(err, &exception)
}

// throw panics with err, so that it goes on as the exception that it was.
func throw(err error) {
	if err != nil {
		panic(err)
	}
}

// function makes a native function. Nothing but engine values passes through it.
func (e *engine) function(name string, length int, f func(goja.FunctionCall) goja.Value) *goja.Object {
	o := e.ToValue(f).(*goja.Object)
	throw(o.DefineDataProperty("name", jsString(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	throw(o.DefineDataProperty("length", e.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// global defines a global name the way the language defines its own.
func (e *engine) global(name string, v goja.Value) {
	throw(e.GlobalObject().DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

// member defines an ordinary member, without looking at the prototype.
func (e *engine) member(o *goja.Object, name string, v goja.Value) {
	throw(o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

func (e *engine) freeze(o *goja.Object) *goja.Object {
	_, err := e.freezeFn(goja.Undefined(), o)
	throw(err)
	return o
}

// typeError throws a TypeError.
func (e *engine) typeError(format string, args ...any) {
	panic(e.NewTypeError("%s", fmt.Sprintf(format, args...)))
}

// track keeps the promises that were rejected and have no handler.
func (e *engine) track(p *goja.Promise, operation goja.PromiseRejectionOperation) {
	if operation == goja.PromiseRejectionHandle {
		delete(e.rejected, p)
		return
	}
	e.rejections++
	e.rejected[p] = e.rejections
}

// unhandled returns the promise that was rejected first of those that have no
// handler, or nil.
func (e *engine) unhandled() *goja.Promise {
	var first *goja.Promise
	for p, n := range e.rejected {
		if first == nil || n < e.rejected[first] {
			first = p
		}
	}
	return first
}

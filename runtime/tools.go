package runtime

import (
	"fmt"

	"codemode/ops/plain"

	"github.com/dop251/goja"
)

// maxStack is how many frames of the script an OperationError keeps.
const maxStack = 12

func (s *sandbox) defineTools() {
	tools := s.CreateObject(nil)
	list := make([]any, len(s.job.Tools))
	for i, tool := range s.job.Tools {
		s.member(tools, tool.Name, s.freeze(s.function(tool.Name, 1, func(c goja.FunctionCall) goja.Value {
			return s.callTool(tool.Name, c.Arguments)
		})))
		entry := s.NewObject()
		s.member(entry, "name", jsString(tool.Name))
		s.member(entry, "description", jsString(tool.Description))
		list[i] = s.freeze(entry)
	}
	s.global("tools", s.freeze(tools))
	s.global("ALL_TOOLS", s.freeze(s.NewArray(list...)))
}

// callTool copies the argument, announces the call and returns its promise.
func (s *sandbox) callTool(name string, arguments []goja.Value) goja.Value {
	call := s.newCall(name, arguments)
	promise, resolve, reject := s.NewPromise()
	alone := len(s.pending) == 0
	s.lastCall++
	s.pending[s.lastCall] = pendingCall{resolve, reject, s.CaptureCallStack(0, nil)}
	s.loop.expect()
	s.waiting++
	s.host.call(s.lastCall, call, alone)
	return s.ToValue(promise)
}

// newCall copies the argument of a call.
func (s *sandbox) newCall(name string, arguments []goja.Value) Call {
	call := Call{Name: name}
	switch len(arguments) {
	case 0:
		call.Problem = "the argument is missing; pass one object with named members, such as {path: \"a\"}"
	case 1:
		call.Args, call.Problem = s.snapshot(arguments[0])
	default:
		call.Args, _ = s.snapshot(arguments[0])
		call.Problem = fmt.Sprintf("%d arguments were given; pass one object with named members, such as {path: \"a\", target: \"b\"}", len(arguments))
	}
	if len(call.Args) == 0 {
		call.Args = []byte("null")
	}
	return call
}

// answer settles the promise of a call.
func (s *sandbox) answer(id uint64, r Result) {
	call, ok := s.pending[id]
	if !ok {
		return
	}
	delete(s.pending, id)
	s.answered = id
	if r.Err != nil {
		throw(call.reject(s.newOperationError(r.Err, call.stack)))
		return
	}
	if len(r.Value) == 0 {
		throw(call.resolve(goja.Undefined()))
		return
	}
	v, err := plain.Parse(r.Value)
	if err != nil {
		panic(&errEngine{fmt.Errorf("the host answered with %w", err)})
	}
	throw(call.resolve(s.build(v)))
}

// newOperationError makes the error of a call that was refused or failed. Its
// stack is that of the call.
func (s *sandbox) newOperationError(e *CallError, stack []goja.StackFrame) *goja.Object {
	object, err := s.operationError(nil, jsString(e.Message))
	throw(err)
	stack = s.scriptFrames(stack)
	text := "OperationError: " + e.Message
	for _, frame := range stack[:min(len(stack), maxStack)] {
		text += "\n" + s.frameLine(frame.FuncName(), frame.Position())
	}
	throw(object.DefineDataProperty("stack", jsString(text), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	if len(e.Props) == 0 {
		return object
	}
	v, err := plain.Parse(e.Props)
	props, ok := v.(*plain.Object)
	if err != nil || !ok {
		panic(&errEngine{fmt.Errorf("the host answered with malformed properties of an error: %v", err)})
	}
	for _, m := range props.Members {
		if m.Name == "message" || m.Name == "stack" {
			continue
		}
		// The receipt repeats the other members: it is there, and not in the way
		// when the error is printed.
		enumerable := goja.ToFlag(m.Name != "receipt")
		throw(object.DefineDataProperty(m.Name, s.build(m.Value), goja.FLAG_TRUE, goja.FLAG_TRUE, enumerable))
	}
	return object
}

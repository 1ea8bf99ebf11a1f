package runtime

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
)

const (
	maxMessage = 16 << 10
	maxFrames  = 30
)

// explain makes an Error of what came out of a visit.
func (s *sandbox) explain(err error) *Error {
	var (
		exception   *goja.Exception
		interrupted *goja.InterruptedError
		overflow    *goja.StackOverflowError
		failed      *errEngine
	)
	switch {
	case errors.As(err, &interrupted):
		return &Error{Kind: KindAborted, Message: "the script was stopped", Stack: s.stackOf(interrupted.Stack())}
	case errors.Is(err, errStopping):
		return &Error{Kind: KindAborted, Message: "the script was stopped"}
	case errors.As(err, &overflow):
		return &Error{Kind: KindScript, Message: "RangeError: Maximum call stack size exceeded", Stack: s.stackOf(overflow.Stack())}
	case errors.As(err, &exception):
		var e *Error
		if again := s.visit(func() { e = s.describe(exception.Value()) }); again != nil {
			return &Error{Kind: KindScript, Message: "the script threw something that cannot be read"}
		}
		if e.Stack == "" {
			e.Stack = s.stackOf(exception.Stack())
		}
		return e
	case errors.As(err, &failed):
		return &Error{Kind: KindSandbox, Message: failed.Error()}
	}
	return &Error{Kind: KindSandbox, Message: err.Error()}
}

// describe makes an Error of a thrown value. It calls into the script and must
// run in a visit.
func (s *sandbox) describe(thrown goja.Value) *Error {
	object, ok := thrown.(*goja.Object)
	if !ok || kindOf(object) != kindError {
		return &Error{Kind: KindScript, Message: "uncaught " + shorten(s.show(thrown), maxMessage)}
	}
	name, message := s.textOf(object, "name"), s.textOf(object, "message")
	stack := s.textOf(object, "stack")
	e := &Error{Kind: KindScript, Message: message, Stack: s.cleanStack(stack)}
	switch {
	case message == "":
		e.Message = name
	case name != "Error" && name != "OperationError" && name != "":
		e.Message = name + ": " + message
	}
	if e.Message == "" {
		e.Message = "Error"
	}
	e.Message = shorten(s.named(e, stack), maxMessage)
	return e
}

// show is how a thrown value that is no Error is named.
func (s *sandbox) show(v goja.Value) string {
	if text, ok := v.(goja.String); ok {
		return shownString(text)
	}
	return s.inspect(v)
}

// textOf reads a member that is a string.
func (e *engine) textOf(o *goja.Object, name string) string {
	if text, ok := o.Get(name).(goja.String); ok && text.Length() < 1<<20 {
		return shownString(text)
	}
	return ""
}

func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[:boundary(s, limit)] + "…"
}

// frameLine is one line of a stack, in the form that the whole field uses.
func (s *sandbox) frameLine(function string, p file.Position) string {
	if p.Line == 1 { // code made by eval is not wrapped
		p.Column = max(p.Column-s.places[p.Filename].columns, 1)
	}
	if name, ok := s.names[p.Filename]; ok {
		p.Filename = name
	}
	at := fmt.Sprintf("%s:%d:%d", p.Filename, p.Line, p.Column)
	if function == "" || function == "<anonymous>" {
		return "    at " + at
	}
	return "    at " + function + " (" + at + ")"
}

// stackOf writes frames that the engine gave, without its own and ours.
func (s *sandbox) stackOf(frames []goja.StackFrame) string {
	var lines []string
	for _, frame := range s.scriptFrames(frames) {
		if len(lines) == maxFrames {
			break
		}
		lines = append(lines, s.frameLine(frame.FuncName(), frame.Position()))
	}
	return strings.Join(lines, "\n")
}

// engineFrame is a line of goja's own stack text: name, file, line, column and
// an offset into its code.
var engineFrame = onDemand(`^\tat (?:(.*) \()?(.+):(\d+):(\d+)\(\d+\)\)?$`)

// stackLines turns the stack text of an Error into what precedes the frames, and
// the frames. A stack that the script wrote itself passes as it is.
func (s *sandbox) stackLines(stack string) (head string, frames []string) {
	head, rest, found := strings.Cut(stack, "\n\tat ")
	if !found {
		if head, rest, found = strings.Cut(stack, "\n    at "); found {
			return head, strings.Split("    at "+rest, "\n")
		}
		return strings.TrimRight(stack, "\n"), nil
	}
	for _, line := range strings.Split("\tat "+rest, "\n") {
		m := engineFrame().FindStringSubmatch(line)
		if m == nil || ours(m[2]) || len(frames) == maxFrames {
			continue
		}
		p := file.Position{Filename: m[2]}
		fmt.Sscan(m[3], &p.Line)
		fmt.Sscan(m[4], &p.Column)
		if s.outside(p) {
			continue
		}
		frames = append(frames, s.frameLine(m[1], p))
	}
	return head, frames
}

// cleanStack is the frames of an Error's stack.
func (s *sandbox) cleanStack(stack string) string {
	_, frames := s.stackLines(stack)
	return strings.Join(frames, "\n")
}

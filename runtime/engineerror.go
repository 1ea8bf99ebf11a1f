package runtime

import (
	"fmt"
	"strings"
)

// What the engine says of a mistake often leaves out what a person needs to find
// it: "Object has no member 'f'". The report of a run that failed names the
// expression instead, as V8 does: "o.f is not a function".

var (
	topFrame   = onDemand(`^    at (?:.* \()?(.+):(\d+):(\d+)\)?(?:\n|$)`)
	noMember   = onDemand(`^TypeError: Object has no member '(.*)'$`)
	notObject  = onDemand(`^TypeError: Value is not an object: (.*)$`)
	calledText = onDemand(`[\w$]+(?:\??\.#?[\w$]+|\[[^\[\]\n]{1,40}\])*$`)
	callText   = onDemand(`^((?:[\w$]+\??\.)*[\w$]+)\(`)
	nameText   = onDemand(`^[\w$]+`)
)

// named gives the message of an Error that nobody caught the name of what failed,
// where the script's text shows it. Stack is the engine's own.
func (s *sandbox) named(e *Error, stack string) string {
	switch {
	case strings.HasPrefix(e.Message, "SyntaxError: SyntaxError: "): // of eval
		return strings.TrimPrefix(e.Message, "SyntaxError: ")
	case e.Message == "TypeError: No initial value":
		return "TypeError: Reduce of empty array with no initial value"
	case strings.HasPrefix(e.Message, "TypeError: Could not convert &{"): // and how the engine stores the object
		return "TypeError: Cannot convert object to primitive value"
	case e.Message == "TypeError: Value is not object coercible":
		return "TypeError: Cannot destructure undefined or null"
	}
	before, after := s.around(e.Stack)
	called := calledText().FindString(before)
	if m := noMember().FindStringSubmatch(e.Message); m != nil {
		if strings.HasPrefix(after, m[1]) { // the place is where the member stands
			called = calledText().FindString(before + m[1])
		}
		if !strings.HasSuffix(called, "."+m[1]) && !strings.HasSuffix(called, "]") {
			called = quote(m[1])
		}
		return fmt.Sprintf("TypeError: %s is not a function", called)
	}
	if m := notObject().FindStringSubmatch(e.Message); m != nil && !strings.Contains(firstFrame(stack), "(native)") {
		if call := callText().FindStringSubmatch(after); call != nil { // the place of a mapped call is its beginning
			called, after = call[1], "("
		}
		switch {
		case strings.HasPrefix(after, "(") && called == m[1]:
			return fmt.Sprintf("TypeError: %s is not a function", called)
		case strings.HasPrefix(after, "(") && called != "":
			return fmt.Sprintf("TypeError: %s is not a function: it is %s", called, m[1])
		case strings.HasPrefix(after, "new "+m[1]):
			return fmt.Sprintf("TypeError: %s is not a constructor", m[1])
		}
	}
	if name := nameText().FindString(after); name != "" && e.Message == "ReferenceError: Cannot access a variable before initialization" {
		return fmt.Sprintf("ReferenceError: Cannot access '%s' before initialization", name)
	}
	return e.Message
}

// around is the line of the script in which a stack begins, before and after the
// place; both are "" when that is not known.
func (s *sandbox) around(stack string) (before, after string) {
	m := topFrame().FindStringSubmatch(stack)
	if m == nil || m[1] != s.job.Script.Name {
		return "", ""
	}
	var line, column int
	fmt.Sscan(m[2], &line)
	fmt.Sscan(m[3], &column)
	source := s.job.Script.Source
	for ; line > 1; line-- {
		_, rest, found := strings.Cut(source, "\n")
		if !found {
			return "", ""
		}
		source = rest
	}
	source, _, _ = strings.Cut(source, "\n")
	if column < 1 || column > len(source) || s.unit.transformed && strings.IndexFunc(source, func(r rune) bool { return r > 127 }) >= 0 {
		return "", "" // mapped columns do not count bytes
	}
	const most = 500
	return source[max(column-1-most, 0) : column-1], source[column-1 : min(column-1+most, len(source))]
}

func firstFrame(stack string) string {
	_, frames, _ := strings.Cut(stack, "\n\tat ")
	frame, _, _ := strings.Cut(frames, "\n")
	return frame
}

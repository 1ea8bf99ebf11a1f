package runtime

import (
	"fmt"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// console is the state behind the script's console object.
type console struct {
	indent string
	counts map[string]int
	timers map[string]time.Time
}

const (
	stdout = "stdout"
	stderr = "stderr"
)

// maxLabels bounds the counters and timers of the console.
const maxLabels = 1000

func (s *sandbox) defineConsole() {
	s.console = console{counts: map[string]int{}, timers: map[string]time.Time{}}
	object := s.NewObject()
	add := func(name string, f func(arguments []goja.Value)) {
		s.member(object, name, s.function(name, 0, func(c goja.FunctionCall) goja.Value {
			f(c.Arguments)
			return goja.Undefined()
		}))
	}
	for _, name := range []string{"log", "info", "debug", "dirxml"} {
		add(name, func(a []goja.Value) { s.print(stdout, s.format(a)) })
	}
	for _, name := range []string{"warn", "error"} {
		add(name, func(a []goja.Value) { s.print(stderr, s.format(a)) })
	}
	add("dir", func(a []goja.Value) {
		s.print(stdout, s.inspectWith(argument(a, 0), s.inspectOptionsOf(argument(a, 1))))
	})
	add("trace", func(a []goja.Value) {
		s.print(stderr, strings.TrimRight("Trace: "+s.format(a), " :")+"\n"+s.stackOf(s.CaptureCallStack(0, nil)))
	})
	add("assert", s.consoleAssert)
	add("table", func(a []goja.Value) { s.print(stdout, s.table(argument(a, 0), argument(a, 1))) })
	for _, name := range []string{"group", "groupCollapsed"} {
		add(name, func(a []goja.Value) {
			if len(a) > 0 {
				s.print(stdout, s.format(a))
			}
			if len(s.console.indent) < 100 {
				s.console.indent += "  "
			}
		})
	}
	add("groupEnd", func([]goja.Value) { s.console.indent = strings.TrimSuffix(s.console.indent, "  ") })
	s.consoleCounters(add)
	s.consoleTimers(add)
	s.global("console", object)
}

func argument(arguments []goja.Value, n int) goja.Value {
	if n < len(arguments) {
		return arguments[n]
	}
	return goja.Undefined()
}

func (s *sandbox) print(stream, text string) {
	if indent := s.console.indent; indent != "" {
		text = indent + strings.ReplaceAll(text, "\n", "\n"+indent)
	}
	s.host.output(Output{Type: OutputText, Text: text, Stream: stream})
}

func (s *sandbox) consoleAssert(a []goja.Value) {
	if argument(a, 0).ToBoolean() {
		return
	}
	if len(a) < 2 {
		s.print(stderr, "Assertion failed")
		return
	}
	rest := a[1:]
	if first, ok := rest[0].(goja.String); ok {
		s.print(stderr, "Assertion failed: "+s.format(append([]goja.Value{first}, rest[1:]...)))
		return
	}
	s.print(stderr, "Assertion failed "+s.format(rest))
}

// label is the first argument of a counter or timer.
func (s *sandbox) label(a []goja.Value) string {
	v := argument(a, 0)
	if goja.IsUndefined(v) {
		return "default"
	}
	return s.show(v)
}

func (s *sandbox) consoleCounters(add func(string, func([]goja.Value))) {
	add("count", func(a []goja.Value) {
		label := s.label(a)
		if len(s.console.counts) >= maxLabels && s.console.counts[label] == 0 {
			return
		}
		s.console.counts[label]++
		s.print(stdout, fmt.Sprintf("%s: %d", label, s.console.counts[label]))
	})
	add("countReset", func(a []goja.Value) { delete(s.console.counts, s.label(a)) })
}

func (s *sandbox) consoleTimers(add func(string, func([]goja.Value))) {
	elapsed := func(method string, a []goja.Value) (label, text string, ok bool) {
		label = s.label(a)
		started, ok := s.console.timers[label]
		if !ok {
			s.print(stderr, fmt.Sprintf("Warning: No such label '%s' for console.%s()", label, method))
			return label, "", false
		}
		return label, fmt.Sprintf("%s: %.3fms", label, float64(time.Since(started).Microseconds())/1000), true
	}
	add("time", func(a []goja.Value) {
		if label := s.label(a); len(s.console.timers) < maxLabels {
			s.console.timers[label] = time.Now()
		}
	})
	add("timeEnd", func(a []goja.Value) {
		if label, text, ok := elapsed("timeEnd", a); ok {
			delete(s.console.timers, label)
			s.print(stdout, text)
		}
	})
	add("timeLog", func(a []goja.Value) {
		if _, text, ok := elapsed("timeLog", a); ok {
			if len(a) > 1 {
				text += " " + s.format(a[1:])
			}
			s.print(stdout, text)
		}
	})
}

package runtime

import (
	"strings"

	"github.com/dop251/goja"
)

type console struct{}

func (s *sandbox) defineConsole() {
	c := s.NewObject()
	for name, stream := range map[string]string{"log": "stdout", "info": "stdout", "debug": "stdout", "warn": "stderr", "error": "stderr"} {
		s.member(c, name, s.function(name, 0, func(call goja.FunctionCall) goja.Value {
			var parts []string
			for _, a := range call.Arguments {
				parts = append(parts, s.show(a))
			}
			s.host.output(Output{Type: OutputText, Text: strings.Join(parts, " "), Stream: stream})
			return goja.Undefined()
		}))
	}
	s.global("console", c)
}

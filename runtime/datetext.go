package runtime

import (
	"strings"

	"github.com/dop251/goja"
)

// defineDateText mends what dates look like: the engine writes UTC as (UTC), and
// years beyond four digits with as many digits as they need, which no parser of
// dates takes.
func (e *engine) defineDateText() {
	class, _ := e.Get("Date").(*goja.Object)
	if class == nil {
		return
	}
	date, ok := class.Get("prototype").(*goja.Object)
	if !ok {
		return
	}
	mend := func(name string, f func(string) string) {
		original, ok := goja.AssertFunction(date.Get(name))
		if !ok { // an earlier run of the session has changed it
			return
		}
		e.hide(date, name, e.function(name, 0, func(c goja.FunctionCall) goja.Value {
			v, err := original(c.This, c.Arguments...)
			throw(err)
			return jsString(f(v.String()))
		}))
	}
	zone := func(text string) string {
		if text, ok := strings.CutSuffix(text, "(UTC)"); ok {
			return text + "(Coordinated Universal Time)"
		}
		return text
	}
	mend("toString", zone)
	mend("toTimeString", zone)
	mend("toISOString", longYear)
}

// longYear gives a year with a sign its six digits.
func longYear(text string) string {
	if text[0] != '+' && text[0] != '-' {
		return text
	}
	digits := strings.IndexByte(text[1:], '-')
	return text[:1] + strings.Repeat("0", max(6-digits, 0)) + text[1:]
}

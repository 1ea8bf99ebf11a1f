package runtime

import (
	"math"

	"github.com/dop251/goja"
)

// inspectOptions are those of util.inspect and console.dir that change what is
// shown.
type inspectOptions struct {
	depth   int
	items   int // of arrays, maps and sets
	text    int // units of a string
	line    int // columns
	compact int // how many inner levels share a line
	sorted  bool
	colours bool
}

var usualInspect = inspectOptions{depth: inspectDepth, items: inspectItems, text: inspectString, line: inspectColumns, compact: 3}

// inspectOptionsOf reads the options that a script gives. What the sandbox itself
// bounds stays bounded.
func (s *sandbox) inspectOptionsOf(v goja.Value) inspectOptions {
	o := usualInspect
	options, ok := v.(*goja.Object)
	if !ok || isProxy(options) {
		return o
	}
	number := func(name string, to *int, limit int) {
		v := s.ownValue(options, jsString(name))
		switch {
		case goja.IsNull(v):
			*to = limit
		case goja.IsNumber(v):
			if f := v.ToFloat(); !math.IsNaN(f) {
				*to = int(min(max(f, 0), float64(limit)))
			}
		}
	}
	number("depth", &o.depth, maxValueDepth)
	number("maxArrayLength", &o.items, inspectValues)
	number("maxStringLength", &o.text, inspectText)
	number("breakLength", &o.line, math.MaxInt32)
	switch v := s.ownValue(options, jsString("compact")); {
	case v.SameAs(s.ToValue(true)):
		o.compact = inspectAll
	case v.SameAs(s.ToValue(false)):
		o.compact = 0
	default:
		number("compact", &o.compact, inspectAll)
	}
	o.sorted = s.ownValue(options, jsString("sorted")).ToBoolean()
	o.colours = s.ownValue(options, jsString("colors")).ToBoolean()
	return o
}

// inspectAll lets everything that fits share a line.
const inspectAll = 1000

func (s *sandbox) inspectWith(v goja.Value, o inspectOptions) string {
	s.look()
	i := inspector{sandbox: s, inspectOptions: o}
	return i.value(v, 0)
}

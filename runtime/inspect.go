package runtime

import (
	"fmt"
	"math"
	"strings"

	"github.com/dop251/goja"
)

// Limits of what is shown of one value.
const (
	inspectDepth   = 2
	inspectItems   = 100
	inspectString  = 10_000
	inspectValues  = 20_000  // values in all
	inspectText    = 1 << 20 // bytes of strings in all
	inspectColumns = 80
)

// inspect writes a value for people, in the form of Node's util.inspect. It runs
// nothing of the script: getters are named, Proxies are looked through, toString
// and toJSON are not called.
func (s *sandbox) inspect(v goja.Value) string { return s.inspectDepth(v, inspectDepth) }

func (s *sandbox) inspectDepth(v goja.Value, depth int) string {
	o := usualInspect
	o.depth = depth
	return s.inspectWith(v, o)
}

type inspector struct {
	*sandbox
	inspectOptions
	values int
	shown  int // bytes of strings
	indent int // columns
	level  int // depth of the value that was written last
	open   []*goja.Object
	cycles []*goja.Object // objects that something inside them refers to
}

// A shape is an object taken apart for layout.
type shape struct {
	base        string // what stands before the braces
	style       style  // of the base, where that is all
	left, right string // braces
	entries     []string
	array       bool
	numbers     bool // all entries are numbers
	cut         bool // the last entry says how many more there are
}

func (i *inspector) value(v goja.Value, level int) string {
	i.values++
	switch v := v.(type) {
	case nil:
		return i.paint(styleUndefined, "undefined")
	case goja.String:
		return i.quoted(v)
	case *goja.Symbol:
		return i.paint(styleSymbol, symbolText(v))
	case *goja.Object:
		return i.object(v, level)
	}
	switch {
	case goja.IsUndefined(v):
		return i.paint(styleUndefined, "undefined")
	case goja.IsNull(v):
		return i.paint(styleNull, "null")
	case goja.IsBigInt(v):
		return i.paint(styleNumber, v.String()+"n")
	case goja.IsNumber(v):
		return i.paint(styleNumber, numberText(v))
	}
	return i.paint(styleNumber, v.String())
}

func numberText(v goja.Value) string {
	if f := v.ToFloat(); f == 0 && math.Signbit(f) {
		return "-0"
	}
	return v.String()
}

func symbolText(v *goja.Symbol) string { return "Symbol(" + v.String() + ")" }

// quoted writes a string as it would be written in a program. One too long for
// its line is broken at its own line ends.
func (i *inspector) quoted(v goja.String) string {
	if i.shown > inspectText {
		return "'...'"
	}
	text, more := shownString(v.Substring(0, min(v.Length(), i.text))), ""
	i.shown += len(text)
	if rest := v.Length() - i.text; rest > 0 {
		more = fmt.Sprintf("... %d more character%s", rest, plural(rest))
	}
	if len(text) > 16 && len(text) > i.line-i.indent-4 && strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
		lines := strings.SplitAfter(text, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		for n, line := range lines {
			lines[n] = i.paint(styleString, quote(line))
		}
		return strings.Join(lines, " +\n"+strings.Repeat(" ", i.indent+2)) + more
	}
	return i.paint(styleString, quote(text)) + more
}

func clipped(v goja.String) goja.String {
	if v.Length() > inspectString {
		return v.Substring(0, inspectString)
	}
	return v
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func (i *inspector) object(o *goja.Object, level int) string {
	if o = behindProxies(o); o == nil {
		return i.paint(styleSpecial, "<Revoked Proxy>")
	}
	for _, outer := range i.open {
		if outer == o {
			return i.paint(styleSpecial, fmt.Sprintf("[Circular *%d]", i.cycle(o)))
		}
	}
	if i.values > inspectValues {
		return "..."
	}
	if text, ok := i.custom(o, level); ok {
		return text
	}
	constructor, tag := i.lineage(o)
	if tag == constructor || i.ownTag(o) {
		tag = ""
	}
	sh, members, plain := i.shapeOf(o, constructor, tag)
	if plain { // nothing but its base
		return i.paint(sh.style, sh.base)
	}
	if level > i.depth {
		return i.paint(styleSpecial, "["+strings.TrimSuffix(prefix(constructor, tag, string(kindOf(o)), ""), " ")+"]")
	}
	i.open = append(i.open, o)
	i.level = level + 1
	members(&sh, level+1)
	i.open = i.open[:len(i.open)-1]
	for n, other := range i.cycles {
		if other == o {
			sh.base = strings.TrimSuffix(i.paint(styleSpecial, fmt.Sprintf("<ref *%d>", n+1))+" "+sh.base, " ")
		}
	}
	return i.layout(&sh, level+1)
}

// behindProxies is what o stands for; nil for nothing any more.
func behindProxies(o *goja.Object) *goja.Object {
	for o != nil && isProxy(o) {
		proxy, _ := o.Export().(goja.Proxy)
		o = proxy.Target()
	}
	return o
}

func (i *inspector) cycle(o *goja.Object) int {
	for n, other := range i.cycles {
		if other == o {
			return n + 1
		}
	}
	i.cycles = append(i.cycles, o)
	return len(i.cycles)
}

// lineage finds the name of the constructor and the toStringTag of an object,
// "" for none, without running anything.
func (e *engine) lineage(o *goja.Object) (constructor, tag string) {
	for p := o; p != nil && !isProxy(p); p = p.Prototype() {
		if constructor == "" {
			if v, _ := e.own(p, jsString("constructor")); v != nil {
				if f, ok := v.(*goja.Object); ok {
					if f = behindProxies(f); f != nil && e.instanceOf(o, f) {
						constructor = e.functionName(f)
					}
				}
			}
		}
		if tag == "" {
			if v, _ := e.own(p, goja.SymToStringTag); v != nil {
				if text, ok := v.(goja.String); ok {
					tag = shownString(clipped(text))
				}
			}
		}
	}
	return constructor, tag
}

func (e *engine) functionName(f *goja.Object) string {
	v, _ := e.own(f, jsString("name"))
	text, ok := v.(goja.String)
	if !ok {
		return ""
	}
	return shownString(clipped(text))
}

// prefix names the class of an object in front of its braces.
func prefix(constructor, tag, fallback, size string) string {
	if constructor == "" {
		if tag != "" && tag != fallback {
			return fmt.Sprintf("[%s%s: null prototype] [%s] ", fallback, size, tag)
		}
		return fmt.Sprintf("[%s%s: null prototype] ", fallback, size)
	}
	if tag != "" {
		return fmt.Sprintf("%s%s [%s] ", constructor, size, tag)
	}
	return constructor + size + " "
}

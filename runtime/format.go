package runtime

import (
	"strings"

	"github.com/dop251/goja"
)

// format joins the arguments of a console call. When the first is a string, its
// %s, %d, %i, %f, %j, %o, %O and %c take the next arguments.
func (s *sandbox) format(arguments []goja.Value) string {
	var b strings.Builder
	rest := arguments
	if len(arguments) > 0 {
		if first, ok := arguments[0].(goja.String); ok {
			rest = arguments[1:]
			text := shownString(first)
			if len(rest) > 0 {
				text, rest = s.expand(text, rest)
			}
			b.WriteString(text)
			if len(rest) > 0 {
				b.WriteByte(' ')
			}
		}
	}
	for n, v := range rest {
		if n > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.show(v))
	}
	return b.String()
}

// expand fills in the verbs of a format and returns the arguments left over.
func (s *sandbox) expand(format string, arguments []goja.Value) (string, []goja.Value) {
	var b strings.Builder
	for {
		at := strings.IndexByte(format, '%')
		if at < 0 || at+1 >= len(format) {
			b.WriteString(format)
			return b.String(), arguments
		}
		b.WriteString(format[:at])
		verb := format[at+1]
		format = format[at+2:]
		switch {
		case verb == '%':
			b.WriteByte('%')
		case strings.IndexByte("sdifjoOc", verb) < 0 || len(arguments) == 0:
			b.WriteByte('%')
			b.WriteByte(verb)
		default:
			b.WriteString(s.verb(verb, arguments[0]))
			arguments = arguments[1:]
		}
	}
}

func (s *sandbox) verb(verb byte, v goja.Value) string {
	switch verb {
	case 's':
		if object, ok := v.(*goja.Object); ok {
			if s.namesItself(object) {
				return shownString(clipped(s.str(object)))
			}
			return s.inspectDepth(object, 0)
		}
		return s.show(v)
	case 'd', 'i', 'f':
		return s.numeral(verb, v)
	case 'j':
		json, problem := s.jsonValue(v)
		if problem != "" {
			return "[" + problem + "]"
		}
		return string(json)
	case 'o':
		return s.inspectDepth(v, 4)
	case 'O':
		return s.inspect(v)
	}
	return "" // %c is a style
}

func (s *sandbox) numeral(verb byte, v goja.Value) string {
	switch v.(type) {
	case *goja.Symbol, *goja.Object:
		return "NaN"
	}
	if goja.IsBigInt(v) {
		return v.String() + "n"
	}
	if verb == 'd' {
		return numberText(v.ToNumber())
	}
	parse := s.parseInt
	if verb == 'f' {
		parse = s.parseFloat
	}
	n, err := parse(goja.Undefined(), v)
	throw(err)
	return numberText(n)
}

// namesItself reports whether an object is shown by its own toString: a function,
// or one whose class is no built-in one and has such a method.
func (s *sandbox) namesItself(o *goja.Object) bool {
	if kindOf(o) == kindFunction {
		return true
	}
	for p := o; p != nil && !isProxy(p); p = p.Prototype() {
		if v, _ := s.own(p, jsString("toString")); v == nil {
			continue
		} else if f, ok := v.(*goja.Object); !ok || kindOf(f) != kindFunction {
			return false
		}
		v, _ := s.own(p, jsString("constructor"))
		class, ok := v.(*goja.Object)
		return p == o || !ok || isProxy(class) || !plainToString[s.functionName(class)]
	}
	return false
}

// plainToString are the built-in classes with a toString.
var plainToString = map[string]bool{
	"Object": true, "Array": true, "TypedArray": true, "Date": true, "Error": true, "RegExp": true,
	"String": true, "Number": true, "Boolean": true, "BigInt": true, "Symbol": true,
}

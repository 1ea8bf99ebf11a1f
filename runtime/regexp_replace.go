package runtime

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// A match is what replace works with, whoever found it.
type replaceMatch struct {
	at     int
	text   goja.String  // the match
	groups []goja.Value // the captures, from the first
	named  goja.Value   // undefined when there are none
}

func (e *engine) regexpReplace(c goja.FunctionCall) goja.Value {
	o, s := e.regexpObject(c.This, "[Symbol.replace]"), e.str(argument(c.Arguments, 0))
	replacement := argument(c.Arguments, 1)
	call, isFunction := goja.AssertFunction(replacement)
	var template goja.String
	if !isFunction {
		template = e.str(replacement)
	}
	var matches []replaceMatch
	if e.ownExec(o) {
		p := e.dataOf(o).program
		e.all(o, s, func(found []int32) {
			m := replaceMatch{at: int(found[0]), text: group(s, found, 0).(goja.String), named: goja.Undefined()}
			for n := 1; n < p.Groups; n++ {
				m.groups = append(m.groups, group(s, found, n))
			}
			if len(p.Names) > 0 {
				m.named = e.groups(p, func(n int) goja.Value { return group(s, found, n) }, found)
			}
			matches = append(matches, m)
		})
	} else {
		matches = e.foreignMatches(o, s)
	}
	var out goja.StringBuilder
	next := 0
	for _, m := range matches {
		var with goja.String
		if isFunction {
			arguments := append([]goja.Value{m.text}, m.groups...)
			arguments = append(arguments, e.ToValue(m.at), s)
			if !goja.IsUndefined(m.named) {
				arguments = append(arguments, m.named)
			}
			v, err := call(goja.Undefined(), arguments...)
			throw(err)
			with = e.str(v)
		} else {
			with = e.substitute(template, s, m)
		}
		if m.at < next {
			continue
		}
		out.WriteSubstring(s, next, m.at)
		out.WriteString(with)
		next = m.at + m.text.Length()
	}
	if next == 0 && len(matches) == 0 {
		return s
	}
	if next < s.Length() {
		out.WriteSubstring(s, next, s.Length())
	}
	return out.String()
}

// substitute fills in a replacement's $1, $<name>, $& and so on.
func (e *engine) substitute(template, s goja.String, m replaceMatch) goja.String {
	length := template.Length()
	if length == 0 {
		return template
	}
	at := dollar(template, 0)
	if at < 0 {
		return template
	}
	var out goja.StringBuilder
	from := 0
	for ; at >= 0; at = dollar(template, from) {
		out.WriteSubstring(template, from, at)
		from = at + 2
		if at+1 == length {
			from = at
			break
		}
		switch c := template.CharAt(at + 1); {
		case c == '$':
			out.WriteRune('$')
		case c == '&':
			out.WriteString(m.text)
		case c == '`':
			out.WriteSubstring(s, 0, m.at)
		case c == '\'':
			if end := m.at + m.text.Length(); end < s.Length() {
				out.WriteSubstring(s, end, s.Length())
			}
		case c >= '0' && c <= '9':
			n, digits := groupNumber(template, at+1, len(m.groups))
			if n == 0 {
				out.WriteSubstring(template, at, at+2)
				continue
			}
			from = at + 1 + digits
			if v := m.groups[n-1]; !goja.IsUndefined(v) {
				out.WriteString(e.str(v))
			}
		case c == '<' && !goja.IsUndefined(m.named):
			text := template.Substring(at+2, length)
			end := strings.IndexByte(text.String(), '>')
			if end < 0 {
				out.WriteSubstring(template, at, at+2)
				continue
			}
			name := text.String()[:end]
			from = at + 3 + units(name)
			if v := m.named.(*goja.Object).Get(name); v != nil && !goja.IsUndefined(v) {
				out.WriteString(e.str(v))
			}
		default:
			out.WriteSubstring(template, at, at+2)
		}
	}
	if from < length {
		out.WriteSubstring(template, from, length)
	}
	return out.String()
}

// dollar finds the next $ of a template.
func dollar(template goja.String, from int) int {
	for i := from; i < template.Length(); i++ {
		if template.CharAt(i) == '$' {
			return i
		}
	}
	return -1
}

// groupNumber reads one digit or two, as long as there is such a group.
func groupNumber(template goja.String, at, groups int) (n, digits int) {
	one := int(template.CharAt(at) - '0')
	if at+1 < template.Length() {
		if c := template.CharAt(at + 1); c >= '0' && c <= '9' {
			if two := one*10 + int(c-'0'); two >= 1 && two <= groups {
				return two, 2
			}
		}
	}
	if one >= 1 && one <= groups {
		return one, 1
	}
	return 0, 0
}

// foreignSteps goes through the matches of an object with an exec of its own.
func (e *engine) foreignSteps(o *goja.Object, s goja.String, each func(result *goja.Object)) (global bool) {
	flags := ""
	if v := o.Get("flags"); v != nil {
		flags = e.str(v).String()
	}
	global = strings.Contains(flags, "g")
	if global {
		e.setLastIndex(o, 0)
	}
	for {
		result := e.foreignExec(o, s)
		if result == nil {
			return global
		}
		each(result)
		if !global {
			return global
		}
		if e.str(result.Get("0")).Length() == 0 {
			e.setLastIndex(o, int(o.Get("lastIndex").ToInteger())+1)
		}
	}
}

func (e *engine) foreignMatch(o *goja.Object, s goja.String) goja.Value {
	var matches []any
	var only *goja.Object
	if !e.foreignSteps(o, s, func(result *goja.Object) {
		only = result
		matches = append(matches, e.str(result.Get("0")))
	}) {
		if only == nil {
			return goja.Null()
		}
		return only
	}
	if matches == nil {
		return goja.Null()
	}
	return e.NewArray(matches...)
}

// maxCaptures bounds the result of an exec that is not ours.
const maxCaptures = 1 << 16

func (e *engine) foreignMatches(o *goja.Object, s goja.String) []replaceMatch {
	var matches []replaceMatch
	e.foreignSteps(o, s, func(result *goja.Object) {
		m := replaceMatch{named: goja.Undefined()}
		m.text = e.str(result.Get("0"))
		if v := result.Get("index"); v != nil {
			m.at = int(min(max(v.ToInteger(), 0), int64(s.Length())))
		}
		count := int64(0)
		if v := result.Get("length"); v != nil {
			count = v.ToInteger()
		}
		if count > maxCaptures {
			panic(must(e.New(e.rangeErrorClass, jsString("exec gave too many captures"))))
		}
		for n := int64(1); n < count; n++ {
			v := result.Get(strconv.FormatInt(n, 10))
			if v == nil {
				v = goja.Undefined()
			}
			m.groups = append(m.groups, v)
		}
		if v, ok := result.Get("groups").(*goja.Object); ok {
			m.named = v
		}
		matches = append(matches, m)
	})
	return matches
}

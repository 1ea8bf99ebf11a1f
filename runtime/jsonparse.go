package runtime

import (
	"math"
	"strconv"

	"github.com/dop251/goja"
)

// JSON.parse is ours: the engine's loses lone surrogates, which here are bytes of
// file names, refuses numbers that are too large for it, and nests until the
// process dies.

// maxJSONDepth is how deep JSON may nest.
const maxJSONDepth = 4000

func (e *engine) defineJSON() {
	e.hide(e.object("JSON"), "parse", e.function("parse", 2, func(c goja.FunctionCall) goja.Value {
		text, ok := c.Argument(0).(goja.String)
		if !ok {
			text = e.str(c.Argument(0))
		}
		reviver, ok := goja.AssertFunction(c.Argument(1))
		if !ok {
			return e.parseJSON(text)
		}
		p := jsonParser{engine: e, text: text, sources: true}
		root := e.NewObject()
		e.member(root, "", p.parse())
		return e.revive(reviver, root, jsString(""), p.source)
	}))
}

func (e *engine) parseJSON(text goja.String) goja.Value {
	p := jsonParser{engine: e, text: text}
	return p.parse()
}

func (p *jsonParser) parse() goja.Value {
	if p.ascii, p.wide = p.textUnits(p.text); p.wide != nil {
		p.ascii = nil
	}
	p.length = p.text.Length()
	p.space()
	v := p.value(0)
	if p.space(); p.at < p.length {
		p.fail(trailing)
	}
	return v
}

type jsonParser struct {
	*engine
	text   goja.String
	ascii  []byte // one of the two
	wide   []uint16
	at     int
	length int

	sources bool        // where values stand is kept, for a reviver
	source  *jsonSource // of the value that was read last
}

// peek is the unit at the current place, 0xffff at the end, where it means
// nothing.
func (p *jsonParser) peek() uint16 {
	switch {
	case p.at >= p.length:
		return 0xffff
	case p.wide != nil:
		return p.wide[p.at]
	}
	return uint16(p.ascii[p.at])
}

func (p *jsonParser) space() {
	for {
		switch p.peek() {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *jsonParser) value(depth int) goja.Value {
	if p.sources {
		return p.sourced(depth)
	}
	return p.bare(depth)
}

func (p *jsonParser) bare(depth int) goja.Value {
	if depth > maxJSONDepth {
		panic(must(p.New(p.rangeErrorClass, jsString("the JSON is nested too deep"))))
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return p.word("true", p.ToValue(true))
	case c == 'f':
		return p.word("false", p.ToValue(false))
	case c == 'n':
		return p.word("null", goja.Null())
	}
	p.unexpected()
	return nil
}

func (p *jsonParser) word(word string, v goja.Value) goja.Value {
	for i := range len(word) {
		if p.peek() != uint16(word[i]) {
			p.unexpected()
		}
		p.at++
	}
	return v
}

func (p *jsonParser) array(depth int) goja.Value {
	p.at++
	var items []any
	source := &jsonSource{}
	if p.space(); p.peek() == ']' {
		p.at++
		p.source = source
		return p.NewArray()
	}
	for {
		if len(items)&0xfff == 0xfff && p.halting.Load() {
			panic(errStopping)
		}
		p.space()
		items = append(items, p.value(depth+1))
		if p.sources {
			source.items = append(source.items, p.source)
		}
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case ']':
			p.at++
			p.source = source
			return p.NewArray(items...)
		default:
			p.expected("',' or ']' after array element")
		}
	}
}

func (p *jsonParser) object(depth int) goja.Value {
	p.at++
	object := p.NewObject()
	source := &jsonSource{members: map[string]*jsonSource{}}
	if p.space(); p.peek() == '}' {
		p.at++
		p.source = source
		return object
	}
	for first := true; ; first = false {
		if p.space(); p.peek() != '"' {
			if first {
				p.expected("property name or '}'")
			}
			p.expected("double-quoted property name")
		}
		key := p.string()
		if p.space(); p.peek() != ':' {
			p.expected("':' after property name")
		}
		p.at++
		p.space()
		value := p.value(depth + 1)
		if p.sources {
			name, _ := goString(key)
			source.members[name] = p.source
		}
		if p.wide == nil && key.Length() == len(key.String()) {
			p.member(object, key.String(), value)
		} else {
			name, _ := goString(key)
			p.exactMember(object, key, name, value)
		}
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case '}':
			p.at++
			p.source = source
			return object
		default:
			p.expected("',' or '}' after property value")
		}
	}
}

// exactMember defines a member whose name may hold lone surrogates, which do not
// survive the engine's Go interface.
func (e *engine) exactMember(o *goja.Object, key goja.String, name string, v goja.Value) {
	if jsString(name).SameAs(key) {
		e.buildMember(o, name, v)
		return
	}
	e.defineExact(o, key, v)
}

func (p *jsonParser) string() goja.String {
	p.at++
	start := p.at
	for {
		switch c := p.peek(); {
		case c == '"':
			s := p.text.Substring(start, p.at)
			p.at++
			return s
		case c == '\\':
			return p.escaped(start)
		case p.at >= p.length || c < 0x20:
			p.badString()
		}
		p.at++
	}
}

// escaped reads a string that has escapes, of which the part from start on has
// been read.
func (p *jsonParser) escaped(start int) goja.String {
	out := unitsOf(p.text.Substring(start, p.at))
	for {
		c := p.peek()
		switch {
		case c == '"':
			p.at++
			return goja.StringFromUTF16(out)
		case p.at >= p.length || c < 0x20:
			p.badString()
		case c == '\\':
			p.at++
			out = append(out, p.escape())
			continue
		}
		out = append(out, c)
		p.at++
	}
}

func (p *jsonParser) escape() uint16 {
	c := p.peek()
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		c = 0
		for range 4 {
			p.at++
			d := hexValue(p.peek())
			if d < 0 {
				p.fail("Bad Unicode escape")
			}
			c = c<<4 | uint16(d)
		}
	default:
		if p.at >= p.length {
			p.unexpected()
		}
		p.fail("Bad escaped character")
	}
	p.at++
	return c
}

func hexValue(c uint16) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func (p *jsonParser) number() goja.Value {
	start, whole := p.at, true
	digits := func(problem string) {
		if c := p.peek(); c < '0' || c > '9' {
			p.fail(problem)
		}
		for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
			p.at++
		}
	}
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		if p.at++; p.peek() >= '0' && p.peek() <= '9' {
			p.fail("Unexpected number")
		}
	} else {
		digits("No number after minus sign")
	}
	if p.peek() == '.' {
		whole = false
		p.at++
		digits("Unterminated fractional number")
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		whole = false
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		digits("Exponent part is missing a number")
	}
	text := p.text.Substring(start, p.at).String()
	if whole && len(text) < 16 && text[0] != '-' {
		n, _ := strconv.ParseInt(text, 10, 64)
		return p.ToValue(n)
	}
	f, _ := strconv.ParseFloat(text, 64)
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 && !(f == 0 && text[0] == '-') {
		return p.ToValue(int64(f))
	}
	return p.ToValue(f)
}

// revive is what JSON.parse does with a reviver: from the inside out.
func (e *engine) revive(reviver goja.Callable, holder *goja.Object, key goja.Value, source *jsonSource) goja.Value {
	name, _ := key.(goja.String)
	v := e.read(holder, name)
	if o, ok := v.(*goja.Object); ok {
		if kindOf(o) == kindArray {
			for i := int64(0); i < o.Get("length").ToInteger(); i++ {
				e.reviveMember(reviver, o, jsString(strconv.FormatInt(i, 10)).(goja.String), source.item(i))
			}
		} else {
			for _, key := range e.keys(o) {
				e.reviveMember(reviver, o, key, source.member(key))
			}
		}
	}
	result, err := reviver(holder, key, v, source.context(e, v))
	throw(err)
	return result
}

func (e *engine) reviveMember(reviver goja.Callable, o *goja.Object, key goja.String, source *jsonSource) {
	v := e.revive(reviver, o, key, source)
	if goja.IsUndefined(v) {
		_, err := e.deleteProperty(goja.Undefined(), o, key)
		throw(err)
		return
	}
	e.defineExact(o, key, v)
}

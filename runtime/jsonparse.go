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
		v := e.parseJSON(text)
		if reviver, ok := goja.AssertFunction(c.Argument(1)); ok {
			root := e.NewObject()
			e.member(root, "", v)
			return e.revive(reviver, root, jsString(""))
		}
		return v
	}))
}

func (e *engine) parseJSON(text goja.String) goja.Value {
	p := jsonParser{engine: e, text: text}
	if p.ascii, p.wide = e.textUnits(text); p.wide != nil {
		p.ascii = nil
	}
	p.length = text.Length()
	p.space()
	v := p.value(0)
	if p.space(); p.at < p.length {
		p.unexpected()
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

func (p *jsonParser) unexpected() {
	if p.at >= p.length {
		p.throwSyntaxError("Unexpected end of JSON input")
	}
	shown := shownString(p.text.Substring(max(p.at-10, 0), min(p.at+10, p.length)))
	if p.at > 10 {
		shown = "..." + shown
	}
	if p.at+10 < p.length {
		shown += "..."
	}
	token := shownString(p.text.Substring(p.at, p.at+1))
	p.throwSyntaxError("Unexpected token '" + token + "', " + strconv.Quote(shown) + " is not valid JSON (at position " + strconv.Itoa(p.at) + ")")
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
	if p.space(); p.peek() == ']' {
		p.at++
		return p.NewArray()
	}
	for {
		if len(items)&0xfff == 0xfff && p.halting.Load() {
			panic(errStopping)
		}
		p.space()
		items = append(items, p.value(depth+1))
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case ']':
			p.at++
			return p.NewArray(items...)
		default:
			p.unexpected()
		}
	}
}

func (p *jsonParser) object(depth int) goja.Value {
	p.at++
	object := p.NewObject()
	if p.space(); p.peek() == '}' {
		p.at++
		return object
	}
	for {
		if p.space(); p.peek() != '"' {
			p.unexpected()
		}
		key := p.string()
		if p.space(); p.peek() != ':' {
			p.unexpected()
		}
		p.at++
		p.space()
		value := p.value(depth + 1)
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
			return object
		default:
			p.unexpected()
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
			p.unexpected()
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
			p.unexpected()
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
				p.unexpected()
			}
			c = c<<4 | uint16(d)
		}
	default:
		p.unexpected()
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
	digits := func() {
		if c := p.peek(); c < '0' || c > '9' {
			p.unexpected()
		}
		for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
			p.at++
		}
	}
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else {
		digits()
	}
	if p.peek() == '.' {
		whole = false
		p.at++
		digits()
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		whole = false
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		digits()
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
func (e *engine) revive(reviver goja.Callable, holder *goja.Object, key goja.Value) goja.Value {
	name, _ := key.(goja.String)
	v := e.read(holder, name)
	if o, ok := v.(*goja.Object); ok {
		if kindOf(o) == kindArray {
			for i := int64(0); i < o.Get("length").ToInteger(); i++ {
				e.reviveMember(reviver, o, jsString(strconv.FormatInt(i, 10)).(goja.String))
			}
		} else {
			for _, key := range e.keys(o) {
				e.reviveMember(reviver, o, key)
			}
		}
	}
	result, err := reviver(holder, key, v)
	throw(err)
	return result
}

func (e *engine) reviveMember(reviver goja.Callable, o *goja.Object, key goja.String) {
	v := e.revive(reviver, o, key)
	if goja.IsUndefined(v) {
		_, err := e.deleteProperty(goja.Undefined(), o, key)
		throw(err)
		return
	}
	e.defineExact(o, key, v)
}

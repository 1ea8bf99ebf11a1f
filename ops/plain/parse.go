package plain

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Limits of [Parse]. They bound what a stranger's text can cost.
const (
	MaxDepth = 64 // nesting of arrays and objects
)

// Number is a JSON number in its own spelling.
type Number string

// Object is a JSON object with its members in the order they were written.
type Object struct {
	Members []Member
}

// Member is one name and value of an [Object].
type Member struct {
	Name  string
	Value any
}

// Get returns the member called name.
func (o *Object) Get(name string) (any, bool) {
	for _, m := range o.Members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return nil, false
}

// KindOf names the JSON kind of a value returned by [Parse], for messages.
func KindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	case *Object:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}

// SyntaxError says what is wrong with a text and where.
type SyntaxError struct {
	Offset  int // in bytes
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Message)
}

// Parse reads exactly one JSON value: nil, bool, [Number], string (see [Text]
// for stray bytes), []any or *[Object]. Every deviation is a *[SyntaxError].
func Parse(data []byte) (any, error) {
	p := parser{data: data}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.data) {
		return nil, p.fail("data after the value")
	}
	return v, nil
}

type parser struct {
	data []byte
	at   int
}

func (p *parser) fail(format string, args ...any) error {
	return &SyntaxError{Offset: p.at, Message: fmt.Sprintf(format, args...)}
}

func (p *parser) space() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (any, error) {
	if depth > MaxDepth {
		return nil, p.fail("nested deeper than %d levels", MaxDepth)
	}
	p.space()
	if p.at >= len(p.data) {
		return nil, p.fail("unexpected end")
	}
	switch c := p.data[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, word := range []struct {
		text  string
		value any
	}{{"null", nil}, {"true", true}, {"false", false}} {
		if len(p.data)-p.at >= len(word.text) && string(p.data[p.at:p.at+len(word.text)]) == word.text {
			p.at += len(word.text)
			return word.value, nil
		}
	}
	return nil, p.fail("unexpected character %q", p.data[p.at])
}

func (p *parser) object(depth int) (any, error) {
	p.at++
	obj := &Object{}
	seen := map[string]bool{}
	if p.closes('}') {
		return obj, nil
	}
	for {
		p.space()
		if p.at >= len(p.data) || p.data[p.at] != '"' {
			return nil, p.fail("expected a member name")
		}
		name, err := p.string()
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, p.fail("duplicate member %q", name)
		}
		seen[name] = true
		p.space()
		if p.at >= len(p.data) || p.data[p.at] != ':' {
			return nil, p.fail("expected ':' after %q", name)
		}
		p.at++
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		obj.Members = append(obj.Members, Member{name, value})
		if p.closes('}') {
			return obj, nil
		}
		if err := p.comma(); err != nil {
			return nil, err
		}
	}
}

func (p *parser) array(depth int) (any, error) {
	p.at++
	list := []any{}
	if p.closes(']') {
		return list, nil
	}
	for {
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
		if p.closes(']') {
			return list, nil
		}
		if err := p.comma(); err != nil {
			return nil, err
		}
	}
}

func (p *parser) closes(c byte) bool {
	p.space()
	if p.at < len(p.data) && p.data[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) comma() error {
	if p.at >= len(p.data) || p.data[p.at] != ',' {
		return p.fail("expected ',' or the end of the list")
	}
	p.at++
	return nil
}

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}

func (p *parser) number() (any, error) {
	start := p.at
	if p.data[p.at] == '-' {
		p.at++
	}
	if p.at < len(p.data) && p.data[p.at] == '0' {
		p.at++
	} else if !p.digits() {
		return nil, p.fail("malformed number")
	}
	if p.at < len(p.data) && p.data[p.at] == '.' {
		p.at++
		if !p.digits() {
			return nil, p.fail("malformed number")
		}
	}
	if p.at < len(p.data) && (p.data[p.at] == 'e' || p.data[p.at] == 'E') {
		p.at++
		if p.at < len(p.data) && (p.data[p.at] == '+' || p.data[p.at] == '-') {
			p.at++
		}
		if !p.digits() {
			return nil, p.fail("malformed number")
		}
	}
	return Number(p.data[start:p.at]), nil
}

func (p *parser) string() (string, error) {
	p.at++
	var out []byte
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == '"':
			p.at++
			return string(out), nil
		case c < 0x20:
			return "", p.fail("unescaped control character in a string")
		case c == '\\':
			var err error
			if out, err = p.escape(out); err != nil {
				return "", err
			}
		case c < utf8.RuneSelf:
			out = append(out, c)
			p.at++
		default:
			r, size := utf8.DecodeRune(p.data[p.at:])
			if r == utf8.RuneError && size == 1 {
				return "", p.fail("invalid UTF-8 in a string")
			}
			out = append(out, p.data[p.at:p.at+size]...)
			p.at += size
		}
	}
	return "", p.fail("unterminated string")
}

var shortEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *parser) escape(out []byte) ([]byte, error) {
	if p.at+1 >= len(p.data) {
		return nil, p.fail("unterminated string")
	}
	if c, ok := shortEscapes[p.data[p.at+1]]; ok {
		p.at += 2
		return append(out, c), nil
	}
	u, ok := p.unit()
	if !ok {
		return nil, p.fail("malformed escape")
	}
	units := []uint16{u}
	if u >= 0xd800 && u < 0xdc00 {
		before := p.at
		if low, ok := p.unit(); ok && low >= 0xdc00 && low <= 0xdfff {
			units = append(units, low)
		} else {
			p.at = before
		}
	}
	s, ok := FromUTF16(units)
	if !ok {
		return nil, p.fail("lone surrogate \\u%04x, which spells no byte of a file name", u)
	}
	return append(out, s...), nil
}

// unit reads one \uXXXX escape.
func (p *parser) unit() (uint16, bool) {
	if p.at+6 > len(p.data) || p.data[p.at] != '\\' || p.data[p.at+1] != 'u' {
		return 0, false
	}
	var u uint16
	for _, c := range p.data[p.at+2 : p.at+6] {
		switch {
		case c >= '0' && c <= '9':
			u = u<<4 | uint16(c-'0')
		case c >= 'a' && c <= 'f':
			u = u<<4 | uint16(c-'a'+10)
		case c >= 'A' && c <= 'F':
			u = u<<4 | uint16(c-'A'+10)
		default:
			return 0, false
		}
	}
	p.at += 6
	return u, true
}

// Int64 returns n as a whole number; false if it is none, or out of range.
func (n Number) Int64() (int64, bool) {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return i, true
	}
	// 1e3 and 5.0 are whole numbers, too.
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

package regex

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// atomEscape parses what follows a backslash outside of a class.
func (p *parser) atomEscape() (n *node, quantifiable bool) {
	r := p.peek(0)
	switch {
	case r < 0:
		p.fail("\\ at end of pattern")
	case r == 'b' || r == 'B':
		p.at++
		return &node{op: nodeWord, negative: r == 'B', ignoreCase: p.ignoreCase}, false
	case r >= '1' && r <= '9':
		if n := p.backreference(); n != nil {
			return n, true
		}
	case r == 'k' && p.named:
		p.at++
		if !p.take('<') {
			p.fail("Invalid named reference")
		}
		n := &node{op: nodeBackref, ignoreCase: p.ignoreCase}
		p.pending, p.refs = append(p.pending, n), append(p.refs, p.groupName())
		return n, true
	}
	if set, ok := p.classEscape(); ok {
		return &node{op: nodeSet, set: p.cased(set)}, true
	}
	return p.char(p.characterEscape(false)), true
}

// backreference reads a number that names a group. Without u, one that names
// none is an octal escape.
func (p *parser) backreference() *node {
	start, n := p.at, 0
	for r := p.peek(0); r >= '0' && r <= '9'; r = p.peek(0) {
		n = min(n*10+int(r-'0'), 1<<30)
		p.at++
	}
	if n <= p.total {
		return &node{op: nodeBackref, groups: []int{n}, ignoreCase: p.ignoreCase}
	}
	if p.unicode {
		p.fail("Invalid escape")
	}
	p.at = start
	return nil
}

// classEscape reads an escape that stands for a set.
func (p *parser) classEscape() (ranges, bool) {
	var set ranges
	switch r := p.peek(0); r {
	case 'd', 'D':
		set = digits
	case 's', 'S':
		set = spaces
	case 'w', 'W':
		set = words
		if p.unicode && p.ignoreCase {
			set = foldedWords
		}
	case 'p', 'P':
		if !p.unicode {
			return nil, false
		}
		p.at++
		return p.property(r == 'P'), true
	default:
		return nil, false
	}
	negative := unicode.IsUpper(p.peek(0))
	p.at++
	if negative {
		return negate(set), true
	}
	return set, true
}

func (p *parser) property(negative bool) ranges {
	if !p.take('{') {
		p.fail("Invalid property name")
	}
	var text strings.Builder
	for !p.take('}') {
		r := p.peek(0)
		if r < 0 {
			p.fail("Invalid property name")
		}
		text.WriteRune(r)
		p.at++
	}
	set, problem := propertySet(text.String())
	if problem != "" {
		p.fail("%s", problem)
	}
	if !negative {
		return set
	}
	if p.sets && p.ignoreCase { // v folds before it takes the complement
		set = closure(set, true)
	}
	return negate(set)
}

// characterEscape reads an escape that stands for one character.
func (p *parser) characterEscape(class bool) rune {
	r := p.peek(0)
	p.at++
	switch r {
	case -1:
		p.fail("\\ at end of pattern")
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'v':
		return '\v'
	case 'f':
		return '\f'
	case 'r':
		return '\r'
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.octal(r, class)
	case 'c':
		c := p.peek(0)
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || class && !p.unicode && (c >= '0' && c <= '9' || c == '_') {
			p.at++
			return c % 32
		}
		if p.unicode {
			p.fail("Invalid unicode escape")
		}
		p.at--
		return '\\'
	case 'x':
		if n, ok := p.hex(2); ok {
			return n
		}
		if p.unicode {
			p.fail("Invalid escape")
		}
		return 'x'
	case 'u':
		if n, ok := p.unicodeEscape(p.unicode); ok {
			return n
		}
		if p.unicode {
			p.fail("Invalid Unicode escape")
		}
		return 'u'
	case 'k':
		if p.named && !class {
			p.fail("Invalid named reference")
		}
	}
	if p.unicode && !strings.ContainsRune(`^$\.*+?()[]{}|/`, r) && !(class && r == '-') {
		if !(p.sets && class && strings.ContainsRune("&-!#%,:;<=>@`~", r)) {
			p.fail("Invalid escape")
		}
	}
	return r
}

// octal reads the escapes that begin with a digit.
func (p *parser) octal(r rune, class bool) rune {
	next := p.peek(0)
	if p.unicode {
		if r != '0' || next >= '0' && next <= '9' {
			if class {
				p.fail("Invalid class escape")
			}
			p.fail("Invalid decimal escape")
		}
		return 0
	}
	if r >= '8' {
		return r
	}
	n := r - '0'
	for i := 0; i < 2 && p.peek(0) >= '0' && p.peek(0) <= '7' && n*8+p.peek(0)-'0' <= 255; i++ {
		n = n*8 + p.peek(0) - '0'
		p.at++
	}
	return n
}

func (p *parser) hex(digits int) (rune, bool) {
	n := rune(0)
	for i := range digits {
		d := hexDigit(p.peek(i))
		if d < 0 {
			return 0, false
		}
		n = n*16 + d
	}
	p.at += digits
	return n, true
}

func hexDigit(r rune) rune {
	switch {
	case r >= '0' && r <= '9':
		return r - '0'
	case r >= 'a' && r <= 'f':
		return r - 'a' + 10
	case r >= 'A' && r <= 'F':
		return r - 'A' + 10
	}
	return -1
}

// unicodeEscape reads what follows \u; braces and pairs only where asked for.
func (p *parser) unicodeEscape(full bool) (rune, bool) {
	if full && p.peek(0) == '{' {
		n, at := rune(0), p.at+1
		for at < len(p.text) && hexDigit(p.text[at]) >= 0 && n <= maxRune {
			n = n*16 + hexDigit(p.text[at])
			at++
		}
		if at == p.at+1 || at >= len(p.text) || p.text[at] != '}' || n > maxRune {
			return 0, false
		}
		p.at = at + 1
		return n, true
	}
	n, ok := p.hex(4)
	if ok && full && utf16.IsSurrogate(n) && p.peek(0) == '\\' && p.peek(1) == 'u' {
		at := p.at
		p.at += 2
		if low, ok := p.hex(4); ok {
			if pair := utf16.DecodeRune(n, low); pair != unicode.ReplacementChar {
				return pair, true
			}
		}
		p.at = at
	}
	return n, ok
}

package regex

import (
	"errors"
	"fmt"
	"unicode"
	"unicode/utf16"
)

// maxNesting bounds how deep groups and classes may stand in each other.
const maxNesting = 500

type parser struct {
	text []rune // code points with u or v, otherwise UTF-16 units
	at   int

	unicode, sets bool // u or v; v
	named         bool // there are named groups: \k is a reference
	ignoreCase    bool // as it is at this place
	multiline     bool
	dotAll        bool

	groups  int // counted so far
	total   int // of the whole pattern
	names   []Name
	inside  []string // names in the alternatives around this place
	pending []*node  // references by name
	refs    []string // their names
	depth   int
}

func newParser(source []uint16, p *Program) *parser {
	q := &parser{unicode: p.Unicode || p.UnicodeSets, sets: p.UnicodeSets, ignoreCase: p.IgnoreCase, multiline: p.Multiline, dotAll: p.DotAll}
	for i := 0; i < len(source); i++ {
		r := rune(source[i])
		if q.unicode && i+1 < len(source) {
			if pair := utf16.DecodeRune(r, rune(source[i+1])); pair != unicode.ReplacementChar {
				r = pair
				i++
			}
		}
		q.text = append(q.text, r)
	}
	q.total, q.named = countGroups(q.text, q.sets)
	q.named = q.named || q.unicode
	return q
}

// countGroups finds how many groups there are, and whether one has a name.
func countGroups(text []rune, sets bool) (n int, named bool) {
	class := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			if class == 0 || sets {
				class++
			}
		case ']':
			class = max(class-1, 0)
		case '(':
			if class > 0 {
				continue
			}
			if i+1 < len(text) && text[i+1] == '?' {
				if i+3 < len(text) && text[i+2] == '<' && text[i+3] != '=' && text[i+3] != '!' {
					n, named = n+1, true
				}
				continue
			}
			n++
		}
	}
	return n, named
}

// A parseError ends the parse from any depth.
type parseError struct{ message string }

func (p *parser) fail(format string, args ...any) {
	panic(parseError{fmt.Sprintf(format, args...)})
}

func (p *parser) parse() (n *node, err error) {
	defer func() {
		if x := recover(); x != nil {
			e, ok := x.(parseError)
			if !ok {
				panic(x)
			}
			err = errors.New(e.message)
		}
	}()
	n = p.alternatives()
	if p.at < len(p.text) {
		p.fail("Unmatched ')'")
	}
	for i, ref := range p.pending {
		found := false
		for _, name := range p.names {
			if name.Name == p.refs[i] {
				ref.groups, found = name.Groups, true
			}
		}
		if !found {
			p.fail("Invalid named capture referenced")
		}
	}
	return n, nil
}

func (p *parser) peek(offset int) rune {
	if p.at+offset < len(p.text) {
		return p.text[p.at+offset]
	}
	return -1
}

func (p *parser) take(r rune) bool {
	if p.peek(0) == r {
		p.at++
		return true
	}
	return false
}

func (p *parser) takeText(s string) bool {
	for i, r := range s {
		if p.peek(i) != r {
			return false
		}
	}
	p.at += len(s)
	return true
}

func (p *parser) nest() {
	if p.depth++; p.depth > maxNesting {
		p.fail("Regular expression too large")
	}
}

func (p *parser) alternatives() *node {
	p.nest()
	defer func() { p.depth-- }()
	before := len(p.inside)
	all := p.inside
	var list []*node
	for {
		p.inside = append([]string(nil), all[:before]...)
		list = append(list, p.sequence())
		all = append(all, p.inside[before:]...)
		if !p.take('|') {
			break
		}
	}
	p.inside = all
	if len(list) == 1 {
		return list[0]
	}
	return &node{op: nodeAlt, subs: list}
}

func (p *parser) sequence() *node {
	var list []*node
	for p.at < len(p.text) && p.peek(0) != '|' && p.peek(0) != ')' {
		from := p.groups
		n, quantifiable := p.term()
		n = p.quantifier(n, quantifiable, from)
		list = append(list, n)
	}
	if len(list) == 1 {
		return list[0]
	}
	return &node{op: nodeCat, subs: list}
}

func (p *parser) term() (n *node, quantifiable bool) {
	switch r := p.peek(0); r {
	case '^':
		p.at++
		return &node{op: nodeStart, multiline: p.multiline}, false
	case '$':
		p.at++
		return &node{op: nodeEnd, multiline: p.multiline}, false
	case '(':
		return p.group()
	case '.':
		p.at++
		if p.dotAll {
			return &node{op: nodeSet, set: ranges{0, maxRune}}, true
		}
		return &node{op: nodeSet, set: negate(lineEnds)}, true
	case '[':
		p.at++
		return p.class(), true
	case '\\':
		p.at++
		return p.atomEscape()
	case '*', '+', '?':
		p.fail("Nothing to repeat")
	case '{':
		if p.unicode {
			p.fail("Nothing to repeat")
		}
		if _, _, ok := p.braces(); ok {
			p.fail("Nothing to repeat")
		}
		fallthrough
	case '}', ']':
		if p.unicode {
			p.fail("Lone quantifier brackets")
		}
		fallthrough
	default:
		p.at++
		return p.char(r), true
	}
	return nil, false
}

// char is the node of one character.
func (p *parser) char(r rune) *node {
	return &node{op: nodeSet, set: p.cased(single(r))}
}

// cased adds what is equal when case is ignored here.
func (p *parser) cased(s ranges) ranges {
	if p.ignoreCase {
		return closure(s, p.unicode)
	}
	return s
}

// braces reads {n}, {n,} or {n,m}; where there is no such thing it reads nothing.
func (p *parser) braces() (least, most int, ok bool) {
	start := p.at
	p.at++
	number := func() (int, bool) {
		n, any := 0, false
		for r := p.peek(0); r >= '0' && r <= '9'; r = p.peek(0) {
			n, any = min(n*10+int(r-'0'), 1<<31), true
			p.at++
		}
		return n, any
	}
	least, ok = number()
	most = least
	if ok && p.take(',') {
		var bounded bool
		if most, bounded = number(); !bounded {
			most = -1
		}
	}
	if !ok || !p.take('}') {
		p.at = start
		return 0, 0, false
	}
	return least, most, true
}

func (p *parser) quantifier(n *node, quantifiable bool, from int) *node {
	least, most := 0, -1
	switch p.peek(0) {
	case '*':
		p.at++
	case '+':
		p.at++
		least = 1
	case '?':
		p.at++
		most = 1
	case '{':
		var ok bool
		if least, most, ok = p.braces(); !ok {
			if p.unicode {
				p.fail("Incomplete quantifier")
			}
			return n
		}
		if most >= 0 && most < least {
			p.fail("numbers out of order in {} quantifier")
		}
	default:
		return n
	}
	if !quantifiable {
		p.fail("Nothing to repeat")
	}
	greedy := !p.take('?')
	return &node{op: nodeRepeat, subs: []*node{n}, min: least, max: most, greedy: greedy, from: from + 1, to: p.groups + 1}
}

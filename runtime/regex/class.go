package regex

import "slices"

// class parses a class after its bracket.
func (p *parser) class() *node {
	if p.sets {
		return p.setClass()
	}
	negative := p.take('^')
	var sets []ranges
	for !p.take(']') {
		first, isSet := p.classAtom()
		if p.peek(0) == '-' && p.peek(1) != ']' && p.peek(1) >= 0 {
			p.at++
			last, lastIsSet := p.classAtom()
			if isSet || lastIsSet {
				if p.unicode {
					p.fail("Invalid character class")
				}
				sets = append(sets, first, single('-'), last)
				continue
			}
			if first[0] > last[0] {
				p.fail("Range out of order in character class")
			}
			sets = append(sets, between(first[0], last[0]))
			continue
		}
		sets = append(sets, first)
	}
	set := p.cased(union(sets...))
	if negative {
		set = negate(set)
	}
	return &node{op: nodeSet, set: set}
}

// classAtom reads one member of a class; isSet tells an escape for a set.
func (p *parser) classAtom() (set ranges, isSet bool) {
	r := p.peek(0)
	switch r {
	case -1:
		p.fail("Unterminated character class")
	case '\\':
		p.at++
		return p.classAtomEscape()
	}
	p.at++
	return single(r), false
}

func (p *parser) classAtomEscape() (set ranges, isSet bool) {
	if set, ok := p.classEscape(); ok {
		return set, true
	}
	switch {
	case p.take('b'):
		return single('\b'), false
	}
	return single(p.characterEscape(true)), false
}

// A setValue is what a class with v stands for: characters, and strings of none
// or several.
type setValue struct {
	chars   ranges
	strings [][]rune
}

// setClass parses a class with the v flag. It becomes the alternatives of its
// strings, the longest first, and its characters.
func (p *parser) setClass() *node {
	v := p.setContents()
	set := &node{op: nodeSet, set: v.chars}
	if len(v.strings) == 0 {
		return set
	}
	slices.SortStableFunc(v.strings, func(a, b []rune) int { return len(b) - len(a) })
	alternatives := &node{op: nodeAlt}
	placed := false
	for _, s := range v.strings {
		if len(s) == 0 && !placed {
			alternatives.subs, placed = append(alternatives.subs, set), true
		}
		n := &node{op: nodeCat}
		for _, r := range s {
			n.subs = append(n.subs, p.char(r))
		}
		alternatives.subs = append(alternatives.subs, n)
	}
	if !placed {
		alternatives.subs = append(alternatives.subs, set)
	}
	return &node{op: nodeCat, subs: []*node{alternatives}}
}

func (p *parser) setContents() setValue {
	p.nest()
	defer func() { p.depth-- }()
	negative := p.take('^')
	var v setValue
	operator := ""
	for n := 0; !p.take(']'); n++ {
		if n > 0 && (p.peek(0) == '-' && p.peek(1) == '-' || p.peek(0) == '&' && p.peek(1) == '&') {
			next := string(p.text[p.at : p.at+2])
			if operator == "" && n == 1 {
				operator = next
			}
			if operator != next {
				p.fail("Invalid set operation in character class")
			}
			p.at += 2
			operand, _ := p.setOperand()
			v = combine(v, operand, operator)
			continue
		}
		if operator != "" {
			p.fail("Invalid set operation in character class")
		}
		operand, char := p.setOperand()
		if char >= 0 && p.peek(0) == '-' && p.peek(1) != '-' {
			p.at++
			_, last := p.setOperand()
			if last < 0 {
				p.fail("Invalid character class")
			}
			if last < char {
				p.fail("Range out of order in character class")
			}
			operand = setValue{chars: p.cased(between(char, last))}
			n++ // a range is no operand of an operator
		}
		v = setValue{union(v.chars, operand.chars), append(v.strings, operand.strings...)}
	}
	if negative {
		if len(v.strings) > 0 {
			p.fail("Negated character class may contain strings")
		}
		v.chars = negate(v.chars)
	}
	return v
}

func combine(a, b setValue, operator string) setValue {
	kept := slices.DeleteFunc(slices.Clone(a.strings), func(s []rune) bool {
		in := slices.ContainsFunc(b.strings, func(o []rune) bool { return slices.Equal(s, o) })
		return in == (operator == "--")
	})
	if operator == "--" {
		return setValue{subtract(a.chars, b.chars), kept}
	}
	return setValue{intersect(a.chars, b.chars), kept}
}

// setOperand reads one operand. When it is a single character that can begin a
// range, that is the second result, otherwise -1.
func (p *parser) setOperand() (setValue, rune) {
	r := p.peek(0)
	switch {
	case r < 0:
		p.fail("Unterminated character class")
	case r == '[':
		p.at++
		return p.setContents(), -1
	case r == '\\' && p.peek(1) == 'q' && p.peek(2) == '{':
		p.at += 3
		return p.setStrings(), -1
	case r == '\\':
		p.at++
		set, isSet := p.classAtomEscape()
		if isSet {
			return setValue{chars: p.cased(set)}, -1
		}
		return setValue{chars: p.cased(set)}, set[0]
	case slices.Contains([]rune("()[]{}/-|"), r):
		p.fail("Invalid character in character class")
	case r == p.peek(1) && slices.Contains([]rune("&!#$%*+,.:;<=>?@^`~"), r):
		p.fail("Invalid set operation in character class")
	}
	p.at++
	return setValue{chars: p.cased(single(r))}, r
}

// setStrings reads the alternatives of \q{…}.
func (p *parser) setStrings() setValue {
	var v setValue
	var s []rune
	for {
		r := p.peek(0)
		p.at++
		switch r {
		case -1:
			p.fail("Invalid escape")
		case '|', '}':
			if len(s) == 1 {
				v.chars = union(v.chars, p.cased(single(s[0])))
			} else {
				v.strings = append(v.strings, s)
			}
			if s = nil; r == '}' {
				return v
			}
			continue
		case '\\':
			r = p.characterEscape(true)
		}
		s = append(s, r)
	}
}

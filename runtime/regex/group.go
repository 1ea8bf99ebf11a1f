package regex

import (
	"unicode"
	"unicode/utf16"
)

// group parses everything that begins with a parenthesis.
func (p *parser) group() (n *node, quantifiable bool) {
	p.at++
	look := func(behind, negative bool) (*node, bool) {
		n := &node{op: nodeLook, behind: behind, negative: negative, subs: []*node{p.alternatives()}}
		p.close()
		return n, !p.unicode && !behind
	}
	switch {
	case p.takeText("?:"):
		n = p.alternatives()
		p.close()
		return &node{op: nodeCat, subs: []*node{n}}, true
	case p.takeText("?="):
		return look(false, false)
	case p.takeText("?!"):
		return look(false, true)
	case p.takeText("?<="):
		return look(true, false)
	case p.takeText("?<!"):
		return look(true, true)
	case p.peek(0) == '?' && p.peek(1) != '<':
		p.at++
		return p.modified(), true
	}
	p.groups++
	group := p.groups
	if p.takeText("?<") {
		p.name(group)
	}
	n = &node{op: nodeGroup, group: group, subs: []*node{p.alternatives()}}
	p.close()
	return n, true
}

func (p *parser) close() {
	if !p.take(')') {
		p.fail("Unterminated group")
	}
}

// modified parses (?ims-ims:…).
func (p *parser) modified() *node {
	i, m, s := p.ignoreCase, p.multiline, p.dotAll
	seen, value := "", true
	for !p.take(':') {
		r := p.peek(0)
		p.at++
		switch {
		case r == '-' && value:
			value = false
			continue
		case r == 'i':
			p.ignoreCase = value
		case r == 'm':
			p.multiline = value
		case r == 's':
			p.dotAll = value
		default:
			p.fail("Invalid group")
		}
		for _, other := range seen {
			if other == r {
				p.fail("Repeated flag in pattern modifiers")
			}
		}
		seen += string(r)
	}
	if seen == "" {
		p.fail("Invalid group")
	}
	n := p.alternatives()
	p.close()
	p.ignoreCase, p.multiline, p.dotAll = i, m, s
	return &node{op: nodeCat, subs: []*node{n}}
}

// name reads the name of a group. Two groups may have the same name when they
// are in different alternatives.
func (p *parser) name(group int) {
	name := p.groupName()
	for _, other := range p.inside {
		if other == name {
			p.fail("Duplicate capture group name")
		}
	}
	p.inside = append(p.inside, name)
	for i := range p.names {
		if p.names[i].Name == name {
			p.names[i].Groups = append(p.names[i].Groups, group)
			return
		}
	}
	p.names = append(p.names, Name{name, []int{group}})
}

func (p *parser) groupName() string {
	var name []rune
	for {
		r := p.peek(0)
		p.at++
		if r == '\\' {
			if !p.take('u') {
				p.fail("Invalid Unicode escape")
			}
			var ok bool
			if r, ok = p.unicodeEscape(true); !ok {
				p.fail("Invalid Unicode escape")
			}
		} else if r == '>' {
			break
		}
		if pair := utf16.DecodeRune(r, p.peek(0)); pair != unicode.ReplacementChar {
			r = pair
			p.at++
		}
		if r < 0 || !(r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) ||
			len(name) > 0 && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) || r == 0x200c || r == 0x200d)) {
			p.fail("Invalid capture group name")
		}
		name = append(name, r)
	}
	if len(name) == 0 {
		p.fail("Invalid capture group name")
	}
	return decodeName(name)
}

// Package regex matches ECMAScript regular expressions the way the standard
// says, with backtracking, on strings of UTF-16.
//
// The engine's own expressions are translated to those of Go, or of regexp2, and
// differ from the standard in ways that show as wrong matches and not as errors.
// In here everything has the standard's meaning: flags d, g, i, m, s, u, v and y,
// lookbehind, named groups, properties, modifiers, captures that are reset in
// each iteration. What is not supported, which is Script_Extensions and the
// properties of strings, does not compile.
//
// A match that takes long can be stopped from outside, and one that would take
// too much memory ends with an error. "No match" always means that there is none.
package regex

import (
	"errors"
	"strings"
	"unicode/utf16"
)

// Program is a compiled regular expression. It is never changed and may be used
// from many goroutines.
type Program struct {
	Groups int    // how many groups there are, the whole match included
	Names  []Name // of groups, in the order of the pattern

	Global, IgnoreCase, Multiline, DotAll, Unicode, UnicodeSets, Sticky, Indices bool

	code   []inst
	regs   int      // captures, then counters and marks
	first  *charset // what a match can begin with; nil for anything
	prefix []uint16 // what every match begins with
	anchor bool     // a match begins at 0
}

// Name is the name of one group, or of several in different alternatives.
type Name struct {
	Name   string
	Groups []int
}

// Errors of a match.
var (
	ErrStopped    = errors.New("the match was stopped")
	ErrTooComplex = errors.New("the regular expression needs too much memory on this text")
)

// Compile makes a program of a pattern and flags.
func Compile(source []uint16, flags string) (*Program, error) {
	p := &Program{}
	if err := p.setFlags(flags); err != nil {
		return nil, err
	}
	parser := newParser(source, p)
	tree, err := parser.parse()
	if err != nil {
		return nil, err
	}
	p.Groups = parser.groups + 1
	p.Names = parser.names
	c := compiler{program: p, regs: p.Groups * 2}
	c.emit(inst{op: opSave, x: 0})
	c.node(tree, false)
	c.emit(inst{op: opSave, x: 1})
	c.emit(inst{op: opMatch})
	p.code, p.regs = c.code, c.regs
	p.first, p.anchor = firstOf(tree), startsAnchored(tree)
	p.prefix = prefixOf(tree)
	return p, nil
}

func (p *Program) setFlags(flags string) error {
	for i, f := range flags {
		var flag *bool
		switch f {
		case 'd':
			flag = &p.Indices
		case 'g':
			flag = &p.Global
		case 'i':
			flag = &p.IgnoreCase
		case 'm':
			flag = &p.Multiline
		case 's':
			flag = &p.DotAll
		case 'u':
			flag = &p.Unicode
		case 'v':
			flag = &p.UnicodeSets
		case 'y':
			flag = &p.Sticky
		}
		if flag == nil || strings.ContainsRune(flags[:i], f) {
			return errors.New("Invalid flags supplied to RegExp constructor '" + flags + "'")
		}
		*flag = true
	}
	if p.Unicode && p.UnicodeSets {
		return errors.New("Invalid flags supplied to RegExp constructor '" + flags + "'")
	}
	return nil
}

// Flags are the flags in the order in which they are shown.
func (p *Program) Flags() string {
	var b strings.Builder
	for _, f := range []struct {
		on   bool
		flag byte
	}{{p.Indices, 'd'}, {p.Global, 'g'}, {p.IgnoreCase, 'i'}, {p.Multiline, 'm'}, {p.DotAll, 's'}, {p.Unicode, 'u'}, {p.UnicodeSets, 'v'}, {p.Sticky, 'y'}} {
		if f.on {
			b.WriteByte(f.flag)
		}
	}
	return b.String()
}

func decodeName(units []rune) string {
	var u []uint16
	for _, r := range units {
		u = utf16.AppendRune(u, r)
		if r >= 0xd800 && r < 0xe000 {
			u[len(u)-1] = uint16(r)
		}
	}
	return string(utf16.Decode(u))
}

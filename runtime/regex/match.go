package regex

import (
	"bytes"
	"sync/atomic"
	"unicode"
	"unicode/utf16"
)

// A unit is one UTF-16 unit of a text; texts in Latin-1 have bytes.
type unit interface{ uint8 | uint16 }

// maxFrames bounds the memory of one match.
const maxFrames = 1 << 24

// A frame is what a match goes back to.
type frame struct {
	pc  int32 // where to go on; ^register for a register to be restored
	pos int32 // where in the text; the register's old value
	end int32 // of an opRun that can give up or take more, how far; otherwise -1
}

// A matcher is one search.
type matcher[T unit] struct {
	program *Program
	text    []T
	regs    []int32
	stack   []frame
	steps   int
	stop    *atomic.Bool
	err     error
}

// Match finds the first match that begins at at or, unless sticky, after it. The
// result has two positions for each group, -1 for those that took no part; it is
// nil when there is no match. A match that is stopped ends with an error.
func Match[T unit](p *Program, text []T, at int, sticky bool, stop *atomic.Bool) ([]int32, error) {
	m := matcher[T]{program: p, text: text, stop: stop, regs: make([]int32, p.regs)}
	for i := range m.regs {
		m.regs[i] = -1
	}
	codePoints := p.Unicode || p.UnicodeSets
	for n := 0; at <= len(text); n++ {
		if !sticky {
			at = m.skip(at)
			if at < 0 {
				return nil, nil
			}
		}
		if n&1023 == 1023 && stop != nil && stop.Load() {
			return nil, ErrStopped
		}
		start := at
		if codePoints && start > 0 && start < len(text) && isLow(text[start]) && isHigh(text[start-1]) && !sticky {
			at++ // no match begins inside a pair
			continue
		}
		if m.run(0, int32(start)) {
			return m.regs[:p.Groups*2], nil
		}
		if m.err != nil {
			return nil, m.err
		}
		if sticky || p.anchor {
			return nil, nil
		}
		at++
	}
	return nil, nil
}

// skip goes to the next place where a match can begin, -1 if there is none.
func (m *matcher[T]) skip(at int) int {
	p := m.program
	switch {
	case p.anchor:
		if at > 0 {
			return -1
		}
	case len(p.prefix) > 0:
		return indexOf(m.text, p.prefix, at)
	case p.first != nil:
		for ; at < len(m.text); at++ {
			if p.first.has(rune(m.text[at])) {
				return at
			}
		}
		return -1
	}
	return at
}

func indexOf[T unit](text []T, part []uint16, from int) int {
	if b, ok := any(text).([]byte); ok {
		needle := make([]byte, len(part))
		for i, u := range part {
			if u > 255 {
				return -1
			}
			needle[i] = byte(u)
		}
		if n := bytes.Index(b[from:], needle); n >= 0 {
			return from + n
		}
		return -1
	}
	first := T(part[0])
search:
	for i := from; i+len(part) <= len(text); i++ {
		if text[i] != first {
			continue
		}
		for j := 1; j < len(part); j++ {
			if uint16(text[i+j]) != part[j] {
				continue search
			}
		}
		return i
	}
	return -1
}

func isHigh[T unit](u T) bool { return uint16(u)&0xfc00 == 0xd800 }
func isLow[T unit](u T) bool  { return uint16(u)&0xfc00 == 0xdc00 }

// after is the code point at pos and how many units it has, 0 at the end.
func (m *matcher[T]) after(pos int32) (rune, int32) {
	if int(pos) >= len(m.text) {
		return -1, 0
	}
	r := rune(m.text[pos])
	if r&0xfc00 == 0xd800 && int(pos)+1 < len(m.text) {
		if pair := utf16.DecodeRune(r, rune(m.text[pos+1])); pair != unicode.ReplacementChar {
			return pair, 2
		}
	}
	return r, 1
}

// before is the code point that ends at pos.
func (m *matcher[T]) before(pos int32) (rune, int32) {
	if pos <= 0 {
		return -1, 0
	}
	r := rune(m.text[pos-1])
	if r&0xfc00 == 0xdc00 && pos >= 2 {
		if pair := utf16.DecodeRune(rune(m.text[pos-2]), r); pair != unicode.ReplacementChar {
			return pair, 2
		}
	}
	return r, 1
}

// set remembers the old value of a register before it changes it.
func (m *matcher[T]) set(register, value int32) {
	if old := m.regs[register]; old != value {
		m.stack = append(m.stack, frame{^register, old, -1})
		m.regs[register] = value
	}
}

// look runs the body of a lookaround at pc. What it captured stays, also where
// the match later goes back behind it, unless the lookaround is negative.
func (m *matcher[T]) look(pc, pos int32, negative bool) bool {
	base := len(m.stack)
	ok := m.run(pc, pos)
	if m.err != nil {
		return false
	}
	if !ok || negative {
		m.undo(base)
		return ok != negative
	}
	kept := base
	for _, f := range m.stack[base:] {
		if f.pc < 0 {
			m.stack[kept] = f
			kept++
		}
	}
	m.stack = m.stack[:kept]
	return true
}

// undo restores registers and forgets everything above base.
func (m *matcher[T]) undo(base int) {
	for i := len(m.stack) - 1; i >= base; i-- {
		if f := m.stack[i]; f.pc < 0 {
			m.regs[^f.pc] = f.pos
		}
	}
	m.stack = m.stack[:base]
}

// overrun reports whether the match must end, now and then looking whether it
// was stopped.
func (m *matcher[T]) overrun() bool {
	if m.steps++; m.steps&0xfff != 0 {
		return m.err != nil
	}
	switch {
	case m.stop != nil && m.stop.Load():
		m.err = ErrStopped
	case len(m.stack) > maxFrames:
		m.err = ErrTooComplex
	}
	return m.err != nil
}

// back goes back to the last choice above base.
func (m *matcher[T]) back(base int) (pc, pos int32, ok bool) {
	if m.overrun() {
		return 0, 0, false
	}
	for len(m.stack) > base {
		f := &m.stack[len(m.stack)-1]
		switch {
		case f.pc < 0:
			m.regs[^f.pc] = f.pos
		case f.end < 0:
			pc, pos = f.pc, f.pos
			m.stack = m.stack[:len(m.stack)-1]
			return pc, pos, true
		default:
			pc = f.pc + 1
			if pos, ok = m.resume(f); ok {
				return pc, pos, true
			}
		}
		m.stack = m.stack[:len(m.stack)-1]
	}
	return 0, 0, false
}

// resume lets an opRun give up one character, or take one more.
func (m *matcher[T]) resume(f *frame) (int32, bool) {
	in := &m.program.code[f.pc]
	if !in.greedy {
		if f.end == 0 {
			return 0, false
		}
		n, ok := m.one(in, f.pos)
		if !ok {
			return 0, false
		}
		f.pos += n
		f.end--
		return f.pos, true
	}
	if f.pos <= f.end {
		return 0, false
	}
	pos := f.pos - 1
	if in.unicode && pos > f.end && isLow(m.text[pos]) && isHigh(m.text[pos-1]) {
		pos--
	}
	if next := &m.program.code[f.pc+1]; next.op == opChar && !next.back && !in.unicode {
		for c := next.x; pos > f.end && (int(pos) >= len(m.text) || int32(m.text[pos]) != c); {
			pos--
		}
	}
	f.pos = pos
	return pos, true
}

// one matches the set of in once.
func (m *matcher[T]) one(in *inst, pos int32) (int32, bool) {
	if in.unicode {
		r, n := m.after(pos)
		return n, n > 0 && in.set.has(r)
	}
	return 1, int(pos) < len(m.text) && in.set.has(rune(m.text[pos]))
}

// repeat runs an opRun and returns where it leaves off, -1 when it fails.
func (m *matcher[T]) repeat(pc, pos int32) int32 {
	in := &m.program.code[pc]
	limit := in.min
	if in.greedy {
		limit = in.max
	}
	least := pos
	count := int32(0)
	if in.unicode {
		for ; count < limit; count++ {
			if count == in.min {
				least = pos
			}
			n, ok := m.one(in, pos)
			if !ok {
				break
			}
			pos += n
		}
		if count == in.min {
			least = pos
		}
	} else {
		start, text, set := pos, m.text, in.set
		end := int32(len(text))
		if limit < end-pos {
			end = pos + limit
		}
		for pos < end && set.has(rune(text[pos])) {
			pos++
		}
		count, least = pos-start, start+in.min
	}
	if count < in.min {
		return -1
	}
	switch {
	case in.greedy && pos > least:
		m.stack = append(m.stack, frame{pc, pos, least})
	case !in.greedy && in.max > in.min:
		m.stack = append(m.stack, frame{pc, pos, in.max - in.min})
	}
	return pos
}

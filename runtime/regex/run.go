package regex

import "unicode/utf16"

// run executes the program from pc on. When it reaches the end of the program,
// or of a lookaround's body, it leaves its choices on the stack; when it fails,
// everything is as it was.
func (m *matcher[T]) run(pc, pos int32) bool {
	base := len(m.stack)
	text, code := m.text, m.program.code
	for {
		in := &code[pc]
		ok := true
		switch in.op {
		case opMatch, opLookEnd:
			return true
		case opChar:
			if in.back {
				pos--
				ok = pos >= 0 && int32(text[pos]) == in.x
			} else {
				ok = int(pos) < len(text) && int32(text[pos]) == in.x
				pos++
			}
		case opSet:
			pos, ok = m.char(in, pos)
		case opRun:
			if pos = m.repeat(pc, pos); pos < 0 {
				ok = false
			}
		case opSplit:
			if m.overrun() {
				return false
			}
			m.stack = append(m.stack, frame{in.y, pos, -1})
			pc = in.x
			continue
		case opJump:
			pc = in.x
			continue
		case opSave:
			m.set(in.x, pos)
		case opStart:
			ok = pos == 0
		case opEnd:
			ok = int(pos) == len(text)
		case opStartLine:
			ok = pos == 0 || isLineEnd(rune(text[pos-1]))
		case opEndLine:
			ok = int(pos) == len(text) || isLineEnd(rune(text[pos]))
		case opWord:
			before := pos > 0 && in.set.has(rune(text[pos-1]))
			after := int(pos) < len(text) && in.set.has(rune(text[pos]))
			ok = (before != after) != in.negative
		case opBackref:
			pos, ok = m.backref(in, pos)
		case opLook:
			if ok = m.look(pc+1, pos, in.negative); ok {
				pc = in.x
				continue
			}
		case opZero:
			m.set(in.x, 0)
		case opLoop:
			count := m.regs[in.x]
			if count >= in.max {
				pc = in.z
				continue
			}
			if count >= in.min {
				if !in.greedy {
					m.stack = append(m.stack, frame{pc + 1, pos, -1})
					pc = in.z
					continue
				}
				m.stack = append(m.stack, frame{in.z, pos, -1})
			}
		case opEnter:
			m.set(in.x, m.regs[in.x]+1)
			m.set(in.y, pos)
		case opLoopEnd:
			if m.regs[in.x] > in.min && m.regs[in.y] == pos {
				ok = false
			} else {
				if m.overrun() {
					return false
				}
				pc = in.z
				continue
			}
		case opReset:
			for r := in.x; r < in.y; r++ {
				m.set(r, -1)
			}
		case opMark:
			m.set(in.x, pos)
		case opMoved:
			ok = m.regs[in.x] != pos
		}
		if ok {
			pc++
			continue
		}
		if pc, pos, ok = m.back(base); !ok {
			if m.err == nil {
				m.undo(base)
			}
			return false
		}
	}
}

// char matches one character of a set, in the direction of in.
func (m *matcher[T]) char(in *inst, pos int32) (int32, bool) {
	if in.back {
		r, n := rune(-1), int32(0)
		if in.unicode {
			r, n = m.before(pos)
		} else if pos > 0 {
			r, n = rune(m.text[pos-1]), 1
		}
		return pos - n, n > 0 && in.set.has(r)
	}
	n, ok := m.one(in, pos)
	return pos + n, ok
}

// backref matches again what a group has matched.
func (m *matcher[T]) backref(in *inst, pos int32) (int32, bool) {
	from, to := int32(-1), int32(-1)
	for _, g := range in.groups {
		if m.regs[g*2] >= 0 && m.regs[g*2+1] >= 0 {
			from, to = m.regs[g*2], m.regs[g*2+1]
		}
	}
	if from < 0 {
		return pos, true
	}
	n := to - from
	start := pos
	if in.back {
		start = pos - n
	}
	if start < 0 || int(start+n) > len(m.text) {
		return pos, false
	}
	if !m.same(in, from, start, n) {
		return pos, false
	}
	if in.back {
		return start, true
	}
	return start + n, true
}

func (m *matcher[T]) same(in *inst, a, b, n int32) bool {
	for i := int32(0); i < n; i++ {
		x, y := rune(m.text[a+i]), rune(m.text[b+i])
		if x == y {
			continue
		}
		if !in.fold {
			return false
		}
		if !in.unicode {
			if canonical(x) != canonical(y) {
				return false
			}
			continue
		}
		if utf16.IsSurrogate(x) || utf16.IsSurrogate(y) {
			x, _ = m.after(a + i)
			y, _ = m.after(b + i)
			if x <= 0xffff { // the second half of a pair
				x, _ = m.before(a + i + 1)
				y, _ = m.before(b + i + 1)
			}
		}
		if folded(x) != folded(y) {
			return false
		}
	}
	return true
}

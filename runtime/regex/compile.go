package regex

// An inst is one instruction.
type inst struct {
	op       op
	back     bool // reads backwards, inside a lookbehind
	greedy   bool
	negative bool
	fold     bool // ignores case
	unicode  bool // reads code points
	x, y, z  int32
	min, max int32
	set      *charset
	groups   []int
}

type op uint8

const (
	opMatch     op = iota
	opLookEnd      // the end of a lookaround
	opChar         // the unit x
	opSet          // a unit, or a code point, in set
	opRun          // set, min to max times
	opSplit        // x, or else y
	opJump         // x
	opSave         // position into register x
	opStart        // ^
	opEnd          // $
	opStartLine    // ^ with m
	opEndLine      // $ with m
	opWord         // \b
	opBackref      // one of groups
	opLook         // the body follows; goes on at x
	opZero         // register x becomes 0
	opLoop         // register x counts, z is the exit; the body follows
	opEnter        // register x counts one more, y is the mark
	opLoopEnd      // register x counts, y is the mark, z the loop
	opReset        // captures from x to y become unset
	opMark         // position into register x, for opMoved
	opMoved        // fails where the position is still that of register x
)

type compiler struct {
	program *Program
	code    []inst
	regs    int
}

func (c *compiler) emit(i inst) int {
	c.code = append(c.code, i)
	return len(c.code) - 1
}

func (c *compiler) here() int32 { return int32(len(c.code)) }

func (c *compiler) register() int32 {
	c.regs++
	return int32(c.regs - 1)
}

func (c *compiler) codePoints() bool { return c.program.Unicode || c.program.UnicodeSets }

// node compiles a node; back is inside a lookbehind, where everything is
// matched from its end.
func (c *compiler) node(n *node, back bool) {
	switch n.op {
	case nodeSet:
		c.char(n.set, back)
	case nodeCat:
		for i := range n.subs {
			if back {
				i = len(n.subs) - 1 - i
			}
			c.node(n.subs[i], back)
		}
	case nodeAlt:
		var ends []int
		for i, s := range n.subs {
			if i == len(n.subs)-1 {
				c.node(s, back)
				break
			}
			split := c.emit(inst{op: opSplit})
			c.code[split].x = c.here()
			c.node(s, back)
			ends = append(ends, c.emit(inst{op: opJump}))
			c.code[split].y = c.here()
		}
		for _, e := range ends {
			c.code[e].x = c.here()
		}
	case nodeGroup:
		first, last := int32(n.group*2), int32(n.group*2+1)
		if back {
			first, last = last, first
		}
		c.emit(inst{op: opSave, x: first})
		c.node(n.subs[0], back)
		c.emit(inst{op: opSave, x: last})
	case nodeRepeat:
		c.repeat(n, back)
	case nodeBackref:
		c.emit(inst{op: opBackref, groups: n.groups, back: back, fold: n.ignoreCase, unicode: c.codePoints()})
	case nodeLook:
		look := c.emit(inst{op: opLook, negative: n.negative})
		c.node(n.subs[0], n.behind)
		c.emit(inst{op: opLookEnd})
		c.code[look].x = c.here()
	case nodeStart:
		if n.multiline {
			c.emit(inst{op: opStartLine})
		} else {
			c.emit(inst{op: opStart})
		}
	case nodeEnd:
		if n.multiline {
			c.emit(inst{op: opEndLine})
		} else {
			c.emit(inst{op: opEnd})
		}
	case nodeWord:
		set := words
		if n.ignoreCase && c.codePoints() {
			set = foldedWords
		}
		c.emit(inst{op: opWord, negative: n.negative, set: newCharset(set)})
	}
}

func (c *compiler) char(set ranges, back bool) {
	if len(set) == 2 && set[0] == set[1] && set[0] <= 0xffff && (!c.codePoints() || set[0] < 0xd800 || set[0] >= 0xe000) {
		c.emit(inst{op: opChar, x: set[0], back: back})
		return
	}
	s := newCharset(set)
	c.emit(inst{op: opSet, set: s, back: back, unicode: c.codePoints() && s.astral})
}

func (c *compiler) repeat(n *node, back bool) {
	body := n.subs[0]
	most := int32(n.max)
	if n.max < 0 || n.max > 1<<30 {
		most = 1 << 30
	}
	least := int32(min(n.min, 1<<30))
	if most == 0 {
		return
	}
	if body.op == nodeSet && !back {
		s := newCharset(body.set)
		c.emit(inst{op: opRun, set: s, greedy: n.greedy, min: least, max: most, unicode: c.codePoints() && s.astral})
		return
	}
	nullable := body.nullable()
	switch {
	case least == 1 && most == 1:
		c.node(body, back)
	case least == 0 && most == 1, least == 0 && n.max < 0:
		c.optional(n, back, n.max < 0, nullable)
	case least == 1 && n.max < 0 && !nullable:
		start := c.here()
		c.reset(n)
		c.node(body, back)
		split := c.emit(inst{op: opSplit, x: start, y: c.here() + 1})
		if !n.greedy {
			c.code[split].x, c.code[split].y = c.code[split].y, c.code[split].x
		}
	default:
		count, mark := c.register(), c.register()
		c.emit(inst{op: opZero, x: count})
		loop := c.emit(inst{op: opLoop, x: count, min: least, max: most, greedy: n.greedy})
		c.emit(inst{op: opEnter, x: count, y: mark})
		c.reset(n)
		c.node(body, back)
		c.emit(inst{op: opLoopEnd, x: count, y: mark, z: int32(loop), min: least})
		c.code[loop].z = c.here()
	}
}

// optional compiles ? and *.
func (c *compiler) optional(n *node, back, again, nullable bool) {
	split := c.emit(inst{op: opSplit})
	start := c.here()
	mark := int32(-1)
	if nullable {
		mark = c.register()
		c.emit(inst{op: opMark, x: mark})
	}
	c.reset(n)
	c.node(n.subs[0], back)
	if nullable {
		c.emit(inst{op: opMoved, x: mark})
	}
	if again {
		c.emit(inst{op: opJump, x: int32(split)})
	}
	c.code[split].x, c.code[split].y = start, c.here()
	if !n.greedy {
		c.code[split].x, c.code[split].y = c.code[split].y, c.code[split].x
	}
}

// reset unsets the groups of a repeated part at the start of each iteration.
func (c *compiler) reset(n *node) {
	if n.to > n.from {
		c.emit(inst{op: opReset, x: int32(n.from * 2), y: int32(n.to * 2)})
	}
}

package regex

// A node is a part of a parsed pattern.
type node struct {
	op   nodeOp
	subs []*node

	set        ranges // nodeSet
	group      int    // nodeGroup, from 1
	groups     []int  // nodeBackref
	min, max   int    // nodeRepeat; max is -1 for no limit
	greedy     bool   // nodeRepeat
	from, to   int    // nodeRepeat: the groups inside, to be reset
	behind     bool   // nodeLook
	negative   bool   // nodeLook, nodeWord
	ignoreCase bool   // nodeBackref, nodeWord
	multiline  bool   // nodeStart, nodeEnd
}

type nodeOp uint8

const (
	nodeEmpty   nodeOp = iota
	nodeSet            // one character
	nodeCat            // one after the other
	nodeAlt            // the first that leads to a match
	nodeGroup          // captures
	nodeRepeat         // a quantifier
	nodeBackref        // what a group matched
	nodeLook           // lookahead, lookbehind
	nodeStart          // ^
	nodeEnd            // $
	nodeWord           // \b, \B
)

// nullable reports whether a node can match nothing.
func (n *node) nullable() bool {
	switch n.op {
	case nodeSet:
		return false
	case nodeCat:
		for _, s := range n.subs {
			if !s.nullable() {
				return false
			}
		}
		return true
	case nodeAlt:
		for _, s := range n.subs {
			if s.nullable() {
				return true
			}
		}
		return false
	case nodeGroup:
		return n.subs[0].nullable()
	case nodeRepeat:
		return n.min == 0 || n.subs[0].nullable()
	}
	return true
}

// firstOf is what a match can begin with, nil where that is not known.
func firstOf(n *node) *charset {
	set, ok := first(n)
	if !ok {
		return nil
	}
	// A character beyond the BMP begins with a surrogate.
	var parts []ranges
	for i := 0; i < len(set); i += 2 {
		from, to := set[i], set[i+1]
		if from <= 0xffff {
			parts = append(parts, between(from, min(to, 0xffff)))
		}
		if to > 0xffff {
			parts = append(parts, between(0xd800, 0xdbff))
		}
	}
	return newCharset(union(parts...))
}

// first is the set of first characters; it is not known for what can be empty.
func first(n *node) (ranges, bool) {
	switch n.op {
	case nodeSet:
		return n.set, true
	case nodeGroup:
		return first(n.subs[0])
	case nodeRepeat:
		if n.min > 0 {
			return first(n.subs[0])
		}
	case nodeAlt:
		var sets []ranges
		for _, s := range n.subs {
			set, ok := first(s)
			if !ok {
				return nil, false
			}
			sets = append(sets, set)
		}
		return union(sets...), true
	case nodeCat:
		var sets []ranges
		for _, s := range n.subs {
			switch {
			case s.op == nodeLook || s.op == nodeStart || s.op == nodeEnd || s.op == nodeWord || s.op == nodeEmpty:
				continue
			case s.op == nodeRepeat && s.min == 0 && !s.subs[0].nullable():
				set, ok := first(s.subs[0])
				if !ok {
					return nil, false
				}
				sets = append(sets, set)
				continue
			}
			set, ok := first(s)
			if !ok {
				return nil, false
			}
			return union(append(sets, set)...), true
		}
	}
	return nil, false
}

// startsAnchored reports whether a match can only begin at the start.
func startsAnchored(n *node) bool {
	switch n.op {
	case nodeStart:
		return !n.multiline
	case nodeGroup:
		return startsAnchored(n.subs[0])
	case nodeCat:
		return len(n.subs) > 0 && startsAnchored(n.subs[0])
	case nodeAlt:
		for _, s := range n.subs {
			if !startsAnchored(s) {
				return false
			}
		}
		return true
	}
	return false
}

// prefixOf is the text that every match begins with.
func prefixOf(n *node) []uint16 {
	if n.op == nodeSet {
		n = &node{op: nodeCat, subs: []*node{n}}
	}
	if n.op != nodeCat {
		return nil
	}
	var prefix []uint16
	for _, s := range n.subs {
		if s.op != nodeSet || len(s.set) != 2 || s.set[0] != s.set[1] || s.set[0] > 0xffff {
			break
		}
		prefix = append(prefix, uint16(s.set[0]))
	}
	return prefix
}

package regex

import (
	"slices"
	"sort"
)

// maxRune is the last code point.
const maxRune = 0x10ffff

// A ranges is a set of code points: pairs of first and last, in order, apart.
type ranges []rune

func single(r rune) ranges         { return ranges{r, r} }
func between(from, to rune) ranges { return ranges{from, to} }

// union is what is in a or in b.
func union(sets ...ranges) ranges {
	type pair struct{ from, to rune }
	var all []pair
	for _, s := range sets {
		for i := 0; i < len(s); i += 2 {
			all = append(all, pair{s[i], s[i+1]})
		}
	}
	slices.SortFunc(all, func(a, b pair) int { return int(a.from) - int(b.from) })
	var out ranges
	for _, p := range all {
		if n := len(out); n > 0 && p.from <= out[n-1]+1 {
			out[n-1] = max(out[n-1], p.to)
			continue
		}
		out = append(out, p.from, p.to)
	}
	return out
}

// negate is everything that is not in s.
func negate(s ranges) ranges {
	var out ranges
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if s[i] > next {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= maxRune {
		out = append(out, next, maxRune)
	}
	return out
}

func intersect(a, b ranges) ranges { return negate(union(negate(a), negate(b))) }
func subtract(a, b ranges) ranges  { return intersect(a, negate(b)) }

func (s ranges) has(r rune) bool {
	i := sort.Search(len(s)/2, func(i int) bool { return s[i*2+1] >= r })
	return i*2 < len(s) && s[i*2] <= r
}

// A charset is a set made for matching.
type charset struct {
	low    [4]uint64 // the first 256 code points
	ranges ranges
	astral bool // holds surrogates, or what is beyond them: a pair counts as one
}

func newCharset(s ranges) *charset {
	c := &charset{ranges: s}
	for i := 0; i < len(s); i += 2 {
		for r := s[i]; r <= s[i+1] && r < 256; r++ {
			c.low[r>>6] |= 1 << (r & 63)
		}
		c.astral = c.astral || s[i+1] >= 0xd800 && s[i] < 0xe000 || s[i+1] > 0xffff
	}
	return c
}

func (c *charset) has(r rune) bool {
	if r < 256 {
		return c.low[r>>6]&(1<<(r&63)) != 0
	}
	return c.ranges.has(r)
}

// The sets of the escapes.
var (
	digits = between('0', '9')
	words  = ranges{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	spaces = ranges{'\t', '\r', ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff}
	// Line ends, which a dot does not match.
	lineEnds = ranges{'\n', '\n', '\r', '\r', 0x2028, 0x2029}
	// Words where i and u are set: two letters more fold to ASCII ones.
	foldedWords = union(words, single(0x17f), single(0x212a))
)

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029 }

package regex

import (
	"sync"
	"unicode"
)

// canonical is what characters are compared by when case is ignored without u:
// their upper case, unless that has several characters or is ASCII.
func canonical(r rune) rune {
	if r < 128 {
		if 'a' <= r && r <= 'z' {
			return r - 32
		}
		return r
	}
	// The letters with iota have an upper case of two letters.
	if r >= 0x1f80 && r <= 0x1faf || r == 0x1fb3 || r == 0x1fbc || r == 0x1fc3 || r == 0x1fcc || r == 0x1ff3 || r == 0x1ffc {
		return r
	}
	if u := unicode.ToUpper(r); u >= 128 && u <= 0xffff {
		return u
	}
	return r
}

// folded is what characters are compared by when case is ignored with u.
func folded(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// classes lists, for each character that has others equal to it, all of them.
type classes map[rune][]rune

var (
	canonicalClasses = sync.OnceValue(func() classes { return classesBy(canonical, 0xffff) })
	foldedClasses    = sync.OnceValue(func() classes { return classesBy(folded, maxRune) })
)

func classesBy(key func(rune) rune, limit rune) classes {
	byKey := map[rune][]rune{}
	seen := map[rune]bool{}
	add := func(r rune) {
		if r <= limit && !seen[r] {
			seen[r] = true
			byKey[key(r)] = append(byKey[key(r)], r)
		}
	}
	for _, cr := range unicode.CaseRanges {
		for r := rune(cr.Lo); r <= rune(cr.Hi); r++ {
			add(r)
			add(unicode.ToUpper(r))
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				add(f)
			}
		}
	}
	all := classes{}
	for _, class := range byKey {
		if len(class) > 1 {
			for _, r := range class {
				all[r] = class
			}
		}
	}
	return all
}

// closure adds to a set what is equal to its members when case is ignored.
func closure(s ranges, unicodeMode bool) ranges {
	if !unicodeMode && len(s) > 0 && s[len(s)-1] < 128 {
		return asciiClosure(s)
	}
	all := canonicalClasses()
	if unicodeMode {
		all = foldedClasses()
	}
	var more []ranges
	for r, class := range all {
		if s.has(r) {
			for _, other := range class {
				if !s.has(other) {
					more = append(more, single(other))
				}
			}
		}
	}
	if more == nil {
		return s
	}
	return union(append(more, s)...)
}

func asciiClosure(s ranges) ranges {
	sets := []ranges{s}
	for r := rune('a'); r <= 'z'; r++ {
		if s.has(r) || s.has(r-32) {
			sets = append(sets, single(r), single(r-32))
		}
	}
	return union(sets...)
}

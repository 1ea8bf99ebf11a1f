package gitstate

import (
	"math"
	"slices"
	"strings"
)

// list is an ascending list of names without repetition, kept in one string:
// for a hundred thousand of them two objects instead of as many.
type list struct {
	text string
	ends []uint32 // where each name ends in text
}

// newList makes a list of names that are in order already.
func newList(names []string) list {
	size := 0
	for _, name := range names {
		size += len(name)
	}
	b := newBuilder(len(names), size)
	for _, name := range names {
		b.add(name)
	}
	return b.list()
}

func (l *list) len() int { return len(l.ends) }

func (l *list) at(i int) string {
	var begin uint32
	if i > 0 {
		begin = l.ends[i-1]
	}
	return l.text[begin:l.ends[i]]
}

// search returns the place of the first name that is not before the given one.
func (l *list) search(name string) int {
	low, high := 0, len(l.ends)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if l.at(middle) < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// covers reports whether the list has path or something below it.
//
// "foo-x" sorts between "foo" and "foo/y", so the two are looked up apart.
func (l *list) covers(path string) bool {
	if i := l.search(path); i < l.len() && l.at(i) == path {
		return true
	}
	below := path + "/"
	i := l.search(below)
	return i < l.len() && strings.HasPrefix(l.at(i), below)
}

// builder makes a list, one name after the other.
type builder struct {
	text strings.Builder
	ends []uint32
}

// newBuilder returns a builder that has room for count names of size bytes
// together.
func newBuilder(count, size int) *builder {
	b := &builder{ends: make([]uint32, 0, count)}
	b.text.Grow(size)
	return b
}

func (b *builder) add(name string) {
	b.text.WriteString(name)
	b.end()
}

// end makes what was written since the last call a name.
func (b *builder) end() {
	if uint64(b.text.Len()) > math.MaxUint32 {
		panic("a list of more names than it can hold")
	}
	b.ends = append(b.ends, uint32(b.text.Len()))
}

func (b *builder) list() list {
	text := b.text.String()
	if b.text.Cap() > len(text)+len(text)/8 {
		text = strings.Clone(text) // there was much less than was made room for
	}
	return list{text: text, ends: slices.Clip(b.ends)}
}

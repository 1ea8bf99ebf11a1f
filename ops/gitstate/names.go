package gitstate

import (
	"errors"
	"slices"
	"strings"
	"sync"
)

// entry is what is needed of one entry of an index.
type entry struct {
	name string // a directory of a sparse index ends in "/"
	link bool   // a submodule or another repository within
}

// names are the names in an index, made for quick questions about one path.
type names struct {
	all    []string // sorted by bytes; parts of one long string
	links  []string // those that are gitlinks, sorted
	sparse []string // directories that a sparse index has instead of their content, without the "/"

	folded func() *names // the same with names folded
}

var errBadName = errors.New("holds a name that git never writes")

// newNames sorts the entries itself: git trusts the order in the file, and a
// search in a list that is not sorted misses what is there.
func newNames(entries []entry) (*names, error) {
	size := 0
	for _, e := range entries {
		if !plausible(e.name) {
			return nil, errBadName
		}
		size += len(e.name)
	}
	var slab strings.Builder
	slab.Grow(size)
	for _, e := range entries {
		slab.WriteString(e.name)
	}
	rest := slab.String()
	n := &names{all: make([]string, len(entries))}
	for i, e := range entries {
		name := rest[:len(e.name)]
		rest = rest[len(e.name):]
		n.all[i] = name
		if e.link {
			n.links = append(n.links, name)
		}
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			n.sparse = append(n.sparse, dir)
		}
	}
	n.sort()
	n.folded = sync.OnceValue(n.fold)
	return n, nil
}

func (n *names) sort() {
	for _, list := range []*[]string{&n.all, &n.links, &n.sparse} {
		if !slices.IsSorted(*list) {
			slices.Sort(*list)
		}
		*list = slices.Compact(*list) // a conflict has up to three entries
	}
}

func (n *names) fold() *names {
	f := &names{}
	for _, name := range n.all {
		f.all = append(f.all, fold(name))
	}
	for _, name := range n.links {
		f.links = append(f.links, fold(name))
	}
	for _, name := range n.sparse {
		f.sparse = append(f.sparse, fold(name))
	}
	f.sort()
	return f
}

func plausible(name string) bool {
	return name != "" && name != "/" && name[0] != '/' && strings.IndexByte(name, 0) < 0
}

// covers reports whether the index has the path, something below it, or a
// sparse directory above it. "" is the root. A name below a path that is not a
// directory any more counts too.
//
// "foo-x" sorts between "foo" and "foo/y", so the two are looked up apart.
func (n *names) covers(path string) bool {
	if path == "" {
		return len(n.all) > 0
	}
	if _, ok := slices.BinarySearch(n.all, path); ok {
		return true
	}
	below := path + "/"
	if i, _ := slices.BinarySearch(n.all, below); i < len(n.all) && strings.HasPrefix(n.all[i], below) {
		return true
	}
	return len(n.sparse) > 0 && above(n.sparse, path) >= 0
}

// linkAbove returns how much of path is a gitlink that path lies strictly
// below, -1 if there is none. The outermost counts.
func (n *names) linkAbove(path string) int {
	if len(n.links) == 0 {
		return -1
	}
	return above(n.links, path)
}

// linksBelow reports whether a gitlink is at path or below it.
func (n *names) linksBelow(path string) bool {
	return (&names{all: n.links}).covers(path)
}

func above(list []string, path string) int {
	for i := range len(path) {
		if path[i] == '/' {
			if _, ok := slices.BinarySearch(list, path[:i]); ok {
				return i
			}
		}
	}
	return -1
}

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
	all    list     // all of them
	links  []string // those that are gitlinks, sorted
	sparse []string // directories that a sparse index has instead of their content, without the "/"

	folded func() *names // the same with names folded
}

// maxNames limits how many bytes all names together may have. Folded, they
// still fit into a [list]: that makes a name three times as long at most.
const maxNames = 1 << 30

var (
	errBadName   = errors.New("holds a name that git never writes")
	errManyNames = errors.New("spells more names than can be believed")
)

// newNames sorts the entries itself: git trusts the order in the file, and a
// search in a list that is not sorted misses what is there.
func newNames(entries []entry) (*names, error) {
	all := make([]string, len(entries))
	n, size := &names{}, 0
	for i, e := range entries {
		if !plausible(e.name) {
			return nil, errBadName
		}
		all[i] = e.name
		size += len(e.name)
		if e.link {
			n.links = append(n.links, strings.Clone(e.name))
		}
		if dir, ok := strings.CutSuffix(e.name, "/"); ok {
			n.sparse = append(n.sparse, strings.Clone(dir))
		}
	}
	if size > maxNames {
		return nil, errManyNames
	}
	n.all = newList(ascending(all))
	n.links, n.sparse = ascending(n.links), ascending(n.sparse)
	n.folded = sync.OnceValue(n.fold)
	return n, nil
}

// ascending sorts a list and drops what is there twice: a conflict has up to
// three entries.
func ascending(list []string) []string {
	if !slices.IsSorted(list) {
		slices.Sort(list)
	}
	return slices.Compact(list)
}

func (n *names) fold() *names {
	all := make([]string, n.all.len())
	for i := range all {
		all[i] = fold(n.all.at(i))
	}
	f := &names{}
	f.all = newList(ascending(all))
	for _, name := range n.links {
		f.links = append(f.links, fold(name))
	}
	for _, name := range n.sparse {
		f.sparse = append(f.sparse, fold(name))
	}
	f.links, f.sparse = ascending(f.links), ascending(f.sparse)
	return f
}

func plausible(name string) bool {
	return name != "" && name != "/" && name[0] != '/' && strings.IndexByte(name, 0) < 0
}

// covers reports whether the index has the path, something below it, or a
// sparse directory above it. "" is the root. A name below a path that is not a
// directory any more counts too.
func (n *names) covers(path string) bool {
	if path == "" {
		return n.all.len() > 0
	}
	return n.all.covers(path) || len(n.sparse) > 0 && above(n.sparse, path) >= 0
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
	links := newList(n.links)
	return path == "" && len(n.links) > 0 || links.covers(path)
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

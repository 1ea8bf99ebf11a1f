package bindings_test

import (
	"maps"
	"slices"
	"strings"
)

// node is an object in the model of a file tree.
type node struct {
	kind byte   // 'd', 'f' or 'l', for directory, file and link
	text string // the file's content or the link's text
	kids map[string]*node
}

func newDir() *node { return &node{kind: 'd', kids: map[string]*node{}} }

func (n *node) clone() *node {
	c := *n
	if n.kind == 'd' {
		c.kids = map[string]*node{}
		for name, kid := range n.kids {
			c.kids[name] = kid.clone()
		}
	}
	return &c
}

// lines lists what a tree holds.
func (n *node) lines(prefix string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(n.kids)) {
		kid := n.kids[name]
		path := prefix + name
		all = append(all, path+" "+string(kid.kind)+" "+kid.text)
		all = append(all, kid.lines(path+"/")...)
	}
	return all
}

// model is the contract without a disk, for one project without Git entries.
// It says whether a call is applied, and what the tree is then; not with which
// code a call is refused.
type model struct {
	base string // the absolute path of root
	root *node
}

// place is where a path leads: an existing parent, the names that are missing
// below it, and the last name.
type place struct {
	parent  *node
	path    []string // of parent, without links
	missing []string
	name    string
	slash   bool // the path ends in one, which says that it is a directory
}

func (p place) full() string {
	return strings.Join(slices.Concat(p.path, p.missing, []string{p.name}), "/") + "/"
}

// object is what is at the place, nil for nothing.
func (p place) object() *node {
	if len(p.missing) > 0 {
		return nil
	}
	return p.parent.kids[p.name]
}

// step is a component of a path that is yet to be walked.
type step struct {
	name     string
	fromLink bool
}

func (m model) steps(path string, fromLink bool) (steps []step, absolute bool) {
	rest, absolute := strings.CutPrefix(path, m.base)
	for name := range strings.SplitSeq(rest, "/") {
		if name != "" && name != "." {
			steps = append(steps, step{name, fromLink})
		}
	}
	return steps, absolute
}

// find walks to a path, through links but for the last name. It fails where no
// object can be or come to be.
func (m model) find(path string) (place, bool) {
	ahead, _ := m.steps(path, false)
	p := place{name: ahead[len(ahead)-1].name, slash: strings.HasSuffix(path, "/")}
	ahead = ahead[:len(ahead)-1]
	at := []*node{m.root}
	for hops := 0; len(ahead) > 0; {
		next := ahead[0]
		ahead = ahead[1:]
		here := at[len(at)-1]
		if here.kind != 'd' {
			return p, false
		}
		kid := here.kids[next.name]
		switch {
		case kid == nil && next.fromLink:
			return p, false
		case kid == nil:
			p.missing = append(p.missing, next.name)
			for _, s := range ahead {
				p.missing = append(p.missing, s.name)
			}
			p.parent = here
			return p, true
		case kid.kind == 'l':
			if hops++; hops > 40 {
				return p, false
			}
			steps, absolute := m.steps(kid.text, true)
			if absolute {
				at, p.path = at[:1], nil
			}
			ahead = append(steps, ahead...)
		default:
			at, p.path = append(at, kid), append(p.path, next.name)
		}
	}
	p.parent = at[len(at)-1]
	return p, p.parent.kind == 'd'
}

// source finds an object that must exist.
func (m model) source(path string) (place, bool) {
	p, ok := m.find(path)
	if !ok || p.object() == nil || p.slash && p.object().kind != 'd' {
		return p, false
	}
	return p, true
}

func (m model) remove(path string) bool {
	p, ok := m.source(path)
	if ok {
		delete(p.parent.kids, p.name)
	}
	return ok
}

// transfer is Copy and Move.
func (m model) transfer(move bool, from, to string, keep bool) bool {
	s, ok := m.source(from)
	if !ok {
		return false
	}
	t, ok := m.find(to)
	if !ok {
		return false
	}
	source, target := s.object(), t.object()
	switch {
	case strings.HasPrefix(s.full(), t.full()), strings.HasPrefix(t.full(), s.full()):
		return false
	case t.slash && source.kind != 'd':
		return false
	case target == nil:
	case keep, target.kind == 'l', target.kind != source.kind, !move && !mergeable(source, target):
		return false
	}
	copied := source.clone()
	if move {
		delete(s.parent.kids, s.name)
	} else if target != nil && source.kind == 'd' {
		copied = merged(copied, target)
	}
	into := t.parent
	for _, name := range t.missing {
		into.kids[name] = newDir()
		into = into.kids[name]
	}
	into.kids[t.name] = copied
	return true
}

// mergeable reports whether all entries that both have are of one kind.
func mergeable(source, target *node) bool {
	if source.kind != target.kind {
		return false
	}
	for name, kid := range source.kids {
		if other := target.kids[name]; other != nil && !mergeable(kid, other) {
			return false
		}
	}
	return true
}

// merged adds to source what only target has.
func merged(source, target *node) *node {
	for name, kid := range target.kids {
		if mine := source.kids[name]; mine == nil {
			source.kids[name] = kid
		} else if kid.kind == 'd' {
			merged(mine, kid)
		}
	}
	return source
}

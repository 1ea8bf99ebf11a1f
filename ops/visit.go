package ops

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"codemode/ops/fsys"
	"codemode/ops/gitstate"
)

// removal looks at a tree that would leave its place. Its visit is called from
// several goroutines at once.
type removal struct {
	plan          *plan
	top           string
	found         *hazards
	refuseSpecial bool

	mu   sync.Mutex // of found and bare
	bare map[fsys.Identity]int
}

// bareNames are those of the entries that make a directory a bare repository.
var bareNames = map[string]int{"HEAD": 1, "objects": 2, "refs": 4, "commondir": 8}

func (v *removal) visit(o *fsys.Object) error {
	if o.MountRoot {
		v.note(&v.found.mount, v.path(o))
	}
	if v.refuseSpecial && o.Kind.Special() {
		return special(v.path(o), o.Kind)
	}
	if o.Kind == fsys.Directory {
		if v.refuseSpecial {
			if err := v.plan.around(o); err != nil {
				return err
			}
		}
		if err := v.plan.guards.directory(v.top, o.Info, func() string { return v.path(o) }); err != nil {
			return err
		}
	}
	if o.Depth == 0 {
		return nil
	}
	if len(v.plan.guards.Globs) > 0 {
		path := v.path(o)
		if why := v.plan.guards.FindGlob(path); why != "" {
			return refuse(ProtectedTarget, "%s cannot be removed, since it holds %s: %s", show(v.top), show(path), why)
		}
	}
	v.repository(o)
	return nil
}

func (v *removal) path(o *fsys.Object) string { return below(v.top, o) }

// repository notes a nested repository by the names that make one.
func (v *removal) repository(o *fsys.Object) {
	name := o.Name()
	if gitstate.IsControlName(name) {
		v.note(&v.found.repository, filepath.Dir(v.path(o)))
	}
	bit := bareNames[name]
	if bit == 0 {
		return
	}
	v.mu.Lock()
	if v.bare == nil {
		v.bare = map[fsys.Identity]int{}
	}
	seen := v.bare[o.Parent()] | bit
	v.bare[o.Parent()] = seen
	v.mu.Unlock()
	if gitstate.IsBareLayout(func(name string) bool { return seen&bareNames[name] != 0 }) {
		v.note(&v.found.repository, filepath.Dir(v.path(o)))
	}
}

// note keeps the first of several paths in their order, so that it does not
// depend on who met them first.
func (v *removal) note(found *string, path string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if *found == "" || path < *found {
		*found = path
	}
}

// found is an entry of a tree, whoever met it.
type found interface{ Rel() string }

func below(top string, e found) string {
	rel := e.Rel()
	if rel == "" {
		return top
	}
	return strings.TrimSuffix(top, "/") + "/" + rel
}

func special(path string, kind fsys.Kind) error {
	return refuse(InvalidFileType, "%s is a %s; only regular files, directories and symbolic links can be copied or moved, so leave it out", show(path), kind)
}

// copying looks at a tree that would be copied, and at what it would meet. Its
// visit is called from several goroutines at once.
type copying struct {
	call *call
	plan *plan
	mu   sync.Mutex            // of what is summed up in the plan, and of bare
	bare map[fsys.Identity]int // bareNames in directories that both trees have
}

func (v *copying) visit(o *fsys.Object) error {
	p := v.plan
	if o.Kind.Special() {
		return special(below(p.source.Path, o), o.Kind)
	}
	if err := p.around(o); err != nil {
		return err
	}
	if p.target == nil || !p.merge && o.Depth > 0 {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	path := below(p.target.Path, o)
	if o.Depth > 0 {
		if why := p.guards.FindGlob(path); why != "" {
			return refuse(ProtectedTarget, "%s cannot be written to: %s", show(path), why)
		}
		if o.InMirror() {
			if err := v.completes(o, path); err != nil {
				return err
			}
		}
		if p.merge && (o.Kind != fsys.Directory || o.Match == nil) {
			v.call.s.results.note(p.copied, o.Rel())
		}
	}
	if o.Match == nil {
		return nil
	}
	return v.match(o, path)
}

// completes refuses an entry that would make a directory of the target, which
// exists, a repository. One that comes as a whole is another thing: it is copied
// with all that it holds.
func (v *copying) completes(o *fsys.Object, path string) error {
	dir, name := filepath.Dir(path), o.Name()
	if o.Match == nil && gitstate.IsControlName(name) {
		return refuse(ProtectedTarget, "%s cannot be written to: with it %s, which exists, would become a Git repository; copy to a new directory, or the entries beside it one by one", show(path), show(dir))
	}
	bit := bareNames[name]
	if bit == 0 {
		return nil
	}
	if v.bare == nil {
		v.bare = map[fsys.Identity]int{}
	}
	seen := v.bare[o.Parent()] | bit
	v.bare[o.Parent()] = seen
	has := func(name string) bool { return seen&bareNames[name] != 0 || exists(filepath.Join(dir, name)) }
	if gitstate.IsBareLayout(has) && !exists(filepath.Join(dir, ".git")) {
		return refuse(ProtectedTarget, "%s cannot be written to: with it %s, which exists, would be a Git repository's own directory, whose configuration Git would follow; copy to a new directory, or make a repository with git init", show(path), show(dir))
	}
	return nil
}

// around refuses a source that holds the directory in which the target lies:
// a mount brings it there, where no path shows it, and a copy would never end.
func (p *plan) around(o *fsys.Object) error {
	if o.Kind != fsys.Directory || !slices.Contains(p.target.Ancestors, o.Identity) {
		return nil
	}
	return refuse(OverlappingPaths, "%s lies inside %s, by way of %s; choose a target outside of it", show(p.target.Path), show(p.source.Path), show(below(p.source.Path, o)))
}

// match checks an object that exists on both sides.
func (v *copying) match(o *fsys.Object, path string) error {
	p := v.plan
	if o.Match.Kind == fsys.Directory {
		if err := p.guards.directory(p.target.Path, *o.Match, func() string { return path }); err != nil {
			return err
		}
		if p.git.IsBare(path) {
			return refuse(ProtectedTarget, "%s cannot be written to: %s is a Git repository's own directory, which nothing is written into", show(p.target.Path), show(path))
		}
	}
	if o.Depth > 0 && gitstate.IsControlName(o.Name()) {
		return refuse(ProtectedTarget, "%s cannot be written to: it is Git control data of a repository that exists; copy the entries beside it one by one", show(path))
	}
	if o.Kind != o.Match.Kind {
		return refuse(InvalidFileType, "%s is a %s and cannot become a %s; move or delete it first", show(path), o.Match.Kind, o.Kind)
	}
	if o.Kind == fsys.Directory {
		if o.Identity == o.Match.Identity {
			return refuse(OverlappingPaths, "%s and %s are the same directory by way of a mount; there is nothing to copy", show(below(p.source.Path, o)), show(path))
		}
		return nil
	}
	if o.Match.MountRoot {
		return refuse(MountPoint, "%s is a mount point and cannot be overwritten; unmount it first", show(path))
	}
	p.overwritten.Entries++
	if o.Match.Kind == fsys.File {
		p.overwritten.Bytes += o.Match.Size
	}
	return v.call.ownFile(path, below(p.source.Path, o))
}

package ops

import (
	"slices"
	"strings"

	"codemode/ops/fsys"
	"codemode/ops/gitstate"
)

// removal looks at a tree that would leave its place.
type removal struct {
	plan          *plan
	top           string
	found         *hazards
	refuseSpecial bool
	marks         []mark // of the directories on the way down
}

// mark remembers which of the names that make a bare repository were met.
type mark struct {
	path string
	seen int
}

var bareNames = map[string]int{"HEAD": 1, "objects": 2, "refs": 4, "commondir": 8}

func (m *mark) has(name string) bool { return m.seen&bareNames[name] != 0 }

func (v *removal) visit(e *fsys.Entry) error {
	path := below(v.top, e)
	if e.MountRoot && v.found.mount == "" {
		v.found.mount = path
	}
	if v.refuseSpecial && e.Kind.Special() {
		return special(path, e.Kind)
	}
	if v.refuseSpecial {
		if err := v.plan.around(e); err != nil {
			return err
		}
	}
	if err := v.plan.guards.directory(v.top, path, e.Info); err != nil {
		return err
	}
	if e.Depth > 0 {
		if why := v.plan.guards.FindGlob(path); why != "" {
			return refuse(ProtectedTarget, "%s cannot be removed, since it holds %s: %s", show(v.top), show(path), why)
		}
	}
	v.repository(e, path)
	return nil
}

func (v *removal) repository(e *fsys.Entry, path string) {
	v.marks = v.marks[:min(len(v.marks), e.Depth)]
	if e.Depth > 0 {
		parent := &v.marks[e.Depth-1]
		if gitstate.IsControlName(e.Name) && v.found.repository == "" {
			v.found.repository = parent.path
		}
		parent.seen |= bareNames[e.Name]
		if v.found.repository == "" && gitstate.IsBareLayout(parent.has) {
			v.found.repository = parent.path
		}
	}
	if e.Kind == fsys.Directory {
		v.marks = append(v.marks, mark{path: path})
	}
}

func below(top string, e *fsys.Entry) string {
	if e.Depth == 0 {
		return top
	}
	return strings.TrimSuffix(top, "/") + "/" + e.Rel()
}

func special(path string, kind fsys.Kind) error {
	return refuse(InvalidFileType, "%s is a %s; only regular files, directories and symbolic links can be copied or moved, so leave it out", show(path), kind)
}

// copying looks at a tree that would be copied, and at what it would meet.
type copying struct {
	call *call
	plan *plan
}

func (v *copying) visit(e *fsys.Entry) error {
	p := v.plan
	if e.Kind.Special() {
		return special(below(p.source.Path, e), e.Kind)
	}
	if err := p.around(e); err != nil {
		return err
	}
	if p.target == nil || !p.merge && e.Depth > 0 {
		return nil
	}
	path := below(p.target.Path, e)
	if e.Depth > 0 {
		if why := p.guards.FindGlob(path); why != "" {
			return refuse(ProtectedTarget, "%s cannot be written to: %s", show(path), why)
		}
		if p.merge && (e.Kind != fsys.Directory || e.Match == nil) {
			v.call.s.results.note(p.copied, e.Rel())
		}
	}
	if e.Match == nil {
		return nil
	}
	return v.match(e, path)
}

// around refuses a source that holds the directory in which the target lies:
// a mount brings it there, where no path shows it, and a copy would never end.
func (p *plan) around(e *fsys.Entry) error {
	if e.Kind != fsys.Directory || !slices.Contains(p.target.Ancestors, e.Identity) {
		return nil
	}
	return refuse(OverlappingPaths, "%s lies inside %s, by way of %s; choose a target outside of it", show(p.target.Path), show(p.source.Path), show(below(p.source.Path, e)))
}

// match checks an entry that exists on both sides.
func (v *copying) match(e *fsys.Entry, path string) error {
	p := v.plan
	if err := p.guards.directory(p.target.Path, path, *e.Match); err != nil {
		return err
	}
	if e.Depth > 0 && gitstate.IsControlName(e.Name) {
		return refuse(ProtectedTarget, "%s cannot be written to: it is Git control data of a repository that exists; copy the entries beside it one by one", show(path))
	}
	if e.Kind != e.Match.Kind {
		return refuse(InvalidFileType, "%s is a %s and cannot become a %s; move or delete it first", show(path), e.Match.Kind, e.Kind)
	}
	if e.Kind == fsys.Directory {
		if e.Identity == e.Match.Identity {
			return refuse(OverlappingPaths, "%s and %s are the same directory by way of a mount; there is nothing to copy", show(below(p.source.Path, e)), show(path))
		}
		return nil
	}
	if e.Match.MountRoot {
		return refuse(MountPoint, "%s is a mount point and cannot be overwritten; unmount it first", show(path))
	}
	p.overwritten.Entries++
	if e.Match.Kind == fsys.File {
		p.overwritten.Bytes += e.Match.Size
	}
	from := below(p.source.Path, e)
	return v.call.ownFile(path, from)
}

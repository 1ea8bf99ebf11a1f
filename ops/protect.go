package ops

import (
	"os"
	"path/filepath"
	"slices"
	"sync"

	"codemode/ops/fsys"
	"codemode/ops/gitstate"
	"codemode/ops/policy"
)

// protectFixed collects what is protected whatever the project is.
func (s *Session) protectFixed() {
	add := func(path, what string, sealed bool) {
		if path == "" {
			return
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return
		}
		// The object itself, and every link on the way to it: without one of
		// those it is gone for whoever knows it by that name.
		real := resolveLoosely(abs)
		s.fixed = append(s.fixed, policy.Guarded{Path: real, What: what, Sealed: sealed})
		hops, _ := fsys.Chase(abs, "")
		for _, hop := range hops {
			if hop != real {
				s.fixed = append(s.fixed, policy.Guarded{Path: hop, What: "on the way to " + what})
			}
		}
	}
	add("/", "the root of the file system", false)
	if s.cfg.Root != "" {
		add(s.root.Path(), "the root that confines this session", false)
	}
	add(s.dir, "the working directory", false)
	add(s.inner, "the project root", false)
	for _, home := range s.cfg.Homes {
		add(home, "a home directory", false)
	}
	add(s.cfg.JournalDir, "the journal", true)
	for _, dir := range s.cfg.Sealed {
		add(dir, "the host's configuration", true)
	}
}

// protection is what is protected now, project included.
type protection struct {
	policy.Protection
	// Protected directories that exist, by identity: a mount or a file system
	// that folds case gives them names that no rule knows. The sealed ones
	// matter to everything, the others to directories only.
	sealed map[fsys.Identity]policy.Guarded
	others func() map[fsys.Identity]policy.Guarded
}

func (s *Session) protection(project gitstate.Project) *protection {
	root := project.Root
	if root == "" {
		root = s.cwd
	}
	p := &protection{
		Protection: policy.Protection{Globs: s.cfg.Protected, Bases: []string{root}, Control: gitstate.IsControlName},
	}
	if s.cfg.Root != "" && s.cwd != root {
		p.Bases = append(p.Bases, s.cwd) // a confined session's project is its root
	}
	if s.inner != "" {
		p.Bases = append(p.Bases, s.inner)
	}
	add := func(path, what string, sealed bool) {
		p.Paths = append(p.Paths, policy.Guarded{Path: path, What: what, Sealed: sealed})
	}
	p.Paths = append(p.Paths, s.fixed...)
	add(root, "the project root", false)
	s.addConfiguration(root, add)
	if s.cwd != root {
		s.addConfiguration(s.cwd, add)
	}
	if s.inner != "" {
		s.addConfiguration(s.inner, add)
	}
	for _, control := range project.Control {
		add(control, "Git control data", true)
	}
	p.sealed = p.identified(true)
	p.others = sync.OnceValue(func() map[fsys.Identity]policy.Guarded { return p.identified(false) })
	return p
}

// identified are the protected directories that exist and are sealed, or are not.
func (p *protection) identified(sealed bool) map[fsys.Identity]policy.Guarded {
	found := map[fsys.Identity]policy.Guarded{}
	for i, g := range p.Paths {
		if g.Sealed != sealed || slices.ContainsFunc(p.Paths[i+1:], func(later policy.Guarded) bool { return later.Path == g.Path }) {
			continue // the last word on a path counts
		}
		if id, ok := fsys.DirectoryAt(g.Path); ok {
			found[id] = g
		}
	}
	return found
}

// addConfiguration protects .codemode in dir, and where it leads if it is a link.
func (s *Session) addConfiguration(dir string, add func(path, what string, sealed bool)) {
	const what = "the project's codemode configuration"
	path := filepath.Join(dir, ".codemode")
	add(path, what, true)
	if st, err := os.Lstat(path); err == nil && st.Mode()&os.ModeSymlink != 0 {
		add(resolveLoosely(path), what, true)
	}
}

// guarded refuses a protected object.
func (p *protection) guarded(at *fsys.Place, doing string) error {
	why := p.Find(at.Path)
	if why == "" {
		for _, id := range at.Ancestors {
			if g, hit := p.sealed[id]; hit {
				why = "it lies inside " + g.What + " (" + show(g.Path) + ")"
			}
		}
	}
	if why == "" {
		return nil
	}
	return refuse(ProtectedTarget, "%s cannot be %s: %s, which is protected whatever anybody approves; act on single objects that are not", show(at.Path), doing, why)
}

// directory refuses a protected directory that is met in a tree, or under
// another name.
func (p *protection) directory(top string, info fsys.Info, path func() string) error {
	g, hit := p.sealed[info.Identity]
	if !hit {
		g, hit = p.others()[info.Identity]
	}
	if !hit {
		return nil
	}
	return refuse(ProtectedTarget, "%s cannot be removed or written to: %s is %s (%s), which is protected whatever anybody approves", show(top), show(path()), g.What, show(g.Path))
}

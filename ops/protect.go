package ops

import (
	"path/filepath"

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
		// The object itself, and the name it is known by: that may be a link.
		named := filepath.Join(resolveLoosely(filepath.Dir(abs)), filepath.Base(abs))
		real := resolveLoosely(abs)
		s.fixed = append(s.fixed, policy.Guarded{Path: real, What: what, Sealed: sealed})
		if named != real {
			s.fixed = append(s.fixed, policy.Guarded{Path: named, What: what, Sealed: sealed})
		}
	}
	add("/", "the root of the file system", false)
	if s.cfg.Root != "" {
		add(s.root.Path(), "the root that confines this session", false)
	}
	add(s.dir, "the working directory", false)
	add(s.cfg.Home, "the home directory", false)
	add(s.cfg.JournalDir, "the journal", true)
	for _, dir := range s.cfg.Sealed {
		add(dir, "the host's configuration", true)
	}
}

// protection is what is protected now, project included.
func (s *Session) protection(project gitstate.Project) *policy.Protection {
	root := project.Root
	if root == "" {
		root = s.cwd
	}
	p := &policy.Protection{Globs: s.cfg.Protected, Project: root, Control: gitstate.IsControlName}
	p.Paths = append(p.Paths, s.fixed...)
	p.Paths = append(p.Paths, policy.Guarded{Path: root, What: "the project root"})
	for _, dir := range []string{root, s.cwd} {
		p.Paths = append(p.Paths, policy.Guarded{Path: filepath.Join(dir, ".codemode"), What: "the project's codemode configuration", Sealed: true})
	}
	for _, control := range project.Control {
		p.Paths = append(p.Paths, policy.Guarded{Path: control, What: "Git control data", Sealed: true})
	}
	return p
}

// guarded refuses a protected object.
func guarded(p *policy.Protection, path, doing string) error {
	why := p.Find(path)
	if why == "" {
		return nil
	}
	return refuse(ProtectedTarget, "%s cannot be %s: %s, which is protected whatever anybody approves; act on single objects that are not", show(path), doing, why)
}

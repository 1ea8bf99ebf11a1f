package gitstate

import (
	"context"
	"slices"
)

// Project is what Git knows about the directory somebody works in.
type Project struct {
	// Root is the root of the Git worktree that holds the directory, "" when no
	// repository does.
	Root string
	// Control lists the control paths of all repositories around the directory:
	// the ".git" entry whatever its type, every link on the way from there, the
	// git dir and the common dir. They are absolute with resolved parents,
	// sorted, and each is there once.
	Control []string
	// Damaged says that there is control data around the directory that cannot
	// be found, and what to repair. Control is not complete then and nothing
	// should be changed.
	Damaged error
}

// Project looks at the repositories around dir, which has to be absolute and
// fully resolved. It need not exist.
func (in *Inspector) Project(ctx context.Context, dir string) Project {
	var p Project
	list := in.search(ctx).around(dir)
	for _, r := range list {
		p.Control = append(p.Control, r.control...)
		if p.Damaged == nil {
			p.Damaged = r.damaged
		}
	}
	slices.Sort(p.Control)
	p.Control = slices.Compact(p.Control)
	if r := worktree(list); r != nil {
		p.Root = r.root(dir)
	}
	return p
}

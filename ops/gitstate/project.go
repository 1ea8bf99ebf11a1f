package gitstate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Project is what Git knows about the directory somebody works in.
type Project struct {
	// Root is the root of the Git worktree that holds the directory, "" when no
	// repository does. It is never above the directory that has the ".git",
	// whatever core.worktree says: a repository's own settings must not widen
	// what belongs to somebody. Nor is a repository that belongs to somebody
	// else a project: anybody can make one in a shared directory.
	Root string
	// Control lists the control paths of all repositories around the directory:
	// the ".git" entry whatever its type, every link on the way from there, the
	// git dir and the common dir. They are absolute with resolved parents,
	// sorted, and each is there once. What lies inside a control path is control
	// data too, so a directory that also has the worktree inside (a bare
	// repository with worktrees in it) is given by its entries instead.
	Control []string
	// Damaged says that there is control data around the directory that cannot
	// be found, and what to repair. Control is not complete then and nothing
	// should be changed.
	Damaged error
}

// Project is [View.Project] of somebody who asks nothing else.
func (in *Inspector) Project(ctx context.Context, dir string) Project {
	return in.View(ctx).Project(dir)
}

// Project looks at the repositories around dir, which has to be absolute and
// fully resolved. It need not exist.
func (v *View) Project(dir string) Project {
	var p Project
	list := v.search.around(dir)
	for _, r := range list {
		p.Control = append(p.Control, r.control...)
		if p.Damaged == nil {
			p.Damaged = r.damaged
		}
	}
	own := slices.DeleteFunc(slices.Clone(list), func(r *repository) bool { return foreign(r, dir) })
	if r := worktree(own); r != nil {
		p.Root = r.root(dir)
		p.Control = sparing(p.Control, p.Root)
	}
	slices.Sort(p.Control)
	p.Control = slices.Compact(p.Control)
	return p
}

// foreign reports whether the control data of a repository belongs to somebody
// other than the user, the system's administrator, or whoever owns dir.
func foreign(r *repository, dir string) bool {
	control, err := lstat(r.control[0])
	if err != nil || !control.owned || control.uid == 0 || control.uid == os.Geteuid() {
		return false
	}
	at, err := lstat(dir)
	return err == nil && at.owned && at.uid != control.uid
}

// gitEntries are what a git dir may hold at its top, there or not.
var gitEntries = []string{
	"HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "branches", "commondir", "config", "config.worktree", "description",
	"gitdir", "hooks", "index", "info", "logs", "modules", "objects", "packed-refs", "refs", "reftable", "shallow", "worktrees",
}

// sparing replaces every control directory that has the root somewhere inside
// by all of its entries but the one that leads there.
func sparing(control []string, root string) (list []string) {
	for _, path := range control {
		rel, inside := relative(path, root)
		if !inside || rel == "" {
			list = append(list, path)
			continue
		}
		way, _, _ := strings.Cut(rel, "/")
		names := slices.Clone(gitEntries)
		entries, _ := os.ReadDir(path) // what cannot be listed is still in the list above
		for _, e := range entries {
			names = append(names, e.Name())
		}
		for _, name := range names {
			if name != way {
				list = append(list, filepath.Join(path, name))
			}
		}
	}
	return list
}

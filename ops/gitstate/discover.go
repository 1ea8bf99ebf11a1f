package gitstate

import (
	"context"
	"path/filepath"
	"strings"
)

// search finds repositories for questions about one moment and looks at no
// directory twice.
type search struct {
	in   *Inspector
	ctx  context.Context
	seen []place
}

// place is a directory that was looked at.
type place struct {
	dir        string
	repository *repository
	vacant     bool // neither ".git" nor "HEAD" is there
}

func (in *Inspector) search(ctx context.Context) *search {
	return &search{in: in, ctx: ctx, seen: make([]place, 0, 16)}
}

// at returns the repository at exactly this directory, nil without one.
func (s *search) at(dir string) *repository { return s.place(dir).repository }

func (s *search) place(dir string) place {
	for i := range s.seen { // a list as long as a path is deep
		if s.seen[i].dir == dir {
			return s.seen[i]
		}
	}
	p := place{dir: dir}
	p.repository, p.vacant = s.in.found(s.ctx, dir)
	s.seen = append(s.seen, p)
	return p
}

// around finds every repository that holds dir, nearest first. dir is absolute
// and resolved and need not exist.
//
// It goes up to the root of the file system: the nearest repository is the one
// that git would use, but those outside may hold an index that lists the same
// files, and stopping at a file system boundary would hide them.
func (s *search) around(dir string) (list []*repository) {
	for dir = filepath.Clean(dir); ; {
		if r := s.at(dir); r != nil {
			list = append(list, r)
		}
		up := parent(dir)
		if up == dir {
			return list
		}
		dir = up
	}
}

// parent is [filepath.Dir] of a path that is clean.
func parent(dir string) string {
	if i := strings.LastIndex(dir, separator); i > len(filepath.VolumeName(dir)) {
		return dir[:i]
	}
	return filepath.Dir(dir)
}

// worktree picks the repository whose worktree holds dir from the list of
// those around it: the nearest one that git would use or, when all of them are
// broken, the nearest.
func worktree(list []*repository) *repository {
	var fallback *repository
	for _, r := range list {
		if r.bare {
			continue
		}
		if r.valid && r.damaged == nil {
			return r
		}
		if fallback == nil {
			fallback = r
		}
	}
	return fallback
}

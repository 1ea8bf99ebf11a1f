package ops

import (
	"context"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"codemode/ops/fsys"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

// Globbed is the result of the tool glob.
type Globbed struct {
	Matches    []plain.Text `json:"matches"` // sorted; relative unless pattern or path is absolute
	Truncated  bool         `json:"truncated"`
	Unreadable []plain.Text `json:"unreadable,omitempty"`
}

func (s *Session) glob(ctx context.Context, f *fields) (any, error) {
	pattern := f.text("pattern", required)
	path := f.text("path", optional)
	limit := f.limit(defaultListLimit)
	gitignore, _ := f.boolean("gitignore", strict)
	if err := f.done(); err != nil {
		return nil, err
	}
	pattern, path, err := splitGlob(pattern, path)
	if err != nil {
		return nil, err
	}
	at, info, err := s.look(path, true)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	out := Globbed{Matches: []plain.Text{}}
	if info.Kind != fsys.Directory {
		return nil, refuse("ENOTDIR", "%s is a %s, not a directory to search in", show(at.Path), info.Kind)
	}
	top := asked(path)
	skip, err := s.ignored(ctx, gitignore, at.Path)
	if err != nil {
		return nil, err
	}
	err = at.Walk(ctx, fsys.Walk{Unreadable: unreadable(top, &out.Unreadable), Visit: func(e *fsys.Entry) error {
		if e.Depth == 0 {
			return nil
		}
		if skip(below(at.Path, e), e.Kind == fsys.Directory) {
			if e.Kind == fsys.Directory {
				return fsys.SkipDir
			}
			return nil
		}
		if ok, _ := doublestar.Match(pattern, e.Rel()); ok {
			if int64(len(out.Matches)) >= limit {
				out.Truncated = true
				return errEnough
			}
			out.Matches = append(out.Matches, plain.Text(spelled(top, e)))
		}
		if e.Kind == fsys.Directory && deepest(pattern) == e.Depth {
			return fsys.SkipDir
		}
		return nil
	}})
	if err != nil && err != errEnough {
		return nil, err
	}
	return out, nil
}

// splitGlob takes the fixed beginning of a pattern over into the path.
func splitGlob(pattern, path string) (string, string, error) {
	if path == "" {
		path = "."
	}
	pattern = strings.TrimPrefix(pattern, "./")
	if err := policy.CheckGlob(pattern); err != nil {
		return "", "", refuse(InvalidArguments, "pattern: %v", err)
	}
	if strings.HasPrefix(pattern, "/") {
		base, rest := doublestar.SplitPattern(pattern)
		pattern, path = rest, base
	}
	return pattern, path, nil
}

// deepest is how far below the start a pattern can match; 0 for any depth.
func deepest(pattern string) int {
	if strings.Contains(pattern, "**") || strings.Contains(pattern, "{") {
		return 0
	}
	return strings.Count(pattern, "/") + 1
}

// ignored returns a test for what Git ignores, and for Git's own files.
func (s *Session) ignored(ctx context.Context, wanted bool, dir string) (func(path string, isDir bool) bool, error) {
	if !wanted {
		return func(string, bool) bool { return false }, nil
	}
	paths, err := s.git.Ignored(ctx, dir)
	if err != nil {
		return nil, refuse(InvalidArguments, "what Git ignores below %s cannot be told: %v; leave gitignore out", show(dir), err)
	}
	return func(path string, isDir bool) bool {
		_, hit := paths[path]
		return hit || path[strings.LastIndexByte(path, '/')+1:] == ".git"
	}, nil
}

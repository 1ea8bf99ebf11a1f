package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Verdict is what Git knows about one path.
type Verdict struct {
	// Tracked: the path, or anything at or below it, is tracked or newly staged
	// by a repository around it. Also true for the entry and the content of a
	// submodule that cannot answer for itself, and below a directory that a
	// sparse index has instead of its files.
	Tracked bool
	// Doubt, when not empty, says why the answer is not certain, with the exact
	// path. Tracked may be true besides; when it is false, nothing follows from
	// it.
	Doubt string
	// Repository is the root of the nearest repository around the path, ""
	// without one.
	Repository string
}

// Classify asks all repositories around path, which has to be absolute with
// resolved parents, and in addition those around from (absolute and resolved,
// or ""), because a repository can say that its worktree is elsewhere.
// isDir says that path is a directory, so that a repository inside it at that
// very place counts too.
func (in *Inspector) Classify(ctx context.Context, path string, isDir bool, from string) Verdict {
	path = filepath.Clean(path)
	find := in.search(ctx)
	around := find.around(filepath.Dir(path))
	var v Verdict
	if r := worktree(around); r != nil {
		v.Repository = r.root(filepath.Dir(path))
	}
	if isDir {
		if r := find.at(path); r != nil {
			around = append([]*repository{r}, around...)
		}
	}
	q := question{in: in, path: path, isDir: isDir, around: around, verdict: &v}
	for name := range strings.SplitSeq(path, separator) {
		if IsControlName(name) {
			q.doubt(fmt.Sprintf("%q is control data of Git", path))
		}
	}
	housed := false // in a worktree; one inside a bare repository is usual
	for _, r := range around {
		q.doubt(r.doubt)
		if r.bare && r.holder != path && !housed {
			q.doubt(fmt.Sprintf("%q lies inside the repository %q", path, r.holder))
		}
		housed = housed || !r.bare && r.valid && r.holder != path
		q.ask(ctx, r)
	}
	if from != "" {
		for _, r := range find.around(from) {
			if slices.Contains(around, r) {
				continue
			}
			if r.adrift {
				q.doubt(r.doubt)
			}
			q.ask(ctx, r)
		}
	}
	if err := ctx.Err(); err != nil {
		q.doubt(fmt.Sprintf("the look at %q was stopped: %v", path, err))
	}
	return v
}

// question is one path on its way through the repositories.
type question struct {
	in      *Inspector
	path    string
	isDir   bool
	around  []*repository
	verdict *Verdict
}

func (q *question) doubt(why string) {
	if q.verdict.Doubt == "" {
		q.verdict.Doubt = why
	}
}

// ask looks the path up in the index of one repository, from each of its
// roots.
func (q *question) ask(ctx context.Context, r *repository) {
	if q.verdict.Tracked || r.gitDir == "" || r.damaged != nil {
		return
	}
	var n *names
	for _, root := range r.roots {
		rel, inside := relative(root, q.path)
		if !inside {
			if _, holds := relative(q.path, root); !holds || !q.isDir {
				continue
			}
			rel = "" // the whole worktree is below the path
		} else if q.verdict.Repository == "" {
			q.verdict.Repository = root
		}
		if n == nil {
			var err error
			n, err = q.in.index(ctx, r)
			if errors.Is(err, errNoIndex) {
				q.noIndex(r)
				return
			}
			if err != nil {
				q.doubt(err.Error())
				return
			}
		}
		if q.match(n, root, rel, r.settings.ignoreCase || foldNames) {
			q.verdict.Tracked = true
			return
		}
	}
}

func (q *question) noIndex(r *repository) {
	if r.settings.bare == yes || unborn(r) {
		return
	}
	q.doubt(fmt.Sprintf("%q is missing, although the repository has commits", filepath.Join(r.gitDir, "index")))
}

func (q *question) match(n *names, root, rel string, folding bool) bool {
	if n.covers(rel) || q.orphaned(n, root, rel, rel) {
		return true
	}
	if !folding {
		return false
	}
	n = n.folded()
	return n.covers(fold(rel)) || q.orphaned(n, root, rel, fold(rel))
}

// orphaned reports whether the path lies below a gitlink whose repository
// cannot be asked. When it can, it is among those around the path and answers
// for what it holds.
func (q *question) orphaned(n *names, root, rel, key string) bool {
	at := n.linkAbove(key)
	if at < 0 {
		return false
	}
	if len(key) != len(rel) {
		return true // folding changed the text: which part it was cannot be said
	}
	link := join(root, filepath.FromSlash(rel[:at]))
	for _, r := range q.around {
		if r.holder == link && r.valid && r.damaged == nil {
			return false
		}
	}
	return true
}

package gitstate

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
)

// Untracked reports whether path is, or holds, a file that Git neither tracks
// nor ignores, so that nothing could bring it back. path is absolute with
// resolved parents. Whatever is not certain counts as such a file: no
// repository, a repository inside the path, a submodule, no git program, any
// word of complaint from it.
//
// What git ignores counts as replaceable here, which is a guess: ignore files
// often name secrets and databases.
func (in *Inspector) Untracked(ctx context.Context, path string, isDir bool) bool {
	path = filepath.Clean(path)
	if isDir {
		if _, err := lstat(filepath.Join(path, ".git")); !absent(err) {
			return true // the history in it is neither tracked nor ignored
		}
	}
	around := in.search(ctx).around(filepath.Dir(path))
	r := worktree(around)
	if r == nil || len(r.roots) != 1 {
		return true
	}
	for _, other := range around {
		if other.doubt != "" {
			return true
		}
		if other.bare && len(other.holder) > len(r.holder) {
			return true // between the path and its worktree
		}
	}
	rel, ok := relative(r.holder, path)
	if !ok || rel == "" || in.mayAsk(r) != nil {
		return true
	}
	// Git does not look into the worktrees of submodules.
	if n, err := in.index(ctx, r); err == nil {
		if r.settings.ignoreCase || foldNames {
			n, rel := n.folded(), fold(rel)
			if n.linkAbove(rel) >= 0 || n.linksBelow(rel) {
				return true
			}
		}
		if n.linkAbove(rel) >= 0 || n.linksBelow(rel) {
			return true
		}
	} else if !errors.Is(err, errNoIndex) || !unborn(r) {
		return true
	}
	args, err := r.confinedArgs()
	if err != nil {
		return true
	}
	args = append(args, "--no-optional-locks", "-c", "core.fsmonitor=false",
		"-c", "core.ignoreCase="+strconv.FormatBool(r.settings.ignoreCase), // as it is read here, whatever included files say
		"--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--", rel)
	// The first byte printed is the answer, so nothing of it is kept.
	_, err = in.git(ctx, r.holder, nil, 0, args...)
	return err != nil
}

package gitstate

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
)

// witness is one thing that was seen while a repository was looked for. A
// repository whose witnesses all say the same again is the same again.
type witness struct {
	path   string
	absent bool
	kind   os.FileMode
	stamp  stamp // of a regular file; what a directory holds has witnesses of its own
}

// see makes a witness of what is at a path. ok is false for what cannot be
// one: a link, anything that cannot be looked at, and a file whose stamp does
// not show every change after now.
func see(path string, now time.Time) (w witness, ok bool) {
	at, err := lstat(path)
	switch {
	case absent(err):
		return witness{path: path, absent: true}, true
	case err != nil:
		return w, false
	case at.kind == 0:
		return witness{path: path, stamp: at.stamp}, at.stamp.settled(now) && honest(path)
	}
	return witness{path: path, kind: at.kind}, at.kind == os.ModeDir
}

// same reports whether the path still is what it was.
func (w *witness) same() bool {
	at, err := lstat(w.path)
	if err != nil {
		return w.absent && absent(err)
	}
	return !w.absent && at.kind == w.kind && (w.kind != 0 || at.stamp == w.stamp)
}

// kept is a repository and what proves that it still is what it was.
type kept struct {
	repository *repository
	witnesses  []witness
}

func (k *kept) same() bool {
	for i := range k.witnesses {
		if !k.witnesses[i].same() {
			return false
		}
	}
	return true
}

// maxKept bounds how many repositories are kept.
const maxKept = 64

// recall returns the repository that was found at a directory before, if
// nothing that decides about it has changed since. That there was none is not
// kept: to look for what is not there takes no longer than to make sure of it.
func (in *Inspector) recall(dir string) *repository {
	in.mu.Lock()
	k := in.kept[dir]
	in.mu.Unlock()
	switch {
	case k == nil:
		return nil
	case k.same():
		return k.repository
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.kept[dir] == k {
		delete(in.kept, dir)
	}
	return nil
}

// keep keeps a repository of the usual kind that was just found. It is looked
// for once more, between two looks at its witnesses: then what was read is what
// they stand for.
func (in *Inspector) keep(ctx context.Context, r *repository) {
	if !r.usual() {
		return
	}
	now := time.Now()
	k := &kept{}
	for _, path := range r.decisive() {
		w, ok := see(path, now)
		if !ok {
			return
		}
		k.witnesses = append(k.witnesses, w)
	}
	k.repository = in.look(ctx, r.holder)
	if !reflect.DeepEqual(k.repository, r) || !r.straight() || !k.same() {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.kept) >= maxKept {
		clear(in.kept)
	}
	in.kept[r.holder] = k
}

// usual reports whether a repository is sound and has its worktree where its
// ".git" is, with no link on the way to anything.
func (r *repository) usual() bool {
	if r.bare || !r.valid || r.damaged != nil || r.adrift || r.doubt != "" || len(r.roots) != 1 {
		return false
	}
	for _, path := range r.control {
		if path != r.entry() && path != r.gitDir && path != r.commonDir {
			return false // a link on the way
		}
	}
	return true
}

func (r *repository) entry() string { return join(r.holder, ".git") }

// decisive are the paths that a repository of the usual kind depends on, those
// that change most first. The parents of its holder are not among them: callers
// have resolved them, each time anew.
func (r *repository) decisive() []string {
	list := []string{
		filepath.Join(r.gitDir, "HEAD"), filepath.Join(r.gitDir, "commondir"),
		filepath.Join(r.commonDir, "config"), filepath.Join(r.commonDir, "objects"), filepath.Join(r.commonDir, "refs"),
		r.entry(),
	}
	if r.settings.worktreeConfig {
		list = append(list, filepath.Join(r.gitDir, "config.worktree"))
	}
	for _, dir := range []string{r.gitDir, r.commonDir} {
		for ; ; dir = filepath.Dir(dir) {
			if _, above := relative(dir, r.holder); above || slices.Contains(list, dir) {
				break
			}
			list = append(list, dir)
		}
	}
	return list
}

// straight reports whether the pointers of a linked worktree are written as git
// writes them. Others may go down one way and up another, and depend on
// directories that their ends do not show.
func (r *repository) straight() bool {
	if r.gitDir != r.entry() {
		data, _, err := readRegular(r.entry(), maxPointer)
		if err != nil {
			return false
		}
		if to, err := parseGitfile(data); err != nil || to != r.gitDir {
			return false
		}
	}
	if r.commonDir != r.gitDir {
		data, _, err := readRegular(filepath.Join(r.gitDir, "commondir"), maxPointer)
		return err == nil && strings.TrimRight(string(data), "\r\n") == "../.."
	}
	return true
}

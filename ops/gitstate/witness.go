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
	stamp  stamp // for a directory it need not stay the same
	honest bool  // a stamp like this one, when it is settled, shows every change

	// within is the place of the witness for the directory that has this one's
	// path as an entry, or -1. While nothing came to that directory and nothing
	// left it, what is absent stays so and what is a directory, too.
	within int
	quiet  bool // a directory whose stamp is settled
}

// see makes a witness of what is at a path. ok is false for what cannot be
// one: a link, anything that cannot be looked at, and a file whose stamp does
// not show every change after now.
func see(path string, now time.Time) (w witness, ok bool) {
	at, err := lstat(path)
	w = witness{path: path, within: -1}
	switch {
	case absent(err):
		w.absent = true
		return w, true
	case err != nil:
		return w, false
	}
	w.kind, w.stamp, w.honest = at.kind, at.stamp, honest(path)
	if w.kind == 0 {
		return w, w.honest && w.stamp.settled(now)
	}
	w.quiet = w.honest && w.stamp.settled(now)
	return w, w.kind == os.ModeDir
}

// kept is a repository and what proves that it still is what it was.
type kept struct {
	repository *repository
	witnesses  []witness
}

// same reports whether all witnesses say what they said. renewed is the same
// with what is known now of directories that were busy, nil if there is
// nothing new.
func (k *kept) same() (same bool, renewed *kept) {
	var still uint64  // directories that nothing came to and nothing left, by bit
	now := time.Now() // before anything is looked at, as the rule of [stamp.settled] wants it
	for i := range k.witnesses {
		w := &k.witnesses[i]
		if w.within >= 0 && still>>w.within&1 == 1 {
			continue
		}
		at, err := lstat(w.path)
		switch {
		case err != nil:
			if !w.absent || !absent(err) {
				return false, nil
			}
		case w.absent || at.kind != w.kind:
			return false, nil
		case w.kind == 0:
			if at.stamp != w.stamp {
				return false, nil
			}
		case w.quiet && at.stamp == w.stamp:
			still |= 1 << i
		case w.honest && at.stamp.settled(now):
			if renewed == nil {
				renewed = &kept{k.repository, slices.Clone(k.witnesses)}
			}
			renewed.witnesses[i].stamp, renewed.witnesses[i].quiet = at.stamp, true
		}
	}
	return true, renewed
}

// maxKept bounds how many repositories are kept.
const maxKept = 64

// recall returns the repository that was found at a directory before, if
// nothing that decides about it has changed since.
func (in *Inspector) recall(dir string) *repository {
	in.mu.Lock()
	k := in.kept[dir]
	in.mu.Unlock()
	if k == nil {
		return nil
	}
	same, renewed := k.same()
	if same && renewed == nil {
		return k.repository
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case in.kept[dir] != k: // somebody else was here
	case same:
		in.kept[dir] = renewed
	default:
		delete(in.kept, dir)
	}
	if !same {
		return nil
	}
	return k.repository
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
		if !ok || len(k.witnesses) == 64 { // as many as same has bits
			return
		}
		k.witnesses = append(k.witnesses, w)
	}
	k.connect()
	k.repository, _ = in.look(ctx, r.holder)
	if !reflect.DeepEqual(k.repository, r) || !r.straight() {
		return
	}
	if same, _ := k.same(); !same {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.kept) >= maxKept {
		clear(in.kept)
	}
	in.kept[r.holder] = k
}

// connect tells witnesses which of them is about the directory they are in.
// Regular files have to be looked at all the same, and so have the directories
// that others are in.
func (k *kept) connect() {
	place := map[string]int{}
	for i, w := range k.witnesses {
		if w.kind == os.ModeDir {
			place[w.path] = i
		}
	}
	for i := range k.witnesses {
		if w := &k.witnesses[i]; w.absent || w.kind == os.ModeDir {
			if in, ok := place[filepath.Dir(w.path)]; ok && in < i {
				w.within = in
			}
		}
	}
	for _, w := range k.witnesses {
		if w.within >= 0 {
			k.witnesses[w.within].within = -1
		}
	}
}

// usual reports whether a repository is sound and has its worktree where its
// ".git" is, with no link on the way to anything. One that core.worktree places
// is none, wherever that leads now: what lies on the way there is not witnessed.
func (r *repository) usual() bool {
	if r.bare || r.placed || !r.valid || r.damaged != nil || r.adrift || r.doubt != "" || len(r.roots) != 1 {
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

// decisive are the paths that a repository of the usual kind depends on,
// directories before what is in them. The parents of its holder are not among
// them: callers have resolved them, each time anew.
func (r *repository) decisive() []string {
	list := []string{r.entry()}
	for _, dir := range []string{r.gitDir, r.commonDir} {
		var way []string
		for ; ; dir = filepath.Dir(dir) {
			if _, above := relative(dir, r.holder); above || slices.Contains(list, dir) {
				break
			}
			way = append(way, dir)
		}
		slices.Reverse(way)
		list = append(list, way...)
	}
	list = append(list, filepath.Join(r.gitDir, "HEAD"), filepath.Join(r.gitDir, "commondir"),
		filepath.Join(r.commonDir, "config"), filepath.Join(r.commonDir, "objects"), filepath.Join(r.commonDir, "refs"))
	if r.settings.worktreeConfig {
		list = append(list, filepath.Join(r.gitDir, "config.worktree"))
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

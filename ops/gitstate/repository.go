package gitstate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"codemode/ops/fsys"
)

// repository is what was found at one directory: a ".git" entry of any kind,
// or the directory of a bare repository. Once found it does not change.
type repository struct {
	holder string // the directory that has the ".git", or the bare repository itself
	bare   bool   // found by layout, without a ".git"
	within string // what its control data may not lead out of, if anything

	control   []string // every path that its control data depends on, resolved
	gitDir    string   // "" when it is not known
	commonDir string

	roots    []string // directories that the names in the index start from
	settings settings
	head     head
	valid    bool // git would use it

	damaged error  // where the control data lies cannot be said
	placed  bool   // core.worktree says where its worktree lies
	adrift  bool   // where its worktree lies cannot be said
	doubt   string // why its answers are not certain
}

// root is the worktree of the repository for somebody standing in dir: the one
// that core.worktree names if that lies in the holder and has dir in it,
// otherwise the holder.
func (r *repository) root(dir string) string {
	for _, root := range slices.Backward(r.roots) {
		_, inside := relative(r.holder, root)
		if _, ok := relative(root, dir); ok && inside {
			return root
		}
	}
	return r.holder
}

// found looks for a repository at exactly this directory. nil means that there
// certainly is none, and vacant that neither ".git" nor "HEAD" is there.
func (in *Inspector) found(ctx context.Context, dir string) (r *repository, vacant bool) {
	if in.stillVacant(dir) {
		return nil, true
	}
	if r := in.recall(dir); r != nil {
		return r, false
	}
	r, vacant = in.look(ctx, dir)
	switch {
	case r != nil:
		in.keep(ctx, r)
	case vacant:
		in.keepVacant(dir)
	}
	return r, vacant
}

// look is found without what is kept.
func (in *Inspector) look(ctx context.Context, dir string) (r *repository, vacant bool) {
	r = &repository{holder: dir}
	if _, inside := relative(in.within, dir); inside && in.within != "" {
		r.within = in.within
	}
	entry := r.entry()
	at, err := lstat(entry)
	switch {
	case absent(err):
		if _, err := lstat(join(dir, "HEAD")); err != nil {
			return nil, absent(err) // the usual case, for two system calls
		}
		if !isGitDir(dir, r.within) {
			return nil, false
		}
		r.bare = true
		r.adopt(dir)
	case err != nil:
		r.control = []string{entry}
		r.damage("%q cannot be looked at (%s): make its directory accessible", entry, reason(err))
	default:
		r.control = []string{entry}
		r.roots = []string{dir}
		r.follow(entry, at.kind)
	}
	if r.damaged == nil {
		in.configure(ctx, r)
	}
	return r, false
}

func (r *repository) damage(format string, args ...any) {
	r.damaged = fmt.Errorf(format, args...)
	r.adrift = true
	r.suspect("%s", r.damaged)
}

// suspect notes why answers about this repository are not certain. The first
// reason is the one that is told.
func (r *repository) suspect(format string, args ...any) {
	if r.doubt == "" {
		r.doubt = fmt.Sprintf(format, args...)
	}
}

// follow finds the git dir that a ".git" entry stands for.
func (r *repository) follow(entry string, kind os.FileMode) {
	file := entry
	if kind == os.ModeSymlink {
		hops, err := fsys.Chase(entry, r.within)
		r.control = append(r.control, hops...)
		if err != nil {
			r.damage("%q is a link that leads nowhere (%s): repair or remove it", entry, reason(err))
			return
		}
		file = hops[len(hops)-1]
		at, err := lstat(file)
		if err != nil {
			r.damage("%q cannot be looked at (%s): repair or remove the link %q", file, reason(err), entry)
			return
		}
		kind = at.kind
	}
	switch kind {
	case os.ModeDir:
		r.adopt(file)
	case 0:
		hops, err := readGitfile(file, r.holder, r.within)
		r.control = append(r.control, hops...)
		if err != nil {
			r.damage("%q does not lead to a repository (%s): repair or remove it", entry, reason(err))
			return
		}
		r.adopt(hops[len(hops)-1])
	default:
		r.damage("%q is neither a directory nor a file: remove it", file)
		return
	}
	if r.damaged == nil && !r.valid && r.gitDir != entry && !looksUsed(r.gitDir) {
		r.damage("%q leads to %q, which holds no repository: repair or remove it", entry, r.gitDir)
	}
}

// adopt takes a directory as the git dir and finds what belongs to it.
func (r *repository) adopt(gitDir string) {
	r.gitDir, r.commonDir = gitDir, gitDir
	r.control = append(r.control, gitDir)
	hops, err := commonDir(gitDir, r.within)
	r.control = append(r.control, hops...)
	if err != nil {
		r.damage("%q does not lead to a repository (%s): repair it", filepath.Join(gitDir, "commondir"), reason(err))
		return
	}
	if len(hops) > 0 {
		r.commonDir = hops[len(hops)-1]
	}
	r.head = readHead(gitDir)
	r.valid = r.head != headInvalid && hasStore(r.commonDir)
	if !r.valid {
		// Git would pass it over without a word and use the next one outside.
		r.suspect("%q is not a usable repository (HEAD, objects or refs are missing or broken)", gitDir)
	}
}

func hasStore(common string) bool {
	return isDirectory(filepath.Join(common, "objects")) && isDirectory(filepath.Join(common, "refs"))
}

// looksUsed reports whether at least a part of a repository is there.
func looksUsed(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs", "commondir", "index"} {
		if _, err := lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// isGitDir reports whether a directory with a "HEAD" and without ".git" is
// itself a repository, by the rules that git goes by.
func isGitDir(dir, within string) bool {
	if readHead(dir) == headInvalid {
		return false
	}
	common := dir
	if hops, err := commonDir(dir, within); err != nil {
		return true // half of one; found again and reported by adopt
	} else if len(hops) > 0 {
		common = hops[len(hops)-1]
	}
	return hasStore(common)
}

// configure reads the settings, which may move the worktree elsewhere.
func (in *Inspector) configure(ctx context.Context, r *repository) {
	files := configFiles(r.gitDir, r.commonDir)
	s, err := in.readSettings(ctx, files[0])
	if err != nil {
		r.adrift = true
		r.suspect("%s", err)
	}
	trees := s.worktrees
	if r.gitDir != r.commonDir {
		// The shared values are those of the main worktree.
		trees, s.bare = nil, unset
	}
	if s.worktreeConfig {
		own, err := in.readSettings(ctx, files[1])
		if err != nil {
			r.adrift = true
			r.suspect("%s", err)
		}
		if len(own.worktrees) > 0 {
			trees = own.worktrees
		}
		s.ignoreCase = s.ignoreCase || own.ignoreCase
		if own.bare != unset {
			s.bare = own.bare
		}
	}
	r.settings, r.placed = s, len(trees) > 0
	if s.odd != "" {
		r.suspect("%q asks for a format that is not known here: %s", files[0], s.odd)
	}
	for i, tree := range trees {
		hops, err := fsys.Chase(join(r.gitDir, tree), r.within)
		if err == nil {
			root := hops[len(hops)-1]
			// The holder stays a root: a second place that counts costs a
			// question at worst.
			if !slices.Contains(r.roots, root) {
				r.roots = append(r.roots, root)
			}
		} else if i == len(trees)-1 {
			r.adrift = true
			r.suspect("core.worktree of %q leads nowhere (%s)", files[0], reason(err))
		}
	}
}

package gitstate

import (
	"context"
	"path/filepath"
)

// View answers several questions about one moment: no directory is looked at
// twice. It is not safe for concurrent use.
type View struct {
	search *search
	bare   map[string]string // what BareAround found, by directory
}

// View begins to look.
func (in *Inspector) View(ctx context.Context) *View {
	return &View{search: in.search(ctx), bare: map[string]string{}}
}

// BareAround is the nearest directory at or above dir, which is absolute and
// resolved, that is laid out as a repository without a ".git", see
// [IsBareLayout]; "" if there is none. The root of the file system is no such
// directory.
func (v *View) BareAround(dir string) string {
	up := filepath.Dir(dir)
	if dir == up {
		return ""
	}
	bare, known := v.bare[dir]
	if !known {
		if v.IsBare(dir) {
			bare = dir
		} else {
			bare = v.BareAround(up)
		}
		v.bare[dir] = bare
	}
	return bare
}

// IsBare reports whether a directory itself is laid out like that.
func (v *View) IsBare(dir string) bool {
	for i := range v.search.seen {
		if p := &v.search.seen[i]; p.dir == dir && (p.vacant || p.repository != nil && !p.repository.bare) {
			return false // it has no "HEAD", or a ".git"
		}
	}
	has := func(name string) bool {
		_, err := lstat(join(dir, name))
		return err == nil
	}
	return IsBareLayout(has) && !has(".git")
}

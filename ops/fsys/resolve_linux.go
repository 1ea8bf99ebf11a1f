package fsys

import (
	"errors"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// maxLinks is how many links one resolution follows, as in the kernel.
const maxLinks = 40

// dir is a directory held open by descriptor.
type dir struct {
	fd       int
	mount    uint64 // that it lies on, 0 where nobody has looked
	writable bool   // somebody has looked, and it is
	kind     int64  // the type of its file system, 0 where nobody has looked
}

func (d *dir) close() {
	if d != nil && d.fd >= 0 {
		unix.Close(d.fd)
		d.fd = -1
	}
}

// Root is where paths start. A confined root is never left, whatever links lie
// inside it and whoever swaps them meanwhile.
type Root struct {
	fd       int
	path     string
	id       Identity
	confined bool
}

// OpenRoot opens the root of the file system, or, when path is not empty, a
// confined root at that directory.
func OpenRoot(path string) (*Root, error) {
	confined := path != ""
	resolved := "/"
	if confined {
		var err error
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		if resolved, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	fd, err := openAt(unix.AT_FDCWD, resolved, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, pathError("open", resolved, err)
	}
	info, err := statAt(fd, "")
	if err != nil {
		unix.Close(fd)
		return nil, pathError("stat", resolved, err)
	}
	return &Root{fd: fd, path: resolved, id: info.Identity, confined: confined}, nil
}

// Path is the resolved path of the root.
func (r *Root) Path() string { return r.path }

// Below spells a resolved path that lies in the root relative to it.
func (r *Root) Below(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, strings.TrimSuffix(r.path, "/")), "/")
}

// Close lets go of the root.
func (r *Root) Close() error { return unix.Close(r.fd) }

// Close lets go of the held directory.
func (p *Place) Close() {
	if p != nil {
		p.dir.close()
	}
}

// IdentityAt returns the identity of the object at an absolute path, if there
// is one, without following a link at its end.
func IdentityAt(path string) (Identity, bool) {
	info, err := statAt(unix.AT_FDCWD, path)
	return info.Identity, err == nil
}

// DirectoryAt returns the identity of the directory at an absolute path, if
// there is one; a link in its place is none.
func DirectoryAt(path string) (Identity, bool) {
	info, err := statAt(unix.AT_FDCWD, path)
	return info.Identity, err == nil && info.Kind == Directory
}

// Resolve finds the place of path, which is cleaned and relative to the root
// (a leading slash is ignored). Links among the parents are followed, the last
// component is not, unless follow says so. Missing parents are no error, but
// kept in [Place.Missing]; a broken link among the parents is.
func (r *Root) Resolve(path string, follow bool) (*Place, error) {
	if !follow {
		return r.ResolveNear(path, nil)
	}
	return r.resolve(path, follow)
}

// ResolveNear is [Root.Resolve] without following, of a path that probably lies
// near another place. The two may share the directory that they hold and are to
// be closed together.
func (r *Root) ResolveNear(path string, near *Place) (*Place, error) {
	if place := r.straight(path, near); place != nil {
		return place, nil
	}
	return r.resolve(path, false)
}

func (r *Root) resolve(path string, follow bool) (*Place, error) {
	fd, err := unix.FcntlInt(uintptr(r.fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, pathError("resolve", path, err)
	}
	w := &resolver{root: r, fd: fd, path: r.path, ids: []Identity{r.id}, follow: follow}
	w.push(path, false)
	place, err := w.run()
	if err != nil {
		unix.Close(w.fd)
		return nil, pathError("resolve", join(r.path, strings.TrimPrefix(path, "/")), err)
	}
	return place, nil
}

// step is one component still to be walked.
type step struct {
	name     string
	fromLink bool
}

type resolver struct {
	root   *Root
	fd     int // the directory reached
	path   string
	ids    []Identity // of the directories from the root to fd
	todo   []step     // in reverse order
	links  int
	follow bool
}

func (w *resolver) push(path string, fromLink bool) {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] != "" && parts[i] != "." {
			w.todo = append(w.todo, step{parts[i], fromLink})
		}
	}
}

func (w *resolver) run() (*Place, error) {
	for len(w.todo) > 0 {
		s := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		last := len(w.todo) == 0
		if s.name == ".." {
			if err := w.up(); err != nil {
				return nil, err
			}
			continue
		}
		if last && !w.follow {
			return w.place(s.name, nil), nil
		}
		fd, err := openAt(w.fd, s.name, unix.O_PATH|unix.O_NOFOLLOW, 0)
		if err == unix.ENOENT {
			return w.missing(s)
		}
		if err != nil {
			return nil, err
		}
		info, err := statAt(fd, "")
		if err == nil {
			err = w.enter(fd, s, info, last)
		}
		if err == errReached {
			unix.Close(fd)
			return w.place(s.name, nil), nil
		}
		if err != nil {
			unix.Close(fd)
			return nil, err
		}
	}
	// The path named the root, or ended in ".." inside a link: step back so
	// that the object has a parent and a name again.
	if w.path == w.root.path {
		return w.place("", nil), nil
	}
	name := w.path[strings.LastIndexByte(w.path, '/')+1:]
	if err := w.up(); err != nil {
		return nil, err
	}
	return w.place(name, nil), nil
}

// errReached says that the last component is here and is no link.
var errReached = errors.New("reached")

// enter goes on from an opened component. It owns fd when it returns nil.
func (w *resolver) enter(fd int, s step, info Info, last bool) error {
	switch {
	case info.Kind == Symlink:
		text, err := readLinkAt(fd, "")
		if err != nil {
			return err
		}
		if w.links++; w.links > maxLinks {
			return unix.ELOOP
		}
		if magic(text) && isProc(w.fd) {
			return ErrMagicLink
		}
		if err := w.link(text); err != nil {
			return err
		}
		unix.Close(fd)
		return nil
	case last:
		return errReached
	case info.Kind != Directory:
		return unix.ENOTDIR
	}
	unix.Close(w.fd)
	w.fd = fd
	w.path = join(w.path, s.name)
	w.ids = append(w.ids, info.Identity)
	return nil
}

// magic reports whether the text of a link on procfs is only a description:
// the kernel goes to the object itself, which may lie in another mount
// namespace or have no path at all.
func magic(text string) bool { return strings.HasPrefix(text, "/") || strings.Contains(text, ":[") }

// link goes on at the text of a link.
func (w *resolver) link(text string) error {
	if !strings.HasPrefix(text, "/") {
		w.push(text, true)
		return nil
	}
	if w.root.confined {
		// Only a text that spells the root itself stays inside; anything else
		// is refused unseen, so that nothing outside can be probed.
		top := strings.TrimSuffix(w.root.path, "/")
		if text != w.root.path && !strings.HasPrefix(text, top+"/") {
			return ErrOutside
		}
		text = strings.TrimPrefix(text, top)
	}
	fd, err := unix.FcntlInt(uintptr(w.root.fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	unix.Close(w.fd)
	w.fd, w.path, w.ids = fd, w.root.path, w.ids[:1]
	w.push(text, true)
	return nil
}

// up goes to the parent, which must still be the directory that was come from.
func (w *resolver) up() error {
	if len(w.ids) == 1 {
		if w.root.confined {
			return ErrOutside
		}
		return nil
	}
	fd, err := openAt(w.fd, "..", unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	info, err := statAt(fd, "")
	if err == nil && info.Identity != w.ids[len(w.ids)-2] {
		err = ErrChanged
	}
	if err != nil {
		unix.Close(fd)
		return err
	}
	unix.Close(w.fd)
	w.fd = fd
	w.path = w.path[:strings.LastIndexByte(w.path, '/')]
	if w.path == "" {
		w.path = "/"
	}
	w.ids = w.ids[:len(w.ids)-1]
	return nil
}

func (w *resolver) missing(s step) (*Place, error) {
	if s.fromLink {
		return nil, ErrBrokenLink
	}
	rest := []string{s.name}
	for i := len(w.todo) - 1; i >= 0; i-- {
		rest = append(rest, w.todo[i].name)
	}
	return w.place(rest[len(rest)-1], rest[:len(rest)-1]), nil
}

func (w *resolver) place(name string, missing []string) *Place {
	path := join(w.path, strings.Join(missing, "/"))
	return &Place{Path: join(path, name), Name: name, Missing: missing, Ancestors: w.ids, dir: &dir{fd: w.fd}}
}

// Stat looks at the object without following it. A missing object is
// [io/fs.ErrNotExist].
func (p *Place) Stat() (Info, error) {
	if len(p.Missing) > 0 {
		return Info{}, pathError("stat", p.Path, unix.ENOENT)
	}
	info, err := statAt(p.dir.fd, p.Name)
	return info, pathError("stat", p.Path, err)
}

// Mount identifies the mount that the held directory lies on. Between two
// mounts nothing can be renamed.
func (p *Place) Mount() uint64 {
	if p.dir.mount == 0 {
		if info, err := statAt(p.dir.fd, ""); err == nil {
			p.dir.mount = info.Mount
		}
	}
	return p.dir.mount
}

// ReadLink returns the text of the link at p.
func (p *Place) ReadLink() (string, error) {
	text, err := readLinkAt(p.dir.fd, p.Name)
	return text, pathError("readlink", p.Path, err)
}

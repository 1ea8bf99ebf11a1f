package fsys

import (
	"strings"

	"golang.org/x/sys/unix"
)

// Remove removes the object at p, which must still be the one with identity
// want, and everything in it. Links are unlinked, never followed. A mount
// point on the way is [ErrMount]; entries that appear meanwhile are not
// touched, their directory then stays ("directory not empty").
func (p *Place) Remove(want Identity, done *Progress) error {
	return p.removeNamed(p.Name, want, done)
}

func (p *Place) removeNamed(name string, want Identity, done *Progress) error {
	r := &remover{top: join(p.ParentPath(), name), done: done}
	at := base(p.dir)
	info, err := statAt(at.fd, name)
	if err != nil {
		return r.fail("stat", err)
	}
	if info.Identity != want {
		return r.fail("remove", ErrChanged)
	}
	if info.MountRoot {
		return r.fail("remove", ErrMount)
	}
	r.mount = info.Mount
	return r.object(at, name, info)
}

type remover struct {
	top   string
	mount uint64
	trail []string
	done  *Progress
}

func (r *remover) fail(op string, err error) error {
	return pathError(op, join(r.top, strings.Join(r.trail, "/")), err)
}

func (r *remover) object(at *level, name string, info Info) error {
	if info.Kind != Directory {
		if err := unix.Unlinkat(at.fd, name, 0); err != nil {
			return r.fail("remove", err)
		}
		r.done.add(info)
		return nil
	}
	dir, err := at.down(name)
	if err != nil {
		return r.fail("open", err)
	}
	if err := r.contents(dir, info); err != nil {
		dir.abandon()
		return err
	}
	if err := dir.leave(); err != nil {
		at.abandon()
		return r.fail("leave", err)
	}
	if err := unix.Unlinkat(at.fd, name, unix.AT_REMOVEDIR); err != nil {
		return r.fail("remove", err)
	}
	r.done.add(info)
	return nil
}

func (r *remover) contents(dir *level, info Info) error {
	switch {
	case dir.info.Identity != info.Identity:
		return r.fail("open", ErrChanged)
	case dir.info.Mount != r.mount:
		return r.fail("remove", ErrMount)
	}
	names, err := dir.names()
	if err != nil {
		return r.fail("list", err)
	}
	for _, name := range names {
		r.trail = append(r.trail, name)
		info, err := statAt(dir.fd, name)
		switch {
		case err == unix.ENOENT: // somebody else was faster
		case err != nil:
			return r.fail("stat", err)
		default:
			if err := r.object(dir, name, info); err != nil {
				return err
			}
		}
		r.trail = r.trail[:len(r.trail)-1]
	}
	return nil
}

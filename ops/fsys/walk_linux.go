package fsys

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Walk reads the tree at p in order, one entry after the other, following
// nothing and opening nothing but directories. It stops with the context's
// error once that is done. Memory is bounded by the largest directory on the
// way, descriptors by a constant.
func (p *Place) Walk(ctx context.Context, how Walk) error {
	w := &walker{ctx: ctx, how: how, top: p.Path}
	return w.entry(base(p.dir), p.Name)
}

type walker struct {
	ctx   context.Context
	how   Walk
	top   string
	trail []string
	count int
}

func (w *walker) fail(op string, err error) error {
	return pathError(op, join(w.top, strings.Join(w.trail, "/")), err)
}

func (w *walker) entry(at *level, name string) error {
	if w.count%256 == 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
	}
	w.count++
	info, err := statAt(at.fd, name)
	if err == unix.ENOENT && len(w.trail) > 0 {
		err = ErrChanged // it was listed a moment ago
	}
	if err != nil {
		return w.fail("stat", err)
	}
	e := &Entry{Info: info, Name: name, Depth: len(w.trail), trail: w.trail, at: at}
	if err := w.how.Visit(e); err == SkipDir && info.Kind == Directory {
		return nil
	} else if err != nil {
		return err
	}
	if info.Kind != Directory {
		return nil
	}
	return w.directory(at, e)
}

func (w *walker) directory(at *level, e *Entry) error {
	dir, err := at.down(e.Name)
	if err != nil && w.how.Unreadable != nil {
		w.how.Unreadable(e, w.fail("open", err))
		return nil
	}
	if err != nil {
		return w.fail("open", err)
	}
	if dir.info.Identity != e.Identity {
		dir.abandon()
		return w.fail("open", ErrChanged)
	}
	names, err := dir.names()
	if err != nil && w.how.Unreadable != nil {
		w.how.Unreadable(e, w.fail("list", err))
		names, err = nil, nil
	}
	if err != nil {
		err = w.fail("list", err)
	} else {
		err = w.contents(dir, names)
	}
	if err != nil {
		dir.abandon()
		return err
	}
	if err := dir.leave(); err != nil {
		at.abandon()
		return w.fail("leave", err)
	}
	return nil
}

func (w *walker) contents(dir *level, names []string) error {
	slices.Sort(names)
	for _, name := range names {
		w.trail = append(w.trail, name)
		if err := w.entry(dir, name); err != nil {
			return err
		}
		w.trail = w.trail[:len(w.trail)-1]
	}
	return nil
}

// access asks the kernel whether the effective user may do something.
func access(fd int, name string, mode uint32) error {
	err := retry(func() error { return unix.Faccessat(fd, name, mode, unix.AT_EACCESS) })
	if err == unix.ENOSYS || err == unix.EINVAL || err == unix.EOPNOTSUPP {
		return nil // it will be seen when it is done
	}
	return err
}

// Access is what the effective user may do with the object at p, which is no
// link: some of "rwx".
func (p *Place) Access() string {
	name, may := p.Name, ""
	if name == "" {
		name = "."
	}
	for _, right := range []struct {
		mode   uint32
		letter string
	}{{unix.R_OK, "r"}, {unix.W_OK, "w"}, {unix.X_OK, "x"}} {
		if unix.Faccessat(p.dir.fd, name, right.mode, unix.AT_EACCESS|unix.AT_SYMLINK_NOFOLLOW) == nil {
			may += right.letter
		}
	}
	return may
}

// Writable reports whether something may be created in or removed from the
// directory that holds p, or its deepest parent that exists.
func (p *Place) Writable() error {
	if p.dir.writable {
		return nil
	}
	if err := access(p.dir.fd, ".", unix.W_OK|unix.X_OK); err != nil {
		held := p.ParentPath()
		for range p.Missing {
			held = (&Place{Path: held}).ParentPath()
		}
		return pathError("write into", held, err)
	}
	p.dir.writable = true
	return nil
}

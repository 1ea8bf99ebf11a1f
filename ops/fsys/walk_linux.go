package fsys

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Walk looks at the object at p and, if it is a directory, at everything in it,
// following nothing and opening nothing but directories. It stops with the
// context's error once that is done. Memory is bounded by the largest
// directory on the way, descriptors by a constant.
func (p *Place) Walk(ctx context.Context, how Walk) (Survey, error) {
	w := &walker{ctx: ctx, how: how, top: p.Path, privileged: unix.Geteuid() == 0}
	start := base(p.dir)
	var mirror *level
	name := p.Name
	if how.Mirror != nil && len(how.Mirror.Missing) == 0 {
		mirror = base(how.Mirror.dir)
		w.mirrorName = how.Mirror.Name
	}
	if how.Removal {
		if err := access(p.dir.fd, ".", unix.W_OK|unix.X_OK); err != nil {
			return Survey{}, pathError("remove from", p.ParentPath(), err)
		}
	}
	err := w.entry(start, mirror, name, w.mirrorName)
	return w.survey, err
}

type walker struct {
	ctx        context.Context
	how        Walk
	top        string
	mirrorName string
	privileged bool
	trail      []string
	survey     Survey
}

func (w *walker) fail(op string, err error) error {
	return pathError(op, join(w.top, strings.Join(w.trail, "/")), err)
}

func (w *walker) entry(at, mirror *level, name, mirrorName string) error {
	if w.survey.Entries%256 == 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
	}
	info, err := statAt(at.fd, name)
	if err == unix.ENOENT && len(w.trail) > 0 {
		err = ErrChanged // it was listed a moment ago
	}
	if err != nil {
		return w.fail("stat", err)
	}
	e := &Entry{Info: info, Name: name, Depth: len(w.trail), trail: w.trail, at: at}
	w.survey.Entries++
	if info.Kind == File {
		w.survey.Bytes += info.Size
	}
	w.survey.Digest.add(at.info.Identity, name, info)
	if e.Depth > 0 {
		w.survey.Inner.add(at.info.Identity, name, info)
	}
	if mirror != nil {
		match, err := statAt(mirror.fd, mirrorName)
		switch {
		case err == nil:
			e.Match = &match
			w.survey.Digest.add(mirror.info.Identity, mirrorName, match)
		case err != unix.ENOENT:
			return w.fail("stat the match of", err)
		}
	}
	if mirror != nil && e.Depth > 0 && !mirror.writable && (e.Match == nil || info.Kind != Directory) {
		// Something would be made or replaced in that very directory.
		if err := access(mirror.fd, ".", unix.W_OK|unix.X_OK); err != nil {
			return w.fail("write into the directory that matches the parent of", err)
		}
		mirror.writable = true
	}
	if w.how.Reading && info.Kind == File && !w.privileged {
		if err := access(at.fd, name, unix.R_OK); err != nil {
			return w.fail("read", err)
		}
	}
	if w.how.Visit != nil {
		if err := w.how.Visit(e); err == SkipDir && info.Kind == Directory {
			return nil
		} else if err != nil {
			return err
		}
	}
	if info.Kind != Directory {
		return nil
	}
	return w.directory(at, mirror, name, mirrorName, e)
}

func (w *walker) directory(at, mirror *level, name, mirrorName string, e *Entry) error {
	dir, err := at.down(name)
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
	var below *level
	if e.Match != nil && e.Match.Kind == Directory {
		if below, err = mirror.down(mirrorName); err != nil {
			dir.abandon()
			return w.fail("open the match of", err)
		}
	}
	names, err := dir.names()
	if err != nil && w.how.Unreadable != nil {
		w.how.Unreadable(e, w.fail("list", err))
		names, err = nil, nil
	}
	if err != nil {
		err = w.fail("list", err)
	} else {
		err = w.contents(dir, below, names)
	}
	if err != nil {
		dir.abandon()
		below.abandon()
		return err
	}
	if err := dir.leave(); err != nil {
		at.abandon()
		return w.fail("leave", err)
	}
	if below != nil {
		if err := below.leave(); err != nil {
			mirror.abandon()
			return w.fail("leave the match of", err)
		}
	}
	return nil
}

func (w *walker) contents(dir, below *level, names []string) error {
	if w.how.Removal && !w.privileged && len(names) > 0 {
		if err := access(dir.fd, ".", unix.W_OK|unix.X_OK); err != nil {
			return w.fail("remove from", err)
		}
	}
	if w.how.Sorted {
		slices.Sort(names)
	}
	for _, name := range names {
		w.trail = append(w.trail, name)
		if err := w.entry(dir, below, name, name); err != nil {
			return err
		}
		w.trail = w.trail[:len(w.trail)-1]
	}
	return nil
}

// access asks the kernel whether the effective user may do something.
func access(fd int, name string, mode uint32) error {
	err := unix.Faccessat(fd, name, mode, unix.AT_EACCESS)
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
	if err := access(p.dir.fd, ".", unix.W_OK|unix.X_OK); err != nil {
		held := p.ParentPath()
		for range p.Missing {
			held = (&Place{Path: held}).ParentPath()
		}
		return pathError("write into", held, err)
	}
	return nil
}

package fsys

import (
	"strings"

	"golang.org/x/sys/unix"
)

// Build copies the object at p, which must be the one with identity want,
// to the hidden name beside dst, where nothing may exist. What it leaves
// behind after an error is the caller's to remove, see [Place.RemoveHidden].
func (p *Place) Build(want Identity, dst *Place, how Copying) error {
	c := &copier{top: p.Path, how: how}
	from, to := base(p.dir), base(dst.dir)
	info, err := statAt(from.fd, p.Name)
	if err == nil && info.Identity != want {
		err = ErrChanged
	}
	if err != nil {
		return c.fail("copy", err)
	}
	return c.create(from, to, p.Name, how.Hidden, info)
}

// Merge copies what the directory p holds into the existing directory dst:
// files and links replace their matches in one step each, what only dst has is
// kept. Both must still be the directories with the given identities.
func (p *Place) Merge(want Identity, dst *Place, into Identity, how Copying) error {
	c := &copier{top: p.Path, how: how}
	from, err := base(p.dir).down(p.Name)
	if err != nil {
		return c.fail("open", err)
	}
	to, err := base(dst.dir).down(dst.Name)
	if err != nil {
		from.abandon()
		return pathError("open", dst.Path, err)
	}
	if from.info.Identity != want || to.info.Identity != into {
		err = c.fail("copy", ErrChanged)
	} else {
		err = c.mergeTop(from, to)
	}
	from.abandon()
	to.abandon()
	return err
}

type copier struct {
	top   string
	trail []string
	how   Copying
	buf   []byte
	// workshop is where a merge makes files before it puts them in place: one
	// known directory, so that after a crash it is known where to look. Nil
	// where that cannot be written to.
	workshop *level
}

// mergeTop merges with the top of the destination as the workshop.
func (c *copier) mergeTop(from, to *level) error {
	fd, err := openDirAt(to.fd, "")
	if err != nil {
		return c.fail("open the match of", err)
	}
	defer unix.Close(fd)
	if access(fd, ".", unix.W_OK|unix.X_OK) == nil {
		c.workshop = &level{fd: fd}
	}
	err = c.contents(from, to, true)
	c.how.Done.add(from.info)
	return err
}

func (c *copier) fail(op string, err error) error {
	return pathError(op, join(c.top, strings.Join(c.trail, "/")), err)
}

// contents copies the entries of from into to. With merging, to may hold some
// already and is visible to others.
func (c *copier) contents(from, to *level, merging bool) error {
	names, err := from.names()
	if err != nil {
		return c.fail("list", err)
	}
	for _, name := range names {
		c.trail = append(c.trail, name)
		info, err := statAt(from.fd, name)
		if err != nil {
			return c.fail("copy", err)
		}
		if merging {
			err = c.merge(from, to, name, info)
		} else {
			err = c.create(from, to, name, name, info)
		}
		if err != nil {
			return err
		}
		c.trail = c.trail[:len(c.trail)-1]
	}
	return nil
}

// merge copies one entry into a directory that others can see: complete under
// the hidden name first, then renamed into place.
func (c *copier) merge(from, to *level, name string, info Info) error {
	match, err := statAt(to.fd, name)
	exists := err == nil
	switch {
	case err != nil && err != unix.ENOENT:
		return c.fail("stat the match of", err)
	case exists && match.Kind != info.Kind:
		return c.fail("copy", ErrChanged)
	case exists && info.Kind == Directory:
		return c.descend(from, to, name, name, info, true)
	case info.Kind == Directory:
		if err := unix.Mkdirat(to.fd, name, 0o700); err != nil {
			return c.fail("make the copy of", err)
		}
		// Nobody else has written here yet, but everybody can see it.
		if err := c.descend(from, to, name, name, info, true); err != nil {
			return err
		}
		return c.finish(to, name, info)
	}
	how := Absent
	if exists {
		how = Replace
	}
	if c.workshop != nil {
		err := c.put(from, c.workshop, to, name, info, how)
		if err != ErrCrossDevice {
			return err
		}
		// A part of the destination lies on a file system of its own.
	}
	return c.put(from, to, to, name, info, how)
}

// put makes a copy in the workshop and renames it into place.
func (c *copier) put(from, workshop, to *level, name string, info Info, how Arrival) error {
	if err := c.create(from, workshop, name, c.how.Hidden, info); err != nil {
		unix.Unlinkat(workshop.fd, c.how.Hidden, 0)
		return err
	}
	err := renameAt(workshop.fd, c.how.Hidden, to.fd, name, how)
	if err == nil {
		return nil
	}
	unix.Unlinkat(workshop.fd, c.how.Hidden, 0)
	if err == ErrCrossDevice && workshop != to {
		c.how.Done.Entries.Add(-1)
		c.how.Done.Bytes.Add(-info.size())
		return ErrCrossDevice
	}
	return c.fail("put in place the copy of", err)
}

// create copies one entry to a name that does not exist.
func (c *copier) create(from, to *level, name, as string, info Info) error {
	var err error
	switch info.Kind {
	case File:
		err = c.file(from, to, name, as, info)
	case Symlink:
		var text string
		if text, err = readLinkAt(from.fd, name); err == nil {
			err = unix.Symlinkat(text, to.fd, as)
		}
		if err == nil {
			err = c.keep(to.fd, as, info)
		}
	case Directory:
		if err := unix.Mkdirat(to.fd, as, 0o700); err != nil {
			return c.fail("make the copy of", err)
		}
		if err := c.descend(from, to, name, as, info, false); err != nil {
			return err
		}
		return c.finish(to, as, info)
	default:
		err = ErrKind
	}
	if err != nil {
		return c.fail("copy", err)
	}
	c.how.Done.add(info)
	return nil
}

func (c *copier) descend(from, to *level, name, as string, info Info, merging bool) error {
	src, err := from.down(name)
	if err != nil {
		return c.fail("open", err)
	}
	dst, err := to.down(as)
	if err != nil {
		src.abandon()
		return c.fail("open the copy of", err)
	}
	if src.info.Identity != info.Identity {
		err = c.fail("open", ErrChanged)
	} else {
		err = c.contents(src, dst, merging)
	}
	if err != nil {
		src.abandon()
		dst.abandon()
		return err
	}
	if err := src.leave(); err != nil {
		dst.abandon()
		return c.fail("leave", err)
	}
	if err := dst.leave(); err != nil {
		from.abandon()
		return c.fail("leave the copy of", err)
	}
	return nil
}

// finish gives a new directory its mode last, so that a source directory
// without write permission can be filled first.
func (c *copier) finish(to *level, as string, info Info) error {
	fd, err := openDirAt(to.fd, as)
	if err == nil {
		err = c.seal(fd, info)
		unix.Close(fd)
	}
	if err != nil {
		return c.fail("set the mode of the copy of", err)
	}
	c.how.Done.add(info)
	return nil
}

// seal gives an open new file or directory the mode (and times) of its source.
func (c *copier) seal(fd int, info Info) error {
	mode := info.Mode & 0o777
	if c.how.Faithful {
		// Special bits mean something for an owner: they are kept only when
		// the owner is.
		err := unix.Fchown(fd, int(info.UID), int(info.GID))
		if err == nil {
			mode = info.Mode
		} else if err != unix.EPERM && err != unix.EINVAL {
			return err
		}
	}
	if err := unix.Fchmod(fd, mode); err != nil {
		return err
	}
	if c.how.Faithful {
		return c.keep(fd, "", info)
	}
	return nil
}

// keep gives a copy the times of its source, for a faithful copy.
func (c *copier) keep(fd int, name string, info Info) error {
	if !c.how.Faithful {
		return nil
	}
	mtime := unix.NsecToTimespec(info.Mtime.UnixNano())
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, mtime}
	flags := unix.AT_SYMLINK_NOFOLLOW
	if name == "" {
		flags |= unix.AT_EMPTY_PATH
	}
	return unix.UtimesNanoAt(fd, name, times, flags)
}

// file copies a regular file to a new one.
func (c *copier) file(from, to *level, name, as string, info Info) error {
	in, err := openAt(from.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer unix.Close(in)
	opened, err := statAt(in, "")
	if err != nil {
		return err
	}
	if opened.Identity != info.Identity {
		return ErrChanged
	}
	out, err := openAt(to.fd, as, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	err = c.data(in, out, opened.Size)
	if err == nil {
		err = c.seal(out, opened)
	}
	if closeErr := unix.Close(out); err == nil {
		err = closeErr
	}
	return err
}

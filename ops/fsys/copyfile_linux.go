package fsys

import "golang.org/x/sys/unix"

// file copies a regular file to a name that does not exist. That the file was
// listed as one is what keeps devices from being opened; that it is one is
// seen on what was opened.
func (how *Copying) file(from int, name cname, to handle, as cname, w *worker) (Info, error) {
	in, err := name.open(from, unix.O_RDONLY, 0)
	if err != nil {
		return Info{}, changed(err, unix.ELOOP, unix.ENXIO)
	}
	defer unix.Close(in)
	info, err := statOpen(in)
	if err == nil && info.Kind != File {
		err = ErrChanged
	}
	if err != nil {
		return info, err
	}
	out, err := as.open(to.fd, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		return info, err
	}
	err = w.data(in, out, info.Size)
	if err == nil {
		err = how.seal(out, &info, to.gid)
	}
	if closeErr := unix.Close(out); err == nil {
		err = closeErr
	}
	return info, err
}

// link copies a symbolic link, its text unchanged.
func (how *Copying) link(from int, name cname, to int, as cname) (Info, error) {
	info, err := name.stat(from)
	if err == nil && info.Kind != Symlink {
		err = ErrChanged
	}
	if err != nil {
		return info, err
	}
	text, err := readLinkAt(from, name.String())
	if err = changed(err, unix.EINVAL); err == nil {
		err = retry(func() error { return unix.Symlinkat(text, to, as.String()) })
	}
	if err == nil && how.Faithful {
		err = keepTimes(to, as.String(), &info)
	}
	return info, err
}

// seal gives an open new file or directory, made in a directory of the group
// gid, the mode of its source, and for a faithful copy owner and times.
func (how *Copying) seal(fd int, info *Info, gid uint32) error {
	mode := info.Mode & 0o777
	if how.Faithful {
		// Special bits mean something for an owner: they are kept only when
		// the owner is.
		err := own(fd, info, gid)
		if err == nil {
			mode = info.Mode
		} else if err != unix.EPERM && err != unix.EINVAL {
			return err
		}
	}
	if err := chmod(fd, mode); err != nil || !how.Faithful {
		return err
	}
	return keepTimes(fd, "", info)
}

func keepTimes(fd int, name string, info *Info) error {
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, unix.NsecToTimespec(info.Mtime.UnixNano())}
	flags := unix.AT_SYMLINK_NOFOLLOW
	if name == "" {
		flags |= unix.AT_EMPTY_PATH
	}
	return retry(func() error { return unix.UtimesNanoAt(fd, name, times, flags) })
}

func chmod(fd int, mode uint32) error {
	return retry(func() error { return unix.Fchmod(fd, mode) })
}

// own makes sure that a new file in a directory of the group gid has the owner
// of another. It has the process's own user, and its group or the directory's;
// where a server says otherwise, that may stay as long as no mode bit means more
// for it.
func own(fd int, like *Info, gid uint32) error {
	if group := uint32(unix.Getegid()); like.Mode&0o6000 == 0 && like.GID == group && gid == group && like.UID == uint32(unix.Geteuid()) {
		return nil
	}
	return chown(fd, like)
}

// chown gives an open file the owner of another.
func chown(fd int, like *Info) error {
	return retry(func() error { return unix.Fchown(fd, int(like.UID), int(like.GID)) })
}

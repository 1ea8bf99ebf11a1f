package fsys

import (
	"time"

	"golang.org/x/sys/unix"
)

// statMask is what [Info] needs; mount identity needs Linux 5.8.
const statMask = unix.STATX_BASIC_STATS | unix.STATX_MNT_ID

// statAt looks at name relative to the directory fd without following it. An
// empty name looks at fd itself.
func statAt(fd int, name string) (Info, error) {
	flags := unix.AT_SYMLINK_NOFOLLOW | unix.AT_NO_AUTOMOUNT
	if name == "" {
		flags |= unix.AT_EMPTY_PATH
	}
	var st unix.Statx_t
	if err := retry(func() error { return unix.Statx(fd, name, flags, statMask, &st) }); err != nil {
		return Info{}, err
	}
	return infoOf(&st)
}

func infoOf(st *unix.Statx_t) (Info, error) {
	if st.Attributes_mask&unix.STATX_ATTR_MOUNT_ROOT == 0 {
		// Without it a bind mount inside a tree could not be told apart.
		return Info{}, ErrUnsupported
	}
	return Info{
		Identity:  Identity{Dev: unix.Mkdev(st.Dev_major, st.Dev_minor), Ino: st.Ino},
		Kind:      kindOf(uint32(st.Mode)),
		Mode:      uint32(st.Mode) & 0o7777,
		Links:     st.Nlink,
		UID:       st.Uid,
		GID:       st.Gid,
		Size:      int64(st.Size),
		Mtime:     time.Unix(st.Mtime.Sec, int64(st.Mtime.Nsec)),
		Ctime:     time.Unix(st.Ctime.Sec, int64(st.Ctime.Nsec)),
		Mount:     st.Mnt_id,
		MountRoot: st.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0,
	}, nil
}

// statOpen looks at an open file. It is quicker than [statAt], and knows nothing
// of mounts.
func statOpen(fd int) (Info, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(fd, &st) }); err != nil {
		return Info{}, err
	}
	return Info{
		Identity: Identity{Dev: uint64(st.Dev), Ino: st.Ino},
		Kind:     kindOf(st.Mode),
		Mode:     st.Mode & 0o7777,
		Links:    uint32(st.Nlink),
		UID:      st.Uid,
		GID:      st.Gid,
		Size:     st.Size,
		Mtime:    time.Unix(st.Mtim.Unix()),
		Ctime:    time.Unix(st.Ctim.Unix()),
	}, nil
}

func kindOf(mode uint32) Kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return File
	case unix.S_IFDIR:
		return Directory
	case unix.S_IFLNK:
		return Symlink
	case unix.S_IFIFO:
		return FIFO
	case unix.S_IFSOCK:
		return Socket
	}
	return Device
}

// retry repeats a system call that a signal interrupted.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func openAt(fd int, name string, flags int, mode uint32) (int, error) {
	var got int
	err := retry(func() (err error) {
		got, err = unix.Openat(fd, name, flags|unix.O_CLOEXEC, mode)
		return err
	})
	return got, err
}

func mkdirAt(fd int, name string, mode uint32) error {
	return retry(func() error { return unix.Mkdirat(fd, name, mode) })
}

// openDirAt opens a directory for reading, never through a link. An empty name
// is the directory fd itself.
func openDirAt(fd int, name string) (int, error) {
	if name == "" {
		name = "."
	}
	return openAt(fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
}

// readLinkAt returns the text of a link, however long.
func readLinkAt(fd int, name string) (string, error) {
	for size := 256; ; size *= 2 {
		buf := make([]byte, size)
		var n int
		err := retry(func() (err error) {
			n, err = unix.Readlinkat(fd, name, buf)
			return err
		})
		if err != nil {
			return "", err
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}

package fsys

import (
	"encoding/binary"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// cname is a name as the kernel takes it: with the NUL that ends it.
type cname string

func cnameOf(name string) cname { return cname(name + "\x00") }

// String is the name without its NUL. It costs no copy.
func (c cname) String() string { return string(c[:len(c)-1]) }

// The calls below take a [cname] so that none of them copies the name: over a
// tree those copies would cost as much as the rest of our own work.

func (c cname) stat(fd int) (Info, error) {
	var st unix.Statx_t
	for {
		_, _, e := unix.Syscall6(unix.SYS_STATX, uintptr(fd), uintptr(unsafe.Pointer(unsafe.StringData(string(c)))),
			unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, statMask, uintptr(unsafe.Pointer(&st)), 0)
		switch e {
		case 0:
			return infoOf(&st)
		case unix.EINTR:
		default:
			return Info{}, e
		}
	}
}

func (c cname) open(fd, flags int, mode uint32) (int, error) {
	for {
		got, _, e := unix.Syscall6(unix.SYS_OPENAT, uintptr(fd), uintptr(unsafe.Pointer(unsafe.StringData(string(c)))),
			uintptr(flags|unix.O_CLOEXEC|unix.O_LARGEFILE|unix.O_NOFOLLOW|unix.O_NONBLOCK), uintptr(mode), 0, 0)
		switch e {
		case 0:
			return int(got), nil
		case unix.EINTR:
		default:
			return -1, e
		}
	}
}

func (c cname) openDir(fd int) (int, error) { return c.open(fd, unix.O_RDONLY|unix.O_DIRECTORY, 0) }

func (c cname) unlink(fd, flags int) error {
	for {
		_, _, e := unix.Syscall(unix.SYS_UNLINKAT, uintptr(fd), uintptr(unsafe.Pointer(unsafe.StringData(string(c)))), uintptr(flags))
		switch e {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return e
		}
	}
}

// block is what one call to list a directory answered: the kernel's records.
// It is a string so that names can be parts of it.
type block string

// readBlock reads the next block of an open directory; "" is its end. Entries
// whose kind the file system does not tell are looked at.
func readBlock(fd int, buf []byte) (block, error) {
	var n int
	err := retry(func() (err error) {
		n, err = unix.ReadDirent(fd, buf)
		return err
	})
	if err != nil || n <= 0 {
		return "", err
	}
	for at := 0; at < n; at += int(binary.NativeEndian.Uint16(buf[at+16:])) {
		if buf[at+18] == unix.DT_UNKNOWN {
			name := buf[at+19:]
			info, err := cnameOf(unix.ByteSliceToString(name)).stat(fd)
			if err != nil && err != unix.ENOENT {
				return "", err
			}
			if err == nil {
				buf[at+18] = info.Kind.dirent()
			}
		}
	}
	return block(buf[:n]), nil
}

func (k Kind) dirent() byte {
	switch k {
	case File:
		return unix.DT_REG
	case Directory:
		return unix.DT_DIR
	case Symlink:
		return unix.DT_LNK
	case FIFO:
		return unix.DT_FIFO
	case Socket:
		return unix.DT_SOCK
	}
	return unix.DT_CHR
}

// listed is one record of a block.
type listed struct {
	name cname
	ino  uint64
	kind byte // one of unix.DT_*
}

// next is the record at an offset and where the one after it begins. The
// records "." and ".." have a kind of their own, see [listed.self].
func (b block) next(at int) (listed, int) {
	word := func(i int) (v uint64) {
		for j := range 8 {
			v |= uint64(b[i+j]) << (8 * j)
		}
		return v
	}
	size := int(b[at+16]) | int(b[at+17])<<8
	end := strings.IndexByte(string(b[at+19:at+size]), 0)
	return listed{name: cname(b[at+19 : at+20+end]), ino: word(at), kind: b[at+18]}, at + size
}

// self reports whether a record is the directory itself or the one above.
func (l listed) self() bool { return l.name == ".\x00" || l.name == "..\x00" }

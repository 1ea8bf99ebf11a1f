package fsys

import "golang.org/x/sys/unix"

const overlay = 0x794c7630

// isLocal reports whether a type of file system is one that this machine's
// kernel keeps by itself, on disks or in memory. What it does takes a disk's time
// and uses this machine's clock; a server, or a program that plays file system,
// may answer late, or never, and stamp as it likes.
func isLocal(kind int64) bool {
	switch uint32(kind) {
	case 0xef53, // ext2, ext3, ext4
		0x58465342, // XFS
		0x9123683e, // Btrfs
		0xf2f52010, // F2FS
		0xca451a4e, // bcachefs
		0x2fc12fc1, // ZFS
		overlay,    // whose upper layer is one of these
		0x01021994, // tmpfs
		0x858458f6: // ramfs
		return true
	}
	return false
}

// LocalAt reports whether an absolute path lies on a local file system of a kind
// that is known. A link at its end is followed.
func LocalAt(path string) bool {
	var st unix.Statfs_t
	return retry(func() error { return unix.Statfs(path, &st) }) == nil && isLocal(int64(st.Type))
}

// Local reports whether the place lies on a local file system of a kind that is
// known.
func (p *Place) Local() bool { return isLocal(p.dir.fileSystem()) }

// Layered reports whether the place lies on a file system that shows another one,
// of any kind and of things of any size, through its own.
func (p *Place) Layered() bool { return p.dir.fileSystem() == overlay }

// InProc reports whether the place lies on procfs, whose files show processes:
// their environment, memory and open files.
func (p *Place) InProc() bool { return p.dir.fileSystem() == unix.PROC_SUPER_MAGIC }

// fileSystem is the type of the file system that a directory lies on. Where it
// cannot be had it is that of procfs, which refuses most.
func (d *dir) fileSystem() int64 {
	if d.kind == 0 {
		d.kind = fileSystemOf(d.fd)
	}
	return d.kind
}

func fileSystemOf(fd int) int64 {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return unix.PROC_SUPER_MAGIC
	}
	return int64(st.Type)
}

func isProc(fd int) bool { return fileSystemOf(fd) == unix.PROC_SUPER_MAGIC }

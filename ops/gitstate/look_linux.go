package gitstate

import (
	"os"
	"syscall"

	"codemode/ops/fsys"
)

// status is what a look at a path tells.
type status struct {
	kind  os.FileMode // 0 for a regular file, ModeDir, ModeSymlink, or ModeIrregular for the rest
	stamp stamp
	uid   int
	owned bool // uid is known
}

func statusOf(st *syscall.Stat_t) status {
	s := status{uid: int(st.Uid), owned: true, stamp: stampOfStat(st)}
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
	case syscall.S_IFDIR:
		s.kind = os.ModeDir
	case syscall.S_IFLNK:
		s.kind = os.ModeSymlink
	default:
		s.kind = os.ModeIrregular
	}
	return s
}

// lstat looks at a path without following a link at its end. It says what
// [os.Lstat] says, for a fifth less: it is called for every directory on the
// way to the root of the file system.
func lstat(path string) (status, error) {
	var st syscall.Stat_t
	if err := retry(func() error { return syscall.Lstat(path, &st) }); err != nil {
		return status{}, err
	}
	return statusOf(&st), nil
}

// stat is lstat with links followed.
func stat(path string) (status, error) {
	var st syscall.Stat_t
	if err := retry(func() error { return syscall.Stat(path, &st) }); err != nil {
		return status{}, err
	}
	return statusOf(&st), nil
}

// file is an open file. It is none of the os package since that one asks, for
// every file, whether it can be waited for.
type file struct{ fd int }

// openFile opens a file for reading, and never waits for one that is not
// regular.
func openFile(path string) (f file, err error) {
	err = retry(func() error {
		f.fd, err = syscall.Open(path, openFlags|syscall.O_CLOEXEC, 0)
		return err
	})
	return f, err
}

func (f file) stat() (status, error) {
	var st syscall.Stat_t
	if err := retry(func() error { return syscall.Fstat(f.fd, &st) }); err != nil {
		return status{}, err
	}
	return statusOf(&st), nil
}

// read is Read of [io.Reader] but for the end of the file, which is 0 and no error.
func (f file) read(p []byte) (n int, err error) {
	err = retry(func() error { n, err = syscall.Read(f.fd, p); return err })
	return max(n, 0), err
}

func (f file) readAt(p []byte, at int64) (n int, err error) {
	err = retry(func() error { n, err = syscall.Pread(f.fd, p, at); return err })
	return max(n, 0), err
}

func (f file) close() { syscall.Close(f.fd) }

// retry does what a signal interrupted again.
func retry(do func() error) error {
	for {
		if err := do(); err != syscall.EINTR {
			return err
		}
	}
}

// honest reports whether the file system of a path stamps every change with
// the clock of this machine: a local one. Servers have clocks of their own, and
// programs that play file system stamp as they like.
func honest(path string) bool { return fsys.LocalAt(path) }

//go:build !linux

package gitstate

import (
	"errors"
	"io"
	"os"
)

// status is what a look at a path tells.
type status struct {
	kind  os.FileMode // 0 for a regular file, ModeDir, ModeSymlink, or another type
	stamp stamp
	uid   int
	owned bool // uid is known
}

func statusOf(fi os.FileInfo) status {
	s := status{kind: fi.Mode().Type(), stamp: stampOf(fi)}
	s.uid, s.owned = ownerOf(fi)
	return s
}

// lstat looks at a path without following a link at its end.
func lstat(path string) (status, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return status{}, err
	}
	return statusOf(fi), nil
}

// stat is lstat with links followed.
func stat(path string) (status, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return status{}, err
	}
	return statusOf(fi), nil
}

// file is an open file.
type file struct{ *os.File }

// openFile opens a file for reading, and never waits for one that is not
// regular.
func openFile(path string) (file, error) {
	f, err := os.OpenFile(path, openFlags, 0)
	return file{f}, err
}

func (f file) stat() (status, error) {
	fi, err := f.Stat()
	if err != nil {
		return status{}, err
	}
	return statusOf(fi), nil
}

// read is Read of [io.Reader] but for the end of the file, which is 0 and no
// error.
func (f file) read(p []byte) (int, error) { return unlessEnd(f.Read(p)) }

func (f file) readAt(p []byte, at int64) (int, error) { return unlessEnd(f.ReadAt(p, at)) }

func unlessEnd(n int, err error) (int, error) {
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f file) close() { f.Close() }

// honest: file systems are not told apart here, so none is trusted to stamp
// every change.
func honest(string) bool { return false }

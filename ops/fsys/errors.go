package fsys

import (
	"errors"
	"fmt"
	"io/fs"
)

// What can be wrong besides the errors of the kernel.
var (
	// ErrOutside: the path, or a link on its way, leads out of the root.
	ErrOutside = errors.New("leads outside the root")
	// ErrChanged: an object is no longer the one that was looked at before.
	ErrChanged = errors.New("changed while it was being worked on")
	// ErrMount: a mount point is in the way of a removal.
	ErrMount = errors.New("is a mount point")
	// ErrKind: an object is of a kind that the operation does not handle.
	ErrKind = errors.New("is not a regular file, directory or symbolic link")
	// ErrCrossDevice: source and target lie on different file systems, so that
	// a rename cannot do it.
	ErrCrossDevice = errors.New("crosses file systems")
	// ErrUnsupported: this platform has no safe way to do it.
	ErrUnsupported = errors.New("not supported on this platform")
	// ErrMagicLink: a link of /proc leads where no path can say.
	ErrMagicLink = errors.New("a link of /proc among its parents leads where no path can say")
	// ErrProc: the object shows a process and is no file.
	ErrProc = errors.New("lies in /proc, which shows processes")
	// ErrBrokenLink: a parent of the path is a link that points nowhere.
	ErrBrokenLink = fmt.Errorf("a parent is a broken symbolic link: %w", fs.ErrNotExist)
)

func pathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

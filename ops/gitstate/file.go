package gitstate

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Limits on what is read. Git's own files stay far below them; a file above is
// a doubt, not a reason to run out of memory.
const (
	maxPointer = 1 << 20 // .git file, commondir: the limit that git itself has
	maxHead    = 64 << 10
	maxConfig  = 8 << 20
	maxIndex   = 512 << 20
)

var (
	errNotRegular = errors.New("is not a regular file")
	errTooLarge   = errors.New("is too large to be read")
	errUnstable   = errors.New("keeps changing while it is read")
)

// openRegular opens a file for reading and makes sure that it is a regular one.
// It cannot hang: whatever is not regular is turned away before it is opened,
// and a FIFO swapped in between is opened without waiting for a writer.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	f, err := os.OpenFile(path, openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err = f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

// readRegular returns the whole content of a regular file and the stamp that
// it had before and after the reading. Git replaces files by renaming, so a
// file that changes under the reader is rare; it is read again, then given up.
func readRegular(path string, limit int64) ([]byte, stamp, error) {
	for range 3 {
		data, st, err := readOnce(path, limit)
		if !errors.Is(err, errUnstable) {
			return data, st, err
		}
	}
	return nil, stamp{}, &fs.PathError{Op: "read", Path: path, Err: errUnstable}
}

func readOnce(path string, limit int64) ([]byte, stamp, error) {
	f, before, err := openRegular(path)
	if err != nil {
		return nil, stamp{}, err
	}
	defer f.Close()
	if before.Size() > limit {
		return nil, stamp{}, &fs.PathError{Op: "read", Path: path, Err: errTooLarge}
	}
	data := make([]byte, before.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = errUnstable // it became shorter
		}
		return nil, stamp{}, err
	}
	after, err := f.Stat()
	if err != nil {
		return nil, stamp{}, err
	}
	st := stampOf(before)
	if st != stampOf(after) {
		return nil, stamp{}, errUnstable
	}
	return data, st, nil
}

// absent says that a path certainly names nothing.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || isNotDir(err) }

// isDirectory reports whether path leads to a directory, links followed.
func isDirectory(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// reason takes the path out of an error whose message names the path already.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

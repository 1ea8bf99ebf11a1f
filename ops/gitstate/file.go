package gitstate

import (
	"errors"
	"hash"
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
func openRegular(path string) (file, status, error) {
	at, err := stat(path)
	if err != nil {
		return file{}, status{}, err
	}
	if at.kind != 0 {
		return file{}, status{}, errNotRegular
	}
	f, err := openFile(path)
	if err != nil {
		return file{}, status{}, err
	}
	at, err = f.stat()
	if err == nil && at.kind != 0 {
		err = errNotRegular
	}
	if err != nil {
		f.close()
		return file{}, status{}, err
	}
	return f, at, nil
}

// readRegular returns the whole content of a regular file and the stamp that
// it had before and after the reading. Git replaces files by renaming, so a
// file that changes under the reader is rare; it is read again, then given up.
func readRegular(path string, limit int64) ([]byte, stamp, error) {
	data, st, _, err := readHashed(path, limit, nil)
	return data, st, err
}

// readHashed is readRegular that lets a hash see what is read, all but as many
// bytes at the end as the hash has itself: that is where an index keeps its
// own. Without newHash there is no digest.
func readHashed(path string, limit int64, newHash func() hash.Hash) ([]byte, stamp, *digest, error) {
	for range 3 {
		data, st, d, err := readOnce(path, limit, newHash)
		if !errors.Is(err, errUnstable) {
			return data, st, d, err
		}
	}
	return nil, stamp{}, nil, errUnstable
}

// pieceSize is how much is read at once. A piece is hashed while the next is
// read.
const pieceSize = 256 << 10

func readOnce(path string, limit int64, newHash func() hash.Hash) (_ []byte, _ stamp, d *digest, err error) {
	f, before, err := openRegular(path)
	if err != nil {
		return nil, stamp{}, nil, err
	}
	defer f.close()
	size := before.stamp.size
	if size > limit {
		return nil, stamp{}, nil, errTooLarge
	}
	data, hashed, end := make([]byte, size), 0, 0
	if newHash != nil {
		h := newHash()
		end = max(0, len(data)-h.Size())
		d = newDigest(h, end)
		defer func() {
			if err != nil {
				d.sum()
			}
		}()
	}
	for done := 0; done < len(data); {
		n, err := f.read(data[done:min(len(data), done+pieceSize)])
		if err == nil && n == 0 {
			err = errUnstable // it became shorter
		}
		if err != nil {
			return nil, stamp{}, d, err
		}
		done += n
		if d != nil && hashed < end {
			d.write(data[hashed:min(done, end)])
			hashed = min(done, end)
		}
	}
	after, err := f.stat()
	if err != nil {
		return nil, stamp{}, d, err
	}
	if before.stamp != after.stamp {
		return nil, stamp{}, d, errUnstable
	}
	return data, before.stamp, d, nil
}

// absent says that a path certainly names nothing.
func absent(err error) bool {
	return err != nil && (isAbsent(err) || errors.Is(err, fs.ErrNotExist))
}

// isDirectory reports whether path leads to a directory, links followed.
func isDirectory(path string) bool {
	at, err := stat(path)
	return err == nil && at.kind == os.ModeDir
}

// reason takes the path out of an error whose message names the path already.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

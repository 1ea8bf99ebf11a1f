package fsys

import (
	"os"

	"golang.org/x/sys/unix"
)

// Open opens the regular file at p for reading. It never blocks on a FIFO or
// device: those are [ErrKind].
func (p *Place) Open() (*os.File, Info, error) {
	if len(p.Missing) > 0 {
		return nil, Info{}, pathError("open", p.Path, unix.ENOENT)
	}
	return openFile(p.dir.fd, p.Name, p.Path)
}

// Open opens a regular file that is being visited, as [Place.Open] does.
func (e *Entry) Open() (*os.File, Info, error) { return openFile(e.at.fd, e.Name, e.Name) }

// ReadLink returns the text of a link that is being visited.
func (e *Entry) ReadLink() (string, error) { return readLinkAt(e.at.fd, e.Name) }

func openFile(dir int, name, path string) (*os.File, Info, error) {
	// Looked at first: opening some devices already does something.
	before, err := statAt(dir, name)
	switch {
	case err != nil:
	case before.Kind == Directory:
		err = unix.EISDIR
	case before.Kind != File:
		err = ErrKind
	}
	if err != nil {
		return nil, before, pathError("open", path, err)
	}
	fd, err := openAt(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, Info{}, pathError("open", path, err)
	}
	info, err := statAt(fd, "")
	if err == nil && info.Kind != File {
		err = ErrKind
	}
	if err == nil && isProc(fd) {
		err = ErrProc
	}
	if err != nil {
		unix.Close(fd)
		return nil, Info{}, pathError("open", path, err)
	}
	return os.NewFile(uintptr(fd), path), info, nil
}

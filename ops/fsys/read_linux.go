package fsys

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Open opens the regular file at p for reading. It never blocks on a FIFO or
// device: those are [ErrKind].
func (p *Place) Open() (*os.File, Info, error) {
	if len(p.Missing) > 0 {
		return nil, Info{}, pathError("open", p.Path, unix.ENOENT)
	}
	// Looked at first: opening some devices already does something.
	before, err := statAt(p.dir.fd, p.Name)
	if err != nil {
		return nil, Info{}, pathError("open", p.Path, err)
	}
	if before.Kind != File {
		if before.Kind == Directory {
			return nil, before, pathError("open", p.Path, unix.EISDIR)
		}
		return nil, before, pathError("open", p.Path, ErrKind)
	}
	fd, err := openAt(p.dir.fd, p.Name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, Info{}, pathError("open", p.Path, err)
	}
	info, err := statAt(fd, "")
	if err == nil && info.Kind != File {
		err = ErrKind
	}
	if err != nil {
		unix.Close(fd)
		return nil, Info{}, pathError("open", p.Path, err)
	}
	return os.NewFile(uintptr(fd), p.Path), info, nil
}

// ReadBelow opens the regular file rel below the directory at p, following no
// link on the way.
func (p *Place) ReadBelow(rel []string) (io.ReadCloser, Info, error) {
	fd, err := openDirAt(p.dir.fd, p.Name)
	if err != nil {
		return nil, Info{}, pathError("open", p.Path, err)
	}
	place := &Place{Path: p.Path, dir: &dir{fd}}
	for i, name := range rel {
		place.Name, place.Path = name, join(place.Path, name)
		if i == len(rel)-1 {
			break
		}
		next, err := openDirAt(place.dir.fd, name)
		if err != nil {
			place.Close()
			return nil, Info{}, pathError("open", place.Path, err)
		}
		place.Close()
		place.dir.fd = next
	}
	defer place.Close()
	f, info, err := place.Open()
	if err != nil {
		return nil, info, err
	}
	return f, info, nil
}

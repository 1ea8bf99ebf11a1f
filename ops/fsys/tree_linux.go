package fsys

import "golang.org/x/sys/unix"

// level is one directory on the way down a tree that one goroutine walks. At
// most [maxOpen] are open at once.
type level struct {
	up    *level
	fd    int
	info  Info
	depth int
	owned bool // the descriptor may be closed and opened again
}

// base makes a level of a held directory, which stays open.
func base(d *dir) *level { return &level{fd: d.fd} }

// down opens the directory name inside l, never through a link.
func (l *level) down(name string) (*level, error) {
	fd, err := openDirAt(l.fd, name)
	if err != nil {
		return nil, err
	}
	info, err := statAt(fd, "")
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	child := &level{up: l, fd: fd, info: info, depth: l.depth + 1, owned: true}
	far := l
	for i := 1; i < maxOpen && far != nil; i++ {
		far = far.up
	}
	if far != nil && far.owned && far.fd >= 0 {
		unix.Close(far.fd)
		far.fd = -1
	}
	return child, nil
}

// leave closes l after making sure that the level above is open again.
func (l *level) leave() error {
	defer func() {
		unix.Close(l.fd)
		l.fd = -1
	}()
	up := l.up
	if up == nil || up.fd >= 0 {
		return nil
	}
	fd, err := openDirAt(l.fd, "..")
	if err != nil {
		return err
	}
	info, err := statAt(fd, "")
	if err == nil && info.Identity != up.info.Identity {
		err = ErrChanged
	}
	if err != nil {
		unix.Close(fd)
		return err
	}
	up.fd = fd
	return nil
}

// abandon closes l and all open levels above it after a failure.
func (l *level) abandon() {
	for ; l != nil; l = l.up {
		if l.owned && l.fd >= 0 {
			unix.Close(l.fd)
			l.fd = -1
		}
	}
}

// names reads the names in an open directory, without "." and "..".
func (l *level) names() ([]string, error) {
	buf := make([]byte, 64<<10)
	var names []string
	for {
		var n int
		err := retry(func() (err error) {
			n, err = unix.ReadDirent(l.fd, buf)
			return err
		})
		if err != nil {
			return nil, err
		}
		if n <= 0 {
			return names, nil
		}
		_, _, names = unix.ParseDirent(buf[:n], -1, names)
	}
}

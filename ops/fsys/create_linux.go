package fsys

import (
	"golang.org/x/sys/unix"
)

// Create writes a new file under the hidden name beside p, for
// [Place.Publish]. It gets the permission bits of like and, where the process
// may give it away, the owner; without like it gets what the process's file
// mode mask leaves.
func (p *Place) Create(hidden string, content []byte, like *Info) error {
	path := join(p.ParentPath(), hidden)
	mode := uint32(0o666)
	if like != nil {
		mode = 0o600
	}
	fd, err := openAt(p.dir.fd, hidden, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, mode)
	if err != nil {
		return pathError("create", path, err)
	}
	err = writeAll(fd, content)
	if err == nil && like != nil {
		err = resemble(fd, *like)
	}
	if closeErr := unix.Close(fd); err == nil {
		err = closeErr
	}
	return pathError("write", path, err)
}

func writeAll(fd int, content []byte) error {
	for len(content) > 0 {
		n, err := 0, error(nil)
		err = retry(func() (err error) {
			n, err = unix.Write(fd, content[:min(len(content), 64<<20)])
			return err
		})
		if err != nil {
			return err
		}
		content = content[n:]
	}
	return nil
}

// resemble gives an open new file the mode of another and, if it can, the owner.
// The special bits are dropped: what they vouched for has changed.
func resemble(fd int, like Info) error {
	now, err := statAt(fd, "")
	if err != nil {
		return err
	}
	if now.UID != like.UID || now.GID != like.GID {
		if err := chown(fd, &like); err != nil && err != unix.EPERM && err != unix.EINVAL {
			return err
		}
	}
	return chmod(fd, like.Mode&0o777)
}

// Mkdir makes the directory p, whose parent exists.
func (p *Place) Mkdir() error {
	return pathError("mkdir", p.Path, mkdirAt(p.dir.fd, p.Name, 0o777))
}

// MayWrite asks whether this process may write to the existing file at p, so that
// a file which is read-only for it stays as it is although its directory would
// let it be replaced.
func (p *Place) MayWrite() error {
	return pathError("write to", p.Path, access(p.dir.fd, p.Name, unix.W_OK))
}

// Sync makes everything on the file system that p lies on durable.
func (p *Place) Sync() error {
	fd, err := openDirAt(p.dir.fd, "")
	if err == nil {
		err = unix.Syncfs(fd)
		unix.Close(fd)
	}
	return pathError("sync the file system of", p.Path, err)
}

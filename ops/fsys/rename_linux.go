package fsys

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameAt(fromFD int, from string, toFD int, to string, how Arrival) error {
	flags := map[Arrival]uint{Absent: unix.RENAME_NOREPLACE, Replace: 0, Exchange: unix.RENAME_EXCHANGE}[how]
	err := retry(func() error { return unix.Renameat2(fromFD, from, toFD, to, flags) })
	if how == Absent && (err == unix.EINVAL || err == unix.ENOSYS) {
		// The file system knows no RENAME_NOREPLACE: look, then rename.
		if _, statErr := statAt(toFD, to); statErr == nil {
			return unix.EEXIST
		}
		err = retry(func() error { return unix.Renameat(fromFD, from, toFD, to) })
	}
	if err == unix.EXDEV {
		return ErrCrossDevice
	}
	return changed(err, unix.ENOTDIR, unix.EISDIR)
}

// Rename gives the object at p, which must still be the one with identity
// want, the place to. For Replace and Exchange the object there must still be
// the one with identity old. Answers [ErrCrossDevice] where a rename cannot do it.
func (p *Place) Rename(want Identity, to *Place, how Arrival, old Identity) error {
	if err := p.still(p.Name, want); err != nil {
		return err
	}
	if how != Absent {
		if err := to.still(to.Name, old); err != nil {
			return err
		}
	}
	return pathError("rename to", to.Path, renameAt(p.dir.fd, p.Name, to.dir.fd, to.Name, how))
}

// Aside renames the object at p to the hidden name beside it. Another one that
// somebody put there at the last moment gets its name back.
func (p *Place) Aside(want Identity, hidden string) error {
	if err := p.still(p.Name, want); err != nil {
		return err
	}
	if err := renameAt(p.dir.fd, p.Name, p.dir.fd, hidden, Absent); err != nil {
		return pathError("rename", p.Path, err)
	}
	if err := p.still(hidden, want); errors.Is(err, ErrChanged) {
		_ = renameAt(p.dir.fd, hidden, p.dir.fd, p.Name, Absent) // else the name is taken again, and it stays hidden
		return pathError("rename", p.Path, ErrChanged)
	}
	return nil // whatever else is wrong will be met again
}

// Publish gives the object that was built under the hidden name beside p the
// name of p.
func (p *Place) Publish(hidden string, how Arrival, old Identity) error {
	if how != Absent {
		if err := p.still(p.Name, old); err != nil {
			return err
		}
	}
	return pathError("rename to", p.Path, renameAt(p.dir.fd, hidden, p.dir.fd, p.Name, how))
}

// still makes sure that name beside p is the object with identity want.
func (p *Place) still(name string, want Identity) error {
	path := join(p.ParentPath(), name)
	info, err := statAt(p.dir.fd, name)
	if err != nil {
		return pathError("stat", path, err)
	}
	if info.Identity != want {
		return pathError("stat", path, ErrChanged)
	}
	return nil
}

// RemoveHidden removes what is under the hidden name beside p, if anything.
// With a want of zero it removes whatever this process built there; for the
// rest see [Place.Remove].
func (p *Place) RemoveHidden(hidden string, want Identity, seen *Listings, done *Progress) error {
	if want == (Identity{}) {
		info, err := statAt(p.dir.fd, hidden)
		if err == unix.ENOENT {
			return nil
		}
		if err != nil {
			return pathError("stat", join(p.ParentPath(), hidden), err)
		}
		want = info.Identity
	}
	return p.removeNamed(hidden, want, seen, done)
}

// MakeParents makes the missing parents of p with the permissions that the
// process's file mode mask leaves, and holds the innermost.
func (p *Place) MakeParents() (*Parents, error) {
	made := &Parents{}
	path := (&Place{Path: p.Path}).ParentPath()
	for i := len(p.Missing) - 1; i > 0; i-- {
		path = (&Place{Path: path}).ParentPath()
	}
	for len(p.Missing) > 0 {
		name := p.Missing[0]
		if err := mkdirAt(p.dir.fd, name, 0o777); err != nil {
			return made, pathError("mkdir", path, err)
		}
		fd, err := openAt(p.dir.fd, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
		if err != nil {
			_ = cnameOf(name).unlink(p.dir.fd, unix.AT_REMOVEDIR) // nobody else knows of it
			return made, pathError("open", path, err)
		}
		made.held = append(made.held, p.dir)
		made.names = append(made.names, name)
		p.dir = &dir{fd: fd}
		p.Missing = p.Missing[1:]
		if len(p.Missing) > 0 {
			path = join(path, p.Missing[0])
		}
	}
	return made, nil
}

// Parents are directories made on the way to a target.
type Parents struct {
	held  []*dir
	names []string
}

// Close keeps the directories.
func (m *Parents) Close() {
	for _, d := range m.held {
		d.close()
	}
}

// Remove takes those directories back that are still empty.
func (m *Parents) Remove() {
	for i := len(m.names) - 1; i >= 0; i-- {
		if cnameOf(m.names[i]).unlink(m.held[i].fd, unix.AT_REMOVEDIR) != nil {
			break
		}
	}
}

package fsys

import "golang.org/x/sys/unix"

// Merge copies what the directory p holds into the existing directory dst:
// files and links replace their matches in one step each, what only dst has is
// kept. Both must still be the directories with the given identities.
func (p *Place) Merge(want Identity, dst *Place, into Identity, how Copying) error {
	m := &merger{builder: builder{top: p.Path, want: want, how: how, as: cnameOf(dst.Name)}, into: into, workshop: -1}
	defer func() {
		if m.workshop >= 0 {
			unix.Close(m.workshop)
		}
	}()
	_, err := descend(m, false, above(p.dir, dst.dir), cnameOf(p.Name), how.Done)
	return err
}

type merger struct {
	builder
	into Identity
	// workshop is where files are made before they are put in place: the top
	// of the destination, so that after a crash it is known where to look. -1
	// where that cannot be written to.
	workshop int
}

// enter opens the directory that matches n, or makes it: nobody else has
// written there yet then, but everybody can see it.
func (m *merger) enter(n *node) error {
	err := n.openFrom()
	if err == nil && n.depth == 0 && n.info.Identity != m.want {
		n.shut()
		err = ErrChanged
	}
	if err != nil {
		return m.fail(n, "", "open", err)
	}
	name := n.name
	if n.depth == 0 {
		name = m.as
	}
	if err := m.match(n, name); err != nil {
		n.shut()
		return err
	}
	return nil
}

func (m *merger) match(n *node, name cname) error {
	match, err := name.stat(n.up.to.fd)
	switch {
	case err == unix.ENOENT && n.depth > 0:
		if err := mkdirAt(n.up.to.fd, name.String(), 0o700); err != nil {
			return m.fail(n, "", "make the copy of", err)
		}
		n.made = true
	case err != nil:
		return m.fail(n, "", "stat the match of", err)
	case match.Kind != Directory:
		return m.fail(n, "", "copy", ErrChanged)
	}
	if err := n.openTo(name); err != nil {
		return m.fail(n, "", "open the match of", err)
	}
	if n.depth > 0 {
		return nil
	}
	if n.to.id != m.into {
		return m.fail(n, "", "copy", ErrChanged)
	}
	if access(n.to.fd, ".", unix.W_OK|unix.X_OK) == nil {
		if m.workshop, err = openDirAt(n.to.fd, ""); err != nil {
			return m.fail(n, "", "open the match of", err)
		}
	}
	return nil
}

// entry copies into a directory that others can see: complete under a hidden
// name first, then renamed into place.
func (m *merger) entry(w *worker, n *node, e listed) error {
	match, err := e.name.stat(n.to.fd)
	how := Absent
	switch {
	case err == nil && match.Kind.dirent() != e.kind:
		return m.fail(n, e.name.String(), "copy", ErrChanged)
	case err == nil:
		how = Replace
	case err != unix.ENOENT:
		return m.fail(n, e.name.String(), "stat the match of", err)
	}
	if m.workshop >= 0 {
		err := m.put(w, n, m.workshop, e, how)
		if err != ErrCrossDevice {
			return err
		}
		// A part of the destination lies on a file system of its own.
	}
	return m.put(w, n, n.to.fd, e, how)
}

// put makes a copy in the workshop and renames it into place.
func (m *merger) put(w *worker, n *node, workshop int, e listed, how Arrival) error {
	hidden := hiddenName(m.how.Hidden, w.id)
	info, err := m.object(n.from.fd, e.name, handle{fd: workshop, gid: nobody}, cnameOf(hidden), e.kind, w)
	op := "copy"
	if err == nil {
		op = "put in place the copy of"
		err = renameAt(workshop, hidden, n.to.fd, e.name.String(), how)
	}
	if err == nil {
		w.count(&info)
		return nil
	}
	_ = cnameOf(hidden).unlink(workshop, 0) // else evidence names it
	if err == ErrCrossDevice && workshop != n.to.fd {
		return ErrCrossDevice
	}
	return m.fail(n, e.name.String(), op, err)
}

func (m *merger) leave(w *worker, n *node) error {
	if n.made {
		return m.builder.leave(w, n)
	}
	w.count(&n.info)
	return nil
}

package fsys

import "golang.org/x/sys/unix"

// Build copies the object at p, which must be the one with identity want,
// to the hidden name beside dst, where nothing may exist. What it leaves
// behind after an error is the caller's to remove, see [Place.RemoveHidden].
func (p *Place) Build(want Identity, dst *Place, how Copying) error {
	info, err := statAt(p.dir.fd, p.Name)
	if err == nil && info.Identity != want {
		err = ErrChanged
	}
	if err != nil {
		return pathError("copy", p.Path, err)
	}
	b := &builder{top: p.Path, want: want, how: how, as: cnameOf(how.Hidden)}
	name := cnameOf(p.Name)
	if info.Kind == Directory {
		_, err = descend(b, false, above(p.dir, dst.dir), name, how.Done)
		return err
	}
	copied, err := b.object(p.dir.fd, name, handle{fd: dst.dir.fd, gid: nobody}, b.as, info.Kind.dirent(), &worker{})
	if err == nil && copied.Identity != want {
		err = ErrChanged
	}
	if err != nil {
		return pathError("copy", p.Path, err)
	}
	how.Done.add(info)
	return nil
}

type builder struct {
	top  string
	want Identity // of the top
	how  Copying
	as   cname // the name of the top's copy
}

func (b *builder) fail(n *node, name, op string, err error) error {
	return pathError(op, join(b.top, below(n.rel(), name)), err)
}

// enter makes the copy of a directory, open to nobody else while it is filled.
func (b *builder) enter(n *node) error {
	err := n.openFrom()
	if err == nil && n.depth == 0 && n.info.Identity != b.want {
		n.shut()
		err = ErrChanged
	}
	if err != nil {
		return b.fail(n, "", "open", err)
	}
	name := n.name
	if n.depth == 0 {
		name = b.as
	}
	if !n.made {
		if err := mkdirAt(n.up.to.fd, name.String(), 0o700); err != nil {
			n.shut()
			return b.fail(n, "", "make the copy of", err)
		}
		n.made = true
	}
	if err := n.openTo(name); err != nil {
		n.shut()
		return b.fail(n, "", "open the copy of", err)
	}
	return nil
}

func (b *builder) listed(*node) error { return nil }

func (b *builder) entry(w *worker, n *node, e listed) error {
	info, err := b.object(n.from.fd, e.name, n.to, e.name, e.kind, w)
	if err != nil {
		return b.fail(n, e.name.String(), "copy", err)
	}
	w.count(&info)
	return nil
}

// object copies what is no directory to a name that does not exist.
func (b *builder) object(from int, name cname, to handle, as cname, kind byte, w *worker) (Info, error) {
	switch kind {
	case unix.DT_REG:
		return b.how.file(from, name, to, as, w)
	case unix.DT_LNK:
		return b.how.link(from, name, to.fd, as)
	}
	return Info{}, ErrKind
}

// leave gives a new directory its mode last, so that a source directory
// without write permission can be filled first.
func (b *builder) leave(w *worker, n *node) error {
	if err := b.how.seal(n.to.fd, &n.info, n.up.to.gid); err != nil {
		return b.fail(n, "", "set the mode of the copy of", err)
	}
	w.count(&n.info)
	return nil
}

func (b *builder) stop(*worker, *node) {}

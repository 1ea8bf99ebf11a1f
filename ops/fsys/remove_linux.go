package fsys

import (
	"golang.org/x/sys/unix"
)

// Remove removes the object at p, which must still be the one with identity
// want, and everything in it. Links are unlinked, never followed. A mount
// point on the way is [ErrMount]. With the listings of a survey, a directory
// that no longer holds the same entries is [ErrChanged], and nothing is taken
// out of it; without, entries that appear while it is emptied are not touched
// and it stays ("directory not empty").
func (p *Place) Remove(want Identity, seen *Listings, done *Progress) error {
	return p.removeNamed(p.Name, want, seen, done)
}

func (p *Place) removeNamed(name string, want Identity, seen *Listings, done *Progress) error {
	r := &remover{top: join(p.ParentPath(), name), seen: seen}
	info, err := statAt(p.dir.fd, name)
	switch {
	case err != nil:
		return pathError("stat", r.top, err)
	case info.Identity != want:
		return pathError("remove", r.top, ErrChanged)
	case info.MountRoot:
		return pathError("remove", r.top, ErrMount)
	}
	r.mount = info.Mount
	if info.Kind != Directory {
		if err := cnameOf(name).unlink(p.dir.fd, 0); err != nil {
			return pathError("remove", r.top, changed(err, unix.EISDIR))
		}
		done.add(info)
		return nil
	}
	r.want = want
	_, err = descend(r, true, above(p.dir, nil), cnameOf(name), done)
	return err
}

type remover struct {
	top   string
	want  Identity
	mount uint64
	seen  *Listings
}

func (r *remover) fail(n *node, name, op string, err error) error {
	return pathError(op, join(r.top, below(n.rel(), name)), err)
}

func (r *remover) enter(n *node) error {
	err := n.openFrom()
	if err == nil && n.depth == 0 && n.info.Identity != r.want {
		n.shut()
		err = ErrChanged
	}
	if err != nil {
		return r.fail(n, "", "open", err)
	}
	if n.info.Mount != r.mount {
		n.shut()
		return r.fail(n, "", "remove", ErrMount)
	}
	return nil
}

func (r *remover) listed(n *node) error {
	bytes, same := r.seen.holds(n.info.Identity, n.listing)
	if !same {
		return r.fail(n, "", "remove what is in", ErrChanged)
	}
	n.bytes.Store(bytes)
	return nil
}

// entry unlinks without looking again: that it is the entry which was checked
// is known from the listing, and a name that holds a directory now is not
// unlinked by the kernel.
func (r *remover) entry(w *worker, n *node, e listed) error {
	switch err := e.name.unlink(n.from.fd, 0); err {
	case nil:
		w.progress.entries++
		return nil
	case unix.ENOENT: // somebody else was faster
		return nil
	default:
		return r.fail(n, e.name.String(), "remove", changed(err, unix.EISDIR))
	}
}

func (r *remover) leave(w *worker, n *node) error {
	if err := n.name.unlink(n.up.from.fd, unix.AT_REMOVEDIR); err != nil {
		return r.fail(n, "", "remove", changed(err, unix.ENOTDIR))
	}
	w.progress.entries++
	w.progress.bytes += n.bytes.Load()
	return nil
}

// stop finds out how many bytes are gone of a directory that is left half
// empty: no file was looked at when it was unlinked.
func (r *remover) stop(w *worker, n *node) {
	gone := n.bytes.Load()
	buf := make([]byte, 32<<10)
	if _, err := unix.Seek(n.from.fd, 0, unix.SEEK_SET); err != nil {
		return
	}
	for {
		b, err := readBlock(n.from.fd, buf)
		if err != nil || b == "" {
			break
		}
		for at := 0; at < len(b); {
			e, next := b.next(at)
			if info, err := e.name.stat(n.from.fd); err == nil {
				gone -= info.size()
			}
			at = next
		}
	}
	w.progress.bytes += max(gone, 0)
}

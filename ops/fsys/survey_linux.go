package fsys

import (
	"context"

	"golang.org/x/sys/unix"
)

// Survey looks at the object at p and, if it is a directory, at everything in
// it, following nothing and opening nothing but directories. It stops with the
// context's error once that is done. Memory is bounded, see [descent].
func (p *Place) Survey(ctx context.Context, how Surveying) (Survey, error) {
	s := &surveyor{ctx: ctx, how: how, top: p.Path, privileged: unix.Geteuid() == 0}
	var mirror *dir
	if how.Mirror != nil && len(how.Mirror.Missing) == 0 {
		mirror = how.Mirror.dir
		s.mirror = cnameOf(how.Mirror.Name)
	}
	if how.Removal {
		if err := access(p.dir.fd, ".", unix.W_OK|unix.X_OK); err != nil {
			return Survey{}, pathError("remove from", p.ParentPath(), err)
		}
	}
	up, name := above(p.dir, mirror), cnameOf(p.Name)
	if err := s.look(&s.self, up, name); err != nil || s.self.object.Kind != Directory {
		return s.self.survey, err
	}
	workers, err := descend(s, false, up, name, &Progress{})
	survey := s.self.survey
	for _, w := range workers {
		survey.join(w.survey)
	}
	return survey, err
}

type surveyor struct {
	ctx        context.Context
	how        Surveying
	top        string
	mirror     cname
	privileged bool
	self       worker // of the goroutine that descends: for the directories
}

func (s *surveyor) fail(n *node, name, op string, err error) error {
	return pathError(op, join(s.top, below(n.rel(), name)), err)
}

// look takes in one object.
func (s *surveyor) look(w *worker, in *node, name cname) error {
	var info Info
	if seen := s.how.Seen; seen != nil && in.depth < 0 && seen.Kind != Directory {
		info = *seen
	} else if looked, err := name.stat(in.from.fd); err == nil {
		info = looked
	} else if err == unix.ENOENT && in.depth >= 0 {
		return s.fail(in, name.String(), "stat", ErrChanged) // it was listed a moment ago
	} else {
		return s.fail(in, name.String(), "stat", err)
	}
	o := &w.object
	*o = Object{Info: info, Depth: in.depth + 1, name: name.String(), in: in}
	w.survey.Entries++
	w.survey.Bytes += info.size()
	w.record = w.survey.Digest.add(w.record, in.info.Identity, o.name, &info)
	if o.Depth > 0 {
		w.record = w.survey.Inner.add(w.record, in.info.Identity, o.name, &info)
	}
	if in.both {
		if err := s.compare(w, in, name); err != nil {
			return err
		}
	}
	if s.how.Reading && info.Kind == File && !s.privileged {
		if err := access(in.from.fd, o.name, unix.R_OK); err != nil {
			return s.fail(in, o.name, "read", err)
		}
	}
	if s.how.Visit != nil {
		return s.how.Visit(o)
	}
	return nil
}

// compare looks at what the mirror tree holds in the place of an object.
func (s *surveyor) compare(w *worker, in *node, name cname) error {
	o := &w.object
	if in.depth < 0 {
		name = s.mirror
	}
	match, err := name.stat(in.to.fd)
	switch {
	case err == nil:
		o.match = match
		o.Match = &o.match
		w.record = w.survey.Digest.add(w.record, in.to.id, name.String(), &match)
	case err != unix.ENOENT:
		return s.fail(in, o.name, "stat the match of", err)
	}
	if in.depth >= 0 && !in.writable.Load() && (o.Match == nil || o.Kind != Directory) {
		// Something would be made or replaced in that very directory.
		if err := access(in.to.fd, ".", unix.W_OK|unix.X_OK); err != nil {
			return s.fail(in, o.name, "write into the directory that matches the parent of", err)
		}
		in.writable.Store(true)
	}
	return nil
}

func (s *surveyor) enter(n *node) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	o := &s.self.object
	if n.depth > 0 && !n.looked { // the top has been looked at
		if err := s.look(&s.self, n.up, n.name); err != nil {
			return err
		}
		n.looked = true
		if o.Kind != Directory {
			return s.fail(n, "", "open", ErrChanged)
		}
	}
	if err := n.openFrom(); err != nil {
		return s.fail(n, "", "open", err)
	}
	if n.info.Identity != o.Identity {
		n.shut()
		return s.fail(n, "", "open", ErrChanged)
	}
	if o.Match == nil || o.Match.Kind != Directory {
		return nil
	}
	name := n.name
	if n.depth == 0 {
		name = s.mirror
	}
	if err := n.openTo(name); err != nil {
		n.shut()
		return s.fail(n, "", "open the match of", err)
	}
	return nil
}

func (s *surveyor) listed(n *node) error {
	if !s.how.Removal || s.privileged || n.listing.count == 0 {
		return nil
	}
	if err := access(n.from.fd, ".", unix.W_OK|unix.X_OK); err != nil {
		return s.fail(n, "", "remove from", err)
	}
	return nil
}

func (s *surveyor) entry(w *worker, n *node, e listed) error {
	if w.survey.Entries%256 == 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
	}
	err := s.look(w, n, e.name)
	w.progress.bytes += w.object.size()
	return err
}

func (s *surveyor) leave(_ *worker, n *node) error {
	s.how.Listings.note(n.info.Identity, n.listing, n.bytes.Load())
	return nil
}

func (s *surveyor) stop(*worker, *node) {}

// Rel is the path of the object below the top; empty for the top itself.
func (o *Object) Rel() string {
	if o.Depth == 0 {
		return ""
	}
	return below(o.in.rel(), o.name)
}

// InMirror reports whether the directory that holds the object is there in the
// mirror tree, too.
func (o *Object) InMirror() bool { return o.in.both }

// Parent is the directory that holds the object, for objects below the top.
func (o *Object) Parent() Identity { return o.in.info.Identity }

package ops

import (
	"context"
	"errors"
	"fmt"

	"codemode/ops/fsys"
)

// moveAcross moves between file systems: the source is copied, the copy put in
// place, and only then is the source removed. At every moment the whole object
// is under one of its two names. What others write meanwhile is not lost: as
// long as the source is not as it was when it was copied, it stays.
func (x *execution) moveAcross() error {
	x.enter(phaseCopy)
	how := fsys.Copying{Faithful: true, Hidden: x.p.hidden, Done: x.done}
	if err := x.p.source.Build(x.p.info.Identity, x.p.target.Place, how); err != nil {
		return x.discard(err)
	}
	if err := x.unchanged(x.p.source.Place); err != nil {
		return x.discard(err)
	}
	if err := x.publish(); err != nil {
		return err
	}
	if x.p.dest != nil && x.p.dest.Kind == fsys.Directory {
		x.enter(phaseReplaced)
		if err := x.p.target.RemoveHidden(x.p.hidden, x.p.dest.Identity, x.p.destSeen, &fsys.Progress{}); err != nil {
			return err
		}
	}
	// Whoever wants the record to survive a power loss wants that of what it
	// records, too: both would be gone if the removal reached its disk first.
	if journal := x.s.cfg.Journal; journal != nil && journal.Durable() {
		if err := x.p.target.Sync(); err != nil {
			return err
		}
	}
	x.enter(phaseSource)
	return x.removeSource()
}

// removeSource hides the source first, so that nobody finds it by its name any
// more, looks whether it is still what was copied, and removes it.
func (x *execution) removeSource() error {
	source := x.p.source.Place
	err := source.Aside(x.p.info.Identity, x.p.hidden)
	if errors.Is(err, fsys.ErrCrossDevice) {
		// A layered file system cannot even rename what lies in a lower layer.
		if err := x.unchanged(source); err != nil {
			return err
		}
		return source.Remove(x.p.info.Identity, x.p.seen, &fsys.Progress{})
	}
	if err != nil {
		return err
	}
	hidden := source.Beside(x.p.hidden)
	if err := x.unchanged(hidden); err != nil {
		_ = hidden.Rename(x.p.info.Identity, source, fsys.Absent, fsys.Identity{}) // else the evidence says where it is
		return err
	}
	return hidden.Remove(x.p.info.Identity, x.p.seen, &fsys.Progress{})
}

// unchanged makes sure that the source, wherever it is now, is what was planned.
func (x *execution) unchanged(at *fsys.Place) error {
	top, err := at.Stat()
	if err != nil {
		return err
	}
	now, err := at.Survey(context.Background(), fsys.Surveying{})
	if err != nil {
		return err
	}
	was := x.p.info
	if now.Inner != x.p.survey.Inner || now.Tally != x.p.survey.Tally ||
		top.Identity != was.Identity || top.Size != was.Size || !top.Mtime.Equal(was.Mtime) || top.Mode != was.Mode {
		return fmt.Errorf("%s: %w, so it stays", show(x.p.source.Path), fsys.ErrChanged)
	}
	return nil
}

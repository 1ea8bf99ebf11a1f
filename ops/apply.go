package ops

import (
	"errors"
	"fmt"
	"sync/atomic"

	"codemode/ops/fsys"
	"codemode/ops/plain"
)

// The phases of execution, as evidence names them.
const (
	phaseParents  = "making parents"
	phaseRemove   = "removing"
	phaseCopy     = "copying"
	phaseWrite    = "writing"
	phaseMake     = "making the directory"
	phaseRename   = "renaming"
	phaseReplaced = "removing what was replaced"
	phaseSource   = "removing the source"
)

// execution is an operation on the file system. From here on nobody is asked
// anything and no cancellation is heard.
type execution struct {
	*call
	p       *plan
	phase   atomic.Pointer[string]
	done    *fsys.Progress
	parent  string // the outermost parent of the target that is to be made, or ""
	arrived bool   // something new is under the target's name
	brief   bool   // it is over after a few system calls
}

func (c *call) apply(p *plan) error {
	x := &execution{call: c, p: p, done: &fsys.Progress{}, parent: p.newParent()}
	c.receipt.Effect = Unknown // until its end has been seen
	c.receipt.Replaced = p.replaced(c.req.Operation)
	c.receipt.Diff = plain.Text(p.diff)
	ended := c.announce(Activity{Operation: c.req.Operation, Path: p.source.Path, Total: p.survey.Tally, Done: x.done})
	err := errLonger
	if x.brief = p.brief(c.req.Operation); x.brief {
		err = x.run()
	}
	if err == errLonger {
		x.brief = false
		err = x.await()
	}
	ended()
	if !p.abandoned {
		x.remember(err == nil)
	}
	if err == nil {
		return nil
	}
	var seen bool
	if c.receipt.Evidence, seen = x.evidence(); !seen {
		e := asError(err)
		e.Message += "; the file system does not even say in time what exists, so the evidence has that from before, in part or in whole"
		err = e
	}
	return c.failed(err)
}

// await runs the execution beside the call, which can then be given up while
// the disk takes its time.
func (x *execution) await() error {
	result := make(chan error, 1)
	go func() { result <- x.run() }()
	select {
	case err := <-result:
		return err
	case <-x.s.cfg.Abandon:
		x.p.abandoned = true
		return refuse(Aborted, "the waiting for %s of %s was given up while it was changing the disk; look at what is there", x.req.Operation, show(x.p.source.Path))
	}
}

func (x *execution) enter(phase string) { x.phase.Store(&phase) }

func (x *execution) run() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the engine failed: %v", r)
		}
	}()
	switch x.req.Operation {
	case Delete:
		x.enter(phaseRemove)
		return x.p.source.Remove(x.p.info.Identity, x.p.seen, x.done)
	case Copy:
		return x.arrive(x.copy)
	case Write, Edit, Mkdir:
		if x.p.identical {
			return nil
		}
		return x.arrive(x.make)
	default:
		return x.arrive(x.move)
	}
}

// arrive makes the target's missing parents, and takes those back that are
// still empty when the operation fails.
func (x *execution) arrive(act func() error) error {
	x.enter(phaseParents)
	parents, err := x.p.target.MakeParents()
	if err == nil {
		err = act()
	}
	if err != nil {
		parents.Remove()
	}
	parents.Close()
	return err
}

func (x *execution) copy() error {
	x.enter(phaseCopy)
	how := fsys.Copying{Hidden: x.p.hidden, Done: x.done}
	if x.p.merge {
		return x.p.source.Merge(x.p.info.Identity, x.p.target.Place, x.p.dest.Identity, how)
	}
	if err := x.p.source.Build(x.p.info.Identity, x.p.target.Place, how); err != nil {
		return x.discard(err)
	}
	return x.publish()
}

// publish gives what was built under the hidden name its own, in one step.
func (x *execution) publish() error {
	x.enter(phaseRename)
	how, old := x.expected()
	if err := x.p.target.Publish(x.p.hidden, how, old); err != nil {
		return x.discard(err)
	}
	x.arrived = true
	return nil
}

// expected is what the target's name may hold when something arrives there.
func (x *execution) expected() (fsys.Arrival, fsys.Identity) {
	switch {
	case x.p.dest == nil:
		return fsys.Absent, fsys.Identity{}
	case x.p.caseOnly:
		return fsys.Replace, x.p.dest.Identity
	case x.p.dest.Kind == fsys.Directory:
		return fsys.Exchange, x.p.dest.Identity
	}
	return fsys.Replace, x.p.dest.Identity
}

// discard removes what was built under the hidden name and returns why.
func (x *execution) discard(why error) error {
	_ = x.p.target.RemoveHidden(x.p.hidden, fsys.Identity{}, nil, &fsys.Progress{}) // the evidence says what stays
	return why
}

func (x *execution) move() error {
	how, old := x.expected()
	if how == fsys.Exchange {
		return x.moveReplacing(old)
	}
	x.enter(phaseRename)
	err := x.p.source.Rename(x.p.info.Identity, x.p.target.Place, how, old)
	if errors.Is(err, fsys.ErrCrossDevice) {
		if x.brief {
			return errLonger
		}
		return x.moveAcross()
	}
	if err != nil {
		return err
	}
	x.arrived = true
	x.count()
	return nil
}

// moveReplacing puts a directory in the place of another. The source takes its
// hidden name first, so that at no moment the old tree is under the source's
// name, where repeating the command would bring it back; then the two change
// places in one step.
func (x *execution) moveReplacing(old fsys.Identity) error {
	if x.p.crossing {
		return x.moveAcross()
	}
	x.enter(phaseRename)
	source := x.p.source.Place
	err := source.Aside(x.p.info.Identity, x.p.hidden)
	if errors.Is(err, fsys.ErrCrossDevice) {
		return x.moveAcross() // a layered file system cannot rename what lies in a lower layer
	}
	if err != nil {
		return err
	}
	hidden := source.Beside(x.p.hidden)
	if err := hidden.Rename(x.p.info.Identity, x.p.target.Place, fsys.Exchange, old); err != nil {
		back := hidden.Rename(x.p.info.Identity, source, fsys.Absent, fsys.Identity{})
		if back == nil && errors.Is(err, fsys.ErrCrossDevice) {
			return x.moveAcross()
		}
		return err
	}
	x.arrived = true
	x.enter(phaseReplaced)
	if err := hidden.Remove(old, x.p.destSeen, &fsys.Progress{}); err != nil {
		return err
	}
	x.count()
	return nil
}

// count makes progress whole after a rename, which moves everything at once.
func (x *execution) count() {
	x.done.Entries.Store(x.p.survey.Entries)
	x.done.Bytes.Store(x.p.survey.Bytes)
}

// failed words an error after dispatch.
func (c *call) failed(err error) error {
	e := *asError(err)
	if e.Code != Aborted {
		e.Message += fmt.Sprintf("; the %s had begun and its effect is unknown: see the evidence, nothing is undone", c.req.Operation)
	}
	return &e
}

// remember keeps what this run put where, and which files it has read.
func (x *execution) remember(ok bool) {
	s, p := x.s, x.p
	if x.req.makes() {
		x.rememberMade()
		return
	}
	tree := p.info.Kind == fsys.Directory
	if x.req.Operation != Copy {
		s.results.touched[p.source.Path] = x.receipt.Seq
	}
	if x.req.Operation == Delete {
		if ok {
			s.results.remove(p.source.Path, tree)
		}
		return
	}
	if !ok && !p.merge && !x.arrived {
		return
	}
	if x.req.Operation == Move {
		x.carry(tree)
	}
	s.results.touched[p.target.Path] = x.receipt.Seq
	s.results.add(p.target.Path, result{seq: x.receipt.Seq, op: x.req.Operation, source: p.source.Path, merged: p.copied})
}

// carry takes what is remembered of the source over to its new name: results
// become part of this operation's, a file that was read stays read.
func (x *execution) carry(tree bool) {
	s, p := x.s, x.p
	s.results.remove(p.target.Path, true)
	s.results.remove(p.source.Path, tree)
	s.reads.take(p.target.Path)
	taken := s.reads.take(p.source.Path)
	for path, seen := range taken.all(p.target.Path) {
		place, err := s.root.Resolve(s.root.Below(path), false)
		if err != nil {
			continue
		}
		// A rename changes a file's ctime and nothing else; a copy between
		// file systems is another object with the same size and time.
		if info, err := place.Stat(); err == nil && info.Size == seen.Size && info.Mtime.Equal(seen.Mtime) {
			s.reads.note(path, info.Stamp(), 0, seen.upTo)
		}
		place.Close()
	}
}

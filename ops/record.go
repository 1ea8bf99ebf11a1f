package ops

import (
	"fmt"
	"time"

	"codemode/ops/fsys"
	"codemode/ops/plain"
)

// The types of journal records that a session writes. What starts and ends the
// run is recorded by its owner.
const (
	typeStarted  = "operation-started"
	typeFinished = "operation-finished"
)

// started is recorded before anything is changed.
type started struct {
	Type      string     `json:"type"`
	Time      time.Time  `json:"time"`
	Seq       int        `json:"seq"`
	Operation Operation  `json:"operation"`
	Path      plain.Text `json:"path"`
	Target    plain.Text `json:"target,omitempty"`
	Kind      string     `json:"sourceKind"`
	Entries   int64      `json:"entries"`
	Bytes     int64      `json:"bytes"`
	Hidden    string     `json:"hidden,omitempty"`   // the name of anything unfinished beside the target or source
	Object    string     `json:"object"`             // what the source is, whatever its name, see [ObjectAt]
	Replaces  string     `json:"replaces,omitempty"` // the same of what exists at the target
	Parent    plain.Text `json:"parent,omitempty"`   // the outermost directory that is made on the way to the target
}

// ObjectAt names the object at an absolute path so that it is recognised under
// another name, as long as it exists. A link at the end is not followed. The
// start of an operation is recorded with its source's name of this kind.
func ObjectAt(path string) (id string, exists bool) {
	identity, exists := fsys.IdentityAt(path)
	return objectID(identity), exists
}

func objectID(id fsys.Identity) string { return fmt.Sprintf("%d:%d", id.Dev, id.Ino) }

// finished holds the receipt.
type finished struct {
	Type    string    `json:"type"`
	Time    time.Time `json:"time"`
	Receipt *Receipt  `json:"receipt"`
}

// recordable refuses early, before anybody is asked in vain.
func (c *call) recordable() error {
	err := c.s.cfg.JournalErr
	if err == nil && c.s.cfg.Journal != nil {
		err = c.s.cfg.Journal.Err()
	}
	if err != nil {
		return c.unrecorded(err)
	}
	return nil
}

func (c *call) unrecorded(err error) error {
	return &Error{Code: JournalUnavailable, cause: err,
		Message: "nothing was done, since it cannot be recorded: " + show(err.Error()) + "; make the journal writable, or let the host run with --no-journal"}
}

// intent records what is about to happen. No record, no operation.
func (c *call) intent(p *plan) error {
	r := &c.receipt
	replaces := ""
	if p.dest != nil {
		replaces = objectID(p.dest.Identity)
	}
	err := c.record(&started{
		Type: typeStarted, Time: time.Now().UTC(), Seq: r.Seq, Operation: r.Operation, Path: r.Path, Target: r.Target,
		Kind: r.SourceKind, Entries: r.Entries, Bytes: r.Bytes, Hidden: p.hidden, Object: objectID(p.info.Identity),
		Replaces: replaces, Parent: plain.Text(p.newParent()),
	})
	if err != nil {
		return c.unrecorded(err)
	}
	return nil
}

func (c *call) record(v any) error {
	if c.s.cfg.Journal == nil {
		return nil
	}
	return c.s.cfg.Journal.Append(v)
}

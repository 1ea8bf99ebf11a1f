package fsys

import "sync/atomic"

// Progress counts what has been done so far. It may be read at any time.
type Progress struct {
	Entries, Bytes atomic.Int64
}

func (p *Progress) add(info Info) {
	p.Entries.Add(1)
	p.Bytes.Add(info.size())
}

// size is what an object counts for in bytes.
func (i Info) size() int64 {
	if i.Kind == File {
		return i.Size
	}
	return 0
}

// Copying says how [Place.Build] and [Place.Merge] copy.
type Copying struct {
	// Faithful keeps times and, where the process may, owners and special mode
	// bits: the copying half of a Move between file systems. Without it
	// permission bits are kept and special bits dropped.
	Faithful bool
	// Hidden is the name under which a file or link is written beside its
	// destination before it is renamed there.
	Hidden string
	// Done counts what has been copied.
	Done *Progress
}

// Arrival says what a rename may meet under its new name.
type Arrival int

const (
	// Absent: nothing; an object that appears meanwhile is not replaced.
	Absent Arrival = iota
	// Replace: a file that is replaced in one step.
	Replace
	// Exchange: a directory that changes places with what arrives, so that
	// the name is never empty. The old one is then under the other name.
	Exchange
)

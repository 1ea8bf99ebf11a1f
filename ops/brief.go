package ops

import (
	"errors"

	"codemode/ops/fsys"
)

// errLonger says that what looked brief is not, and that nothing was done.
var errLonger = errors.New("takes longer")

// How much may be written, or copied up in a layered file system, and how much
// freed by a brief execution.
const (
	briefBytes = 256 << 10
	briefFreed = 64 << 20
)

// brief reports whether a plan is over after a few system calls that a local file
// system answers at once. Nobody has to give up waiting for those, and they are
// made on the spot, since to hand them to another goroutine and back takes longer
// than a rename.
func (p *plan) brief(op Operation) bool {
	most := int64(briefFreed)
	for _, at := range []*spot{&p.source, p.target} {
		switch {
		case at == nil:
		case len(at.Missing) > 0 || !at.Local():
			return false
		case at.Layered(): // what lies in a lower layer is copied before it is renamed
			most = briefBytes
		}
	}
	for _, info := range []*fsys.Info{&p.info, p.dest} {
		// A mounted file may lie anywhere.
		if info != nil && (info.MountRoot || info.Kind == fsys.File && info.Size > most) {
			return false
		}
	}
	switch op {
	case Delete:
		return p.info.Kind != fsys.Directory
	case Move:
		return !p.crossing && (p.dest == nil || p.dest.Kind != fsys.Directory)
	case Copy:
		return p.info.Kind != fsys.Directory && p.info.Size <= briefBytes
	}
	return len(p.content) <= briefBytes
}

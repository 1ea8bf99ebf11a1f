package ops

import (
	"regexp"
	"strings"
	"sync"
)

// Operation is one of the three things that a call can do.
type Operation string

// The operations.
const (
	Delete Operation = "delete"
	Copy   Operation = "copy"
	Move   Operation = "move"
)

// Overwriting says what may happen to an existing target.
type Overwriting int

const (
	// OverwriteOthers: it is overwritten, merged or replaced as the contract
	// says, unless an earlier operation of the same run put it there.
	OverwriteOthers Overwriting = iota
	// OverwriteNothing: it is refused, TARGET_EXISTS.
	OverwriteNothing
	// OverwriteAny: the run's own results may be overwritten, too.
	OverwriteAny
)

// Request is one call. Path and Target are absolute or relative to the
// session's directory; their bytes need not be UTF-8. Target names the
// resulting object, never a directory to put the source into.
type Request struct {
	Operation Operation
	Path      string
	Target    string // Copy and Move
	Overwrite Overwriting
	// ParentsExist refuses a target whose parents are missing (ENOENT)
	// instead of making them.
	ParentsExist bool
	// ReadFirst lets an existing file be overwritten only if this session has
	// read it, unchanged since (NOT_READ, STALE_READ).
	ReadFirst bool
}

// transfer reports whether the request has a target.
func (r Request) transfer() bool { return r.Operation != Delete }

func (r Request) check() error {
	switch r.Operation {
	case Delete, Copy, Move:
	default:
		return refuse(InvalidArguments, "unknown operation %q; there are delete, copy and move", show(string(r.Operation)))
	}
	if err := checkPath("path", r.Path); err != nil {
		return err
	}
	if r.transfer() {
		return checkPath("target", r.Target)
	}
	if r.Target != "" {
		return refuse(InvalidArguments, "delete takes no target")
	}
	return nil
}

var uri = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`) })

// maxPath is far beyond what the kernel takes in one call, since trees can be
// deeper than that, and near enough for every step to be quick.
const maxPath = 32 << 10

func checkPath(field, path string) error {
	switch {
	case path == "":
		return refuse(InvalidArguments, "%s is an empty string; name the object (\".\" is the working directory)", field)
	case strings.IndexByte(path, 0) >= 0:
		return refuse(InvalidArguments, "%s %s contains a NUL byte, which no file name can", field, show(path))
	case len(path) > maxPath:
		return refuse("ENAMETOOLONG", "%s has %d bytes; at most %d are taken", field, len(path), maxPath)
	case uri().MatchString(path):
		return refuse(UnsupportedSource, "%s %s is a URI; only paths on this machine can be given", field, show(path))
	}
	return nil
}

package ops

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"codemode/ops/textedit"
)

// Operation is one of the things that a call can do.
type Operation string

// The operations.
const (
	Delete Operation = "delete"
	Copy   Operation = "copy"
	Move   Operation = "move"
	Write  Operation = "write"
	Edit   Operation = "edit"
	Mkdir  Operation = "mkdir"
)

// Operations are all of them.
var Operations = []Operation{Delete, Copy, Move, Write, Edit, Mkdir}

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
	Target    string          // Copy and Move
	Content   []byte          // Write
	Edits     []textedit.Edit // Edit
	Overwrite Overwriting
	// ParentsExist refuses a target whose parents are missing (ENOENT)
	// instead of making them.
	ParentsExist bool
	// Append makes a Write add to the end of a file that exists. Nothing of it is
	// lost, so that it need not have been read.
	Append bool
	// ReadFirst lets an existing file be overwritten only if this session has
	// read it, unchanged since (NOT_READ, STALE_READ).
	ReadFirst bool
}

// transfer reports whether the request has a target.
func (r Request) transfer() bool { return r.Operation == Copy || r.Operation == Move }

// leaves reports whether what is at the path leaves it.
func (r Request) leaves() bool { return r.Operation == Delete || r.Operation == Move }

// makes reports whether something is made at the path itself.
func (r Request) makes() bool {
	return r.Operation == Write || r.Operation == Edit || r.Operation == Mkdir
}

func (r Request) check() error {
	if !slices.Contains(Operations, r.Operation) {
		return refuse(InvalidArguments, "unknown operation %q; there are delete, copy, move, write, edit and mkdir", show(string(r.Operation)))
	}
	if err := checkPath("path", r.Path); err != nil {
		return err
	}
	switch {
	case r.transfer():
		return checkPath("target", r.Target)
	case r.Target != "":
		return refuse(InvalidArguments, "%s takes no target", r.Operation)
	case r.Operation == Edit:
		return checkEdits(r.Edits)
	}
	return nil
}

func checkEdits(edits []textedit.Edit) error {
	if len(edits) == 0 {
		return refuse(InvalidArguments, "edit needs at least one edit")
	}
	for i, e := range edits {
		switch {
		case (e.Find == "") == (e.Range == nil):
			return refuse(InvalidArguments, "edit %d needs either find, a text that is not empty, or range", i+1)
		case e.Range != nil && e.All:
			return refuse(InvalidArguments, "edit %d has a range, so that all means nothing", i+1)
		case !utf8.ValidString(e.Find) || !utf8.ValidString(e.Replace):
			return refuse(InvalidArguments, "edit %d is not valid Unicode; only text can be edited, use write with bytes for anything else", i+1)
		}
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

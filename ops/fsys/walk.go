package fsys

import (
	"io/fs"
	"strings"
)

// SkipDir, returned by a visit, leaves out what the directory holds.
var SkipDir = fs.SkipDir

// Entry is one object met by [Place.Walk].
type Entry struct {
	Info
	Name  string
	Depth int // 0 is the top of the tree
	trail []string
	at    *level // the open directory that holds the entry, during the visit
}

// Rel is the path of the entry below the top; empty for the top itself.
func (e *Entry) Rel() string { return strings.Join(e.trail, "/") }

// Walk says how a tree is read.
type Walk struct {
	// Unreadable is called for a directory that cannot be opened or listed;
	// with nil the walk fails.
	Unreadable func(*Entry, error)
	// Visit is called for every entry, sorted by name, a directory before what
	// it holds. Its error ends the walk and is returned as it is.
	Visit func(*Entry) error
}

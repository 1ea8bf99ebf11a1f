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
	Depth int   // 0 is the top of the tree
	Match *Info // what the mirror tree holds in the same place, nil if nothing
	trail []string
	at    *level // the open directory that holds the entry, during the visit
}

// Rel is the path of the entry below the top; empty for the top itself.
func (e *Entry) Rel() string { return strings.Join(e.trail, "/") }

// Walk says how a tree is looked at before something is done with it.
type Walk struct {
	// Mirror is a second tree to compare with: entries of directories that
	// both trees have are looked at in both. May be nil.
	Mirror *Place
	// Removal demands that every directory with entries may be emptied.
	Removal bool
	// Reading demands that every file may be read.
	Reading bool
	// Sorted visits the entries of every directory by name.
	Sorted bool
	// Unreadable is called for a directory that cannot be opened or listed;
	// with nil the walk fails.
	Unreadable func(*Entry, error)
	// Visit is called for every entry, a directory before what it holds. Its
	// error ends the walk and is returned as it is.
	Visit func(*Entry) error
}

// Survey is what a walk found.
type Survey struct {
	Tally
	Digest Digest
	// Inner is the digest without the top, which a rename changes.
	Inner Digest
}

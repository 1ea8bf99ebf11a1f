package fsys

// Surveying says how a tree is looked at before something is done with it.
type Surveying struct {
	// Mirror is a second tree to compare with: entries of directories that
	// both trees have are looked at in both. May be nil.
	Mirror *Place
	// Seen is what a look at the object itself has just told, or nil. It spares
	// another one at anything but a directory.
	Seen *Info
	// Removal demands that every directory with entries may be emptied.
	Removal bool
	// Reading demands that every file may be read.
	Reading bool
	// Listings, if not nil, takes in what every directory holds.
	Listings *Listings
	// Visit is called for every object, a directory before what it holds, and
	// otherwise in no order and from several goroutines at once. What it is
	// given is its own only for the call. Its error ends the survey and is
	// returned as it is.
	Visit func(*Object) error
}

// Object is one object met by [Place.Survey].
type Object struct {
	Info
	Match *Info // what the mirror tree holds in the same place, nil if nothing
	Depth int   // 0 is the top of the tree

	match Info
	name  string
	in    *node
}

// Name is the last component of the object's path. Whoever keeps it for longer
// than the visit keeps much memory with it, and should clone it.
func (o *Object) Name() string { return o.name }

// Survey is what was found.
type Survey struct {
	Tally
	Digest Digest
	// Inner is the digest without the top, which a rename changes.
	Inner Digest
}

func (s *Survey) join(other Survey) {
	s.Entries += other.Entries
	s.Bytes += other.Bytes
	s.Digest.join(other.Digest)
	s.Inner.join(other.Inner)
}

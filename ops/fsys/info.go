package fsys

import "time"

// Kind is what an object is, never what a link points to.
type Kind string

// The kinds, in the spelling of receipts and hook events.
const (
	File      Kind = "file"
	Directory Kind = "directory"
	Symlink   Kind = "symlink"
	FIFO      Kind = "fifo"
	Socket    Kind = "socket"
	Device    Kind = "device"
)

// Special reports whether objects of this kind can neither be copied nor moved.
func (k Kind) Special() bool { return k == FIFO || k == Socket || k == Device }

// Identity tells one object from every other as long as it exists, whatever
// its name.
type Identity struct {
	Dev, Ino uint64
}

// Info is what the kernel says of one object, without following it.
type Info struct {
	Identity
	Kind      Kind
	Mode      uint32 // permission, set-id and sticky bits (07777)
	Links     uint32
	UID, GID  uint32
	Size      int64
	Mtime     time.Time
	Ctime     time.Time
	Mount     uint64 // identifies the mount that the object is reached through
	MountRoot bool   // the object is the root of a mount
}

// Stamp is the state of a regular file's content as far as the kernel records
// it: two equal stamps mean that nobody wrote in between.
type Stamp struct {
	Identity
	Size         int64
	Mtime, Ctime time.Time
}

// Stamp returns the stamp of i.
func (i Info) Stamp() Stamp {
	return Stamp{Identity: i.Identity, Size: i.Size, Mtime: i.Mtime, Ctime: i.Ctime}
}

// Tally counts a tree: every object in it, the top included, and the bytes of
// its regular files.
type Tally struct {
	Entries int64
	Bytes   int64
}

package fsys

import (
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// maxOpen is how many directories on the way down a tree are kept open. Those
// below it are closed while their subdirectories are worked on and found again
// through "..", checked by identity, so that depth costs no descriptors.
const maxOpen = 16

// handle is a directory that a node holds open.
type handle struct {
	fd  int // -1: closed to save descriptors
	id  Identity
	gid uint32
}

// nobody is the group of a directory that nobody has looked at.
const nobody = ^uint32(0)

// node is one directory of a tree while it is worked on, with the directory
// beside it that it is copied to or compared with, if there is one.
type node struct {
	up    *node
	name  cname
	depth int // 0 is the top of the tree; the directory that holds it is above
	info  Info
	from  handle
	to    handle
	both  bool // to is in use
	made  bool // to is new

	// left is what is not done yet: parts of the listing, subdirectories, and
	// one for as long as the descent is in it.
	left atomic.Int64

	mu     sync.Mutex
	users  int           // of the descriptors
	opened *atomic.Int64 // counts the nodes that are open, for the descent
	looked bool          // it has been surveyed

	listing  listing
	bytes    atomic.Int64 // of the files in it, as far as they have been looked at
	writable atomic.Bool  // entries may be made in to, as far as has been asked
}

// above makes a node of the held directory that a tree's top lies in.
func above(from *dir, to *dir) *node {
	n := &node{depth: -1, from: handle{fd: from.fd}}
	if to != nil {
		n.to, n.both = handle{fd: to.fd, gid: nobody}, true
	}
	return n
}

// hold keeps n open until [node.drop], and opens it again if need be: below is
// an open directory in it.
func (n *node) hold(below *node) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.users++
	if n.from.fd >= 0 {
		return nil
	}
	if err := n.from.reopen(below.from.fd); err != nil || !n.both {
		return err
	}
	return n.to.reopen(below.to.fd)
}

// share adds a hold to one that the caller has.
func (n *node) share() {
	n.mu.Lock()
	n.users++
	n.mu.Unlock()
}

func (h *handle) reopen(below int) error {
	fd, err := openDirAt(below, "..")
	if err != nil {
		return err
	}
	info, err := statAt(fd, "")
	if err == nil && info.Identity != h.id {
		err = ErrChanged
	}
	if err != nil {
		unix.Close(fd)
		return err
	}
	h.fd = fd
	return nil
}

// drop ends a hold. The last one closes a directory that lies deep.
func (n *node) drop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.users--; n.users == 0 && n.depth >= maxOpen {
		n.shut()
	}
}

// close lets go of n for good.
func (n *node) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.depth >= 0 {
		n.shut()
		n.opened.Add(-1)
	}
}

func (n *node) shut() {
	n.from.shut()
	if n.both {
		n.to.shut()
	}
}

func (h *handle) shut() {
	if h.fd >= 0 {
		unix.Close(h.fd)
		h.fd = -1
	}
}

// rel is the path of n below the top; empty for the top itself.
func (n *node) rel() string {
	if n.depth <= 0 {
		return ""
	}
	return below(n.up.rel(), n.name.String())
}

func below(rel, name string) string {
	if rel == "" || name == "" {
		return rel + name
	}
	return rel + "/" + name
}

// openFrom opens n, whose parent is open, never through a link.
func (n *node) openFrom() error {
	fd, err := n.name.openDir(n.up.from.fd)
	if err != nil {
		return changed(err, unix.ENOTDIR, unix.ELOOP)
	}
	if n.info, err = statAt(fd, ""); err != nil {
		unix.Close(fd)
		return err
	}
	n.from = handle{fd: fd, id: n.info.Identity}
	return nil
}

// openTo opens the directory beside n under its name there.
func (n *node) openTo(name cname) error {
	fd, err := name.openDir(n.up.to.fd)
	if err != nil {
		return changed(err, unix.ENOTDIR, unix.ELOOP)
	}
	info, err := statAt(fd, "")
	if err != nil {
		unix.Close(fd)
		return err
	}
	n.to, n.both = handle{fd: fd, id: info.Identity, gid: info.GID}, true
	return nil
}

// changed says what these errors mean of an object whose kind was known: it is
// of another kind by now.
func changed(err error, means ...unix.Errno) error {
	if errno, ok := err.(unix.Errno); ok && slices.Contains(means, errno) {
		return ErrChanged
	}
	return err
}

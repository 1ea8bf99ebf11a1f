//go:build !linux

package fsys

import (
	"context"
	"os"
	"path/filepath"
)

// On this platform there are no descriptor-relative calls with everything that
// the contract needs (never following a last component, exchanging two names,
// telling mount points), so nothing is done: every function that would look
// for an object answers ErrUnsupported. The rest is here to be compiled.

type (
	dir   struct{}
	level struct{}
	node  struct{}
)

// Root is where paths start.
type Root struct{ path string }

// OpenRoot notes the root, so that a session can be opened and can refuse.
func OpenRoot(path string) (*Root, error) {
	path, err := filepath.Abs(path)
	return &Root{path}, err
}

// Path is the path of the root.
func (r *Root) Path() string { return r.path }

// Close has nothing to let go of.
func (r *Root) Close() error { return nil }

// IdentityAt knows only whether something is there.
func IdentityAt(path string) (Identity, bool) {
	_, err := os.Lstat(path)
	return Identity{}, err == nil
}

// DirectoryAt knows of none.
func DirectoryAt(string) (Identity, bool) { return Identity{}, false }

// Resolve is not supported.
func (r *Root) Resolve(path string, follow bool) (*Place, error) {
	return nil, pathError("resolve", path, ErrUnsupported)
}

// Below is the path itself.
func (r *Root) Below(path string) string { return path }

// ResolveNear is not supported.
func (r *Root) ResolveNear(path string, near *Place) (*Place, error) { return r.Resolve(path, false) }

// Close has nothing to let go of.
func (p *Place) Close() {}

// Stat is not supported.
func (p *Place) Stat() (Info, error) { return Info{}, ErrUnsupported }

// LocalAt knows of none.
func LocalAt(string) bool { return false }

// Local is not supported.
func (p *Place) Local() bool { return false }

// Layered is not supported.
func (p *Place) Layered() bool { return false }

// InProc is not supported.
func (p *Place) InProc() bool { return false }

// Mount is not supported.
func (p *Place) Mount() uint64 { return 0 }

// ReadLink is not supported.
func (p *Place) ReadLink() (string, error) { return "", ErrUnsupported }

// Create is not supported.
func (p *Place) Create(string, []byte, *Info) error { return ErrUnsupported }

// Sync is not supported.
func (p *Place) Sync() error { return ErrUnsupported }

// Mkdir is not supported.
func (p *Place) Mkdir() error { return ErrUnsupported }

// Access is nothing.
func (p *Place) Access() string { return "" }

// MayWrite is not supported.
func (p *Place) MayWrite() error { return ErrUnsupported }

// Writable is not supported.
func (p *Place) Writable() error { return ErrUnsupported }

// Walk is not supported.
func (p *Place) Walk(context.Context, Walk) error { return ErrUnsupported }

// Survey is not supported.
func (p *Place) Survey(context.Context, Surveying) (Survey, error) { return Survey{}, ErrUnsupported }

// Rel is nothing.
func (o *Object) Rel() string { return "" }

// InMirror is not so.
func (o *Object) InMirror() bool { return false }

// Parent is nothing.
func (o *Object) Parent() Identity { return Identity{} }

// Open is not supported.
func (p *Place) Open() (*os.File, Info, error) { return nil, Info{}, ErrUnsupported }

// Open is not supported.
func (e *Entry) Open() (*os.File, Info, error) { return nil, Info{}, ErrUnsupported }

// ReadLink is not supported.
func (e *Entry) ReadLink() (string, error) { return "", ErrUnsupported }

// Remove is not supported.
func (p *Place) Remove(Identity, *Listings, *Progress) error { return ErrUnsupported }

// RemoveHidden is not supported.
func (p *Place) RemoveHidden(string, Identity, *Listings, *Progress) error { return ErrUnsupported }

// Build is not supported.
func (p *Place) Build(Identity, *Place, Copying) error { return ErrUnsupported }

// Merge is not supported.
func (p *Place) Merge(Identity, *Place, Identity, Copying) error { return ErrUnsupported }

// Rename is not supported.
func (p *Place) Rename(Identity, *Place, Arrival, Identity) error { return ErrUnsupported }

// Aside is not supported.
func (p *Place) Aside(Identity, string) error { return ErrUnsupported }

// Publish is not supported.
func (p *Place) Publish(string, Arrival, Identity) error { return ErrUnsupported }

// Parents are directories made on the way to a target.
type Parents struct{}

// MakeParents is not supported.
func (p *Place) MakeParents() (*Parents, error) { return &Parents{}, ErrUnsupported }

// Close has nothing to let go of.
func (m *Parents) Close() {}

// Remove has nothing to take back.
func (m *Parents) Remove() {}

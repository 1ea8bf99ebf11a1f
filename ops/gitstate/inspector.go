package gitstate

import (
	"crypto/sha256"
	"sync"
	"time"
)

// Options configure an [Inspector]. The zero value is good.
type Options struct {
	// Git is the absolute path of the git program for formats that the package
	// cannot read itself. Empty means the one that PATH names when [New] is
	// called, before anything could be put in its way. A missing program is no
	// error, it turns those cases into doubts.
	Git string
	// Timeout limits one call of the git program; 10 seconds when zero.
	Timeout time.Duration
	// Within is a resolved directory that somebody is confined to. Control data
	// of repositories in it that leads out of it is not looked at and counts as
	// damaged, so that nothing outside can be probed. Repositories around it
	// are the host's own and not affected.
	Within string
}

// Inspector answers questions about Git. It is safe for concurrent use.
//
// It keeps the names of the indexes it has read, about 6 MB for 100,000 of them,
// and the repositories it has found, and looks at the files they come from
// before every reuse, so an answer is never older than the call that asked for
// it. Parsed configs are kept by their content. It holds no file open and needs
// no end.
type Inspector struct {
	gitPath string
	gitErr  error // why there is no git to ask
	timeout time.Duration
	within  string

	mu      sync.Mutex
	clock   uint64
	slots   map[slotKey]*slot
	configs map[[sha256.Size]byte]settings // by content
	kept    map[string]*kept               // by the directory with the ".git"
	vacancy map[string]vacancy             // by directory
}

// New returns an Inspector.
func New(o Options) *Inspector {
	in := &Inspector{
		timeout: o.Timeout,
		within:  o.Within,
		slots:   map[slotKey]*slot{},
		configs: map[[sha256.Size]byte]settings{},
		kept:    map[string]*kept{},
		vacancy: map[string]vacancy{},
	}
	if in.timeout <= 0 {
		in.timeout = 10 * time.Second
	}
	in.gitPath, in.gitErr = findGit(o.Git)
	return in
}

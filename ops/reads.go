package ops

import (
	"sync"

	"codemode/ops/fsys"
)

// reads remembers which files this session has read, and in which state. It
// has a lock of its own, since files are also read while an operation has the
// turn.
type reads struct {
	mu   sync.Mutex
	seen map[string]fsys.Stamp // by resolved path
}

// note remembers that a file has been read.
func (r *reads) note(path string, state fsys.Stamp) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil {
		r.seen = map[string]fsys.Stamp{}
	}
	r.seen[path] = state
}

// check says whether the file at path may be overwritten by a request that
// must have read it first.
func (r *reads) check(path string, info fsys.Info) error {
	r.mu.Lock()
	seen, ok := r.seen[path]
	r.mu.Unlock()
	switch {
	case !ok:
		return refuse(NotRead, "%s exists and has not been read in this session; read it first, then overwrite it", show(path))
	case seen != info.Stamp():
		return refuse(StaleRead, "%s has changed since it was read; read it again, then overwrite it", show(path))
	}
	return nil
}

// take forgets the files at and below path and returns them.
func (r *reads) take(path string) map[string]fsys.Stamp {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := map[string]fsys.Stamp{}
	for at, state := range r.seen {
		if at == path || fsys.Contains(path, at) {
			taken[at] = state
			delete(r.seen, at)
		}
	}
	return taken
}

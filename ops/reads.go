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
	seen pathTree[sight] // by resolved path
}

// sight is what was seen of a file: its beginning, up to and without a byte.
type sight struct {
	fsys.Stamp
	upTo int64
}

// whole reports whether all of the file was seen.
func (s sight) whole() bool { return s.upTo >= s.Size }

// note remembers that a part of a file has been read. Parts add up as long as
// they follow one another.
func (r *reads) note(path string, state fsys.Stamp, from, upTo int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old, _ := r.seen.get(path)
	if old.Stamp != state {
		old = sight{Stamp: state}
	}
	if from <= old.upTo {
		old.upTo = max(old.upTo, upTo)
	}
	r.seen.put(path, old)
}

// check says whether the file at path may be changed by a request that must have
// read it first, or all of it.
func (r *reads) check(path string, info fsys.Info, all bool) error {
	r.mu.Lock()
	seen, ok := r.seen.get(path)
	r.mu.Unlock()
	switch {
	case !ok:
		return refuse(NotRead, "%s exists and has not been read in this session; read it first, then overwrite it", show(path))
	case seen.Stamp != info.Stamp():
		return refuse(StaleRead, "%s has changed since it was read; read it again, then overwrite it", show(path))
	case all && !seen.whole():
		return refuse(NotRead, "of %s only a part has been read in this session; read the rest, then overwrite it, or edit the part", show(path))
	}
	return nil
}

// take forgets the files at and below path and returns them.
func (r *reads) take(path string) pathTree[sight] {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen.cut(path, true)
}

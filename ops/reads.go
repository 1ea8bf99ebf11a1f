package ops

import (
	"codemode/ops/fsys"
)

// reads remembers which files this session has read, and in which state.
// Keys are resolved paths.
type reads map[string]fsys.Stamp

// check says whether the file at path may be overwritten by a request that
// must have read it first.
func (r reads) check(path string, info fsys.Info) error {
	seen, ok := r[path]
	switch {
	case !ok:
		return refuse(NotRead, "%s exists and has not been read in this session; read it first, then overwrite it", show(path))
	case seen != info.Stamp():
		return refuse(StaleRead, "%s has changed since it was read; read it again, then overwrite it", show(path))
	}
	return nil
}

// below lists the recorded files at and below path.
func (r reads) below(path string) []string {
	var found []string
	for at := range r {
		if at == path || fsys.Contains(path, at) {
			found = append(found, at)
		}
	}
	return found
}

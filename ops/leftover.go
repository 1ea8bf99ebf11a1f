package ops

import (
	"path/filepath"
	"slices"

	"codemode/ops/fsys"
)

// Leftovers finds what an operation that did not come to its end has left: what
// is under one of its hidden names beside the target, in it (where a merge works)
// or beside the source, and the outermost of the parents that it was to make, if
// the target never arrived there. A path that does not apply is "". There must
// tell what exists.
func Leftovers(source, target, hidden, parent string, there func(path string) bool) []string {
	if hidden == "" {
		return nil
	}
	dirs := []string{filepath.Dir(source)}
	if target != "" {
		dirs = []string{filepath.Dir(target), target, filepath.Dir(source)}
	} else {
		target = source
	}
	var found []string
	for _, dir := range dirs {
		for _, name := range fsys.HiddenNames(hidden) {
			if path := filepath.Join(dir, name); there(path) && !slices.Contains(found, path) {
				found = append(found, path)
			}
		}
	}
	if parent != "" && !there(target) && there(parent) {
		found = append(found, parent)
	}
	return found
}

// newParent is the outermost parent of the target that a plan makes, or "".
func (p *plan) newParent() string {
	if p.target == nil || len(p.target.Missing) == 0 {
		return ""
	}
	path := p.target.Path
	for range p.target.Missing {
		path = filepath.Dir(path)
	}
	return path
}

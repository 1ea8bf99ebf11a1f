package ops

import (
	"hash/maphash"
	"strings"

	"codemode/ops/fsys"
)

// results remembers what this run has put where, so that it does not destroy
// its own results by accident. Keys are resolved paths.
type results struct {
	put map[string]result
	// touched is when an operation of this run last put something at a path
	// or took something away from there.
	touched map[string]int
	seed    maphash.Seed
}

type result struct {
	seq    int
	op     Operation
	source string
	// merged holds the hashed paths of what a Copy put into a directory which
	// existed before, and of the directories around it; nil means that
	// everything at and below the target is a result.
	merged map[uint64]struct{}
}

func newResults() *results {
	return &results{put: map[string]result{}, touched: map[string]int{}, seed: maphash.MakeSeed()}
}

func (rs *results) hash(rel string) uint64 { return maphash.String(rs.seed, rel) }

// note adds a path, and the directories that it lies in, to what a merge put.
func (rs *results) note(merged map[uint64]struct{}, rel string) {
	for {
		h := rs.hash(rel)
		if _, known := merged[h]; known {
			return
		}
		merged[h] = struct{}{}
		if rel == "" {
			return
		}
		rel = rel[:max(strings.LastIndexByte(rel, '/'), 0)]
	}
}

// repeats reports whether copying the object at path again is the very Copy
// that made r: nothing has been put there or taken away since.
func (rs *results) repeats(r result, path string) bool {
	if r.op != Copy || r.source != path {
		return false
	}
	for {
		if rs.touched[path] > r.seq {
			return false
		}
		i := strings.LastIndexByte(path, '/')
		if i <= 0 {
			return true
		}
		path = path[:i]
	}
}

// at returns the result that put the object at path there.
func (rs *results) at(path string) (result, bool) {
	for top := path; ; {
		if r, ok := rs.put[top]; ok {
			rel := strings.TrimPrefix(strings.TrimPrefix(path, top), "/")
			if r.merged == nil {
				return r.below(rel), true
			}
			if _, hit := r.merged[rs.hash(rel)]; hit {
				return r.below(rel), true
			}
		}
		i := strings.LastIndexByte(top, '/')
		if i <= 0 {
			return result{}, false
		}
		top = top[:i]
	}
}

func (r result) below(rel string) result {
	if rel != "" {
		r.source += "/" + rel
	}
	return r
}

// within returns a result that lies in the directory at path.
func (rs *results) within(path string) (result, bool) {
	for at, r := range rs.put {
		if fsys.Contains(path, at) {
			return r, true
		}
	}
	return result{}, false
}

// add records what an operation put at target.
func (rs *results) add(target string, r result) {
	if old, ok := rs.put[target]; ok && r.merged != nil {
		if old.merged == nil {
			return // all of it is a result already
		}
		for h := range old.merged {
			r.merged[h] = struct{}{}
		}
	}
	rs.put[target] = r
}

// remove forgets what was at and below path.
func (rs *results) remove(path string, tree bool) {
	delete(rs.put, path)
	if tree {
		for at := range rs.put {
			if fsys.Contains(path, at) {
				delete(rs.put, at)
			}
		}
	}
}

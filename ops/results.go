package ops

import (
	"hash/maphash"
	"strings"
)

// results remembers what this run has put where, so that it does not destroy
// its own results by accident. Keys are resolved paths.
type results struct {
	put pathTree[result]
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
	return &results{touched: map[string]int{}, seed: maphash.MakeSeed()}
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
	for top, r := range rs.put.upward(path) {
		rel := strings.TrimPrefix(strings.TrimPrefix(path, top), "/")
		if r.merged == nil {
			return r.below(rel), true
		}
		if _, hit := r.merged[rs.hash(rel)]; hit {
			return r.below(rel), true
		}
	}
	return result{}, false
}

func (r result) below(rel string) result {
	if rel != "" {
		r.source += "/" + rel
	}
	return r
}

// within returns a result that lies in the directory at path.
func (rs *results) within(path string) (result, bool) { return rs.put.at(path).inside() }

// add records what an operation put at target.
func (rs *results) add(target string, r result) {
	if old, ok := rs.put.get(target); ok && r.merged != nil {
		if old.merged == nil {
			return // all of it is a result already
		}
		for h := range old.merged {
			r.merged[h] = struct{}{}
		}
	}
	rs.put.put(target, r)
}

// remove forgets what was at path, and below it if it was a tree.
func (rs *results) remove(path string, tree bool) { rs.put.cut(path, tree) }

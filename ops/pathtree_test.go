package ops

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"codemode/ops/fsys"
)

// TestPathTree holds a tree against a plain map, in which everything is looked at.
func TestPathTree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	somewhere := func() string {
		path := ""
		for range 1 + random.IntN(4) {
			path += "/" + string(rune('a'+random.IntN(3)))
		}
		return path
	}
	var tree pathTree[int]
	plain := map[string]int{}
	inside := func(dir string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(plain)), func(at string) bool { return fsys.Contains(dir, at) })
	}
	for i := range 20_000 {
		path := somewhere()
		switch random.IntN(4) {
		case 0:
			taken, deep := map[string]int{}, random.IntN(2) == 0
			for at, value := range plain {
				if at == path || deep && fsys.Contains(path, at) {
					taken[at] = value
					delete(plain, at)
				}
			}
			cut := tree.cut(path, deep)
			if got := maps.Collect(cut.all(path)); !maps.Equal(got, taken) {
				t.Fatalf("cut %s (deep: %t) took %v, not %v", path, deep, got, taken)
			}
		default:
			tree.put(path, i)
			plain[path] = i
		}
		path = somewhere()
		value, ok := tree.get(path)
		if want, known := plain[path]; ok != known || value != want {
			t.Fatalf("%s has %d %t, not %d %t", path, value, ok, want, known)
		}
		if _, ok := tree.at(path).inside(); ok != inside(path) {
			t.Fatalf("inside %s says %t", path, ok)
		}
		var way []string
		for at, value := range tree.upward(path) {
			way = append(way, at)
			if plain[at] != value {
				t.Fatalf("above %s, %s has %d, not %d", path, at, value, plain[at])
			}
		}
		var want []string
		for at := path; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
			if _, known := plain[at]; known {
				want = append(want, at)
			}
		}
		if !slices.Equal(way, want) {
			t.Fatalf("on the way up from %s are %q, not %q", path, way, want)
		}
	}
	if got := maps.Collect(tree.all("/")); !maps.Equal(got, plain) {
		t.Errorf("it holds %v, not %v", got, plain)
	}
	for path := range plain {
		tree.cut(path, false)
	}
	if len(tree.below) > 0 {
		t.Errorf("emptied, it still has %v", tree.below)
	}
}

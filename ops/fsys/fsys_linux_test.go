package fsys_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode/ops/fsys"
)

func base(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func root(t *testing.T, confined string) *fsys.Root {
	t.Helper()
	r, err := fsys.OpenRoot(confined)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// forest makes directories, files and links of all sorts in dir, and returns
// the names that are worth asking for.
func forest(t *testing.T, dir string, random *rand.Rand) []string {
	t.Helper()
	names := []string{"a", "b", "c"}
	some := func() string { return names[random.IntN(len(names))] }
	for range 12 {
		path := filepath.Join(dir, some(), some(), some())
		os.MkdirAll(filepath.Dir(path), 0o755)
		switch random.IntN(4) {
		case 0:
			os.Mkdir(path, 0o755)
		case 1:
			os.WriteFile(path, nil, 0o644)
		default:
			text := some()
			for range random.IntN(4) {
				text = []string{"..", ".", some()}[random.IntN(3)] + "/" + text
			}
			if random.IntN(4) == 0 {
				text = filepath.Join(dir, text)
			}
			os.Symlink(text, path)
		}
	}
	var ask []string
	for range 40 {
		parts := make([]string, 1+random.IntN(5))
		for i := range parts {
			parts[i] = some()
		}
		ask = append(ask, strings.Join(parts, "/"))
	}
	return ask
}

// TestResolveAgreesWithTheKernel asks for paths in random forests of links: what
// is found must be the object that the kernel finds, under its real path.
func TestResolveAgreesWithTheKernel(t *testing.T) {
	t.Parallel()
	r := root(t, "")
	found := 0
	for seed := range uint64(60) {
		dir := filepath.Join(base(t), fmt.Sprint(seed))
		os.Mkdir(dir, 0o755)
		for _, name := range forest(t, dir, rand.New(rand.NewPCG(seed, 1))) {
			path := filepath.Join(dir, name)
			want, wantErr := filepath.EvalSymlinks(path)
			place, err := r.Resolve(path, true)
			if err != nil {
				if wantErr == nil {
					t.Fatalf("seed %d: %s: %v, the kernel finds %s", seed, path, err, want)
				}
				continue
			}
			_, statErr := place.Stat()
			if (statErr == nil) != (wantErr == nil) || wantErr == nil && place.Path != want {
				t.Fatalf("seed %d: %s is %s (%v), the kernel finds %s (%v)", seed, path, place.Path, statErr, want, wantErr)
			}
			if wantErr == nil {
				found++
				hops, err := fsys.Chase(path, "")
				if err != nil || hops[len(hops)-1] != want {
					t.Fatalf("seed %d: chase of %s: %v, %v", seed, path, hops, err)
				}
			}
			place.Close()
		}
	}
	if found < 100 {
		t.Errorf("only %d objects were found", found)
	}
}

// TestBothWaysFindTheSame: what the short way finds is what the long one finds,
// and it is gone wherever no link lies on it and everything exists.
func TestBothWaysFindTheSame(t *testing.T) {
	t.Parallel()
	for _, confined := range []bool{false, true} {
		short := 0
		for seed := range uint64(60) {
			dir := filepath.Join(base(t), fmt.Sprint(confined, seed))
			os.Mkdir(dir, 0o755)
			names := forest(t, dir, rand.New(rand.NewPCG(seed, 3)))
			r, prefix := root(t, ""), dir+"/"
			if confined {
				r, prefix = root(t, dir), ""
			}
			var near *fsys.Place // one that was found before, now and then
			for i, name := range append(names, "./a/b", "a//b", "a/../a/b", "a/b/.", "a/b/..", "") {
				straight := r.Straight(prefix+name, near)
				long, err := r.LongWay(prefix + name)
				if straight == nil {
					real, evalErr := filepath.EvalSymlinks(filepath.Dir(filepath.Join(dir, name)))
					st, statErr := os.Stat(real)
					if err == nil && evalErr == nil && statErr == nil && st.IsDir() && strings.Contains(name, "/") && filepath.Clean(name) == name && real == filepath.Dir(filepath.Join(dir, name)) {
						t.Fatalf("seed %d: the long way was taken to %s", seed, name)
					}
					long.Close()
					continue
				}
				short++
				if err != nil {
					t.Fatalf("seed %d: %s is %s, and the long way %v", seed, name, straight.Path, err)
				}
				if straight.Path != long.Path || straight.Name != long.Name || len(long.Missing) > 0 || !slices.Equal(straight.Ancestors, long.Ancestors) || straight.Mount() != long.Mount() {
					t.Fatalf("seed %d: %s is %+v and %+v", seed, name, straight, long)
				}
				a, aErr := straight.Stat()
				b, bErr := long.Stat()
				if a != b || (aErr == nil) != (bErr == nil) {
					t.Fatalf("seed %d: at %s are %+v (%v) and %+v (%v)", seed, name, a, aErr, b, bErr)
				}
				long.Close()
				if i%3 == 0 {
					near = straight
				}
				defer straight.Close()
			}
		}
		if short < 100 {
			t.Errorf("confined: %t: only %d were found the short way", confined, short)
		}
	}
}

// TestConfinedResolveStaysInside: whatever the links say, nothing outside the
// root is ever found.
func TestConfinedResolveStaysInside(t *testing.T) {
	t.Parallel()
	refused := 0
	for seed := range uint64(60) {
		outer := filepath.Join(base(t), fmt.Sprint(seed))
		inner := filepath.Join(outer, "a", "b")
		os.MkdirAll(inner, 0o755)
		random := rand.New(rand.NewPCG(seed, 2))
		forest(t, outer, random)
		names := forest(t, inner, random)
		r := root(t, inner)
		for _, name := range names {
			for _, follow := range []bool{false, true} {
				place, err := r.Resolve(name, follow)
				if errors.Is(err, fsys.ErrOutside) {
					refused++
				}
				if err != nil {
					continue
				}
				if place.Path != inner && !fsys.Contains(inner, place.Path) {
					t.Fatalf("seed %d: %s leads to %s", seed, name, place.Path)
				}
				place.Close()
			}
			if hops, err := fsys.Chase(filepath.Join(inner, name), inner); err == nil {
				for _, hop := range hops {
					if hop != inner && !fsys.Contains(inner, hop) {
						t.Fatalf("seed %d: chase of %s: %v", seed, name, hops)
					}
				}
			}
		}
	}
	if refused < 50 {
		t.Errorf("only %d paths led outside", refused)
	}
}

// TestDigestSeesEveryChange: a survey differs after any change to the tree.
func TestDigestSeesEveryChange(t *testing.T) {
	t.Parallel()
	top := filepath.Join(base(t), "top")
	survey := func() fsys.Survey {
		place, err := root(t, "").Resolve(top, false)
		if err != nil {
			t.Fatal(err)
		}
		defer place.Close()
		s, err := place.Survey(context.Background(), fsys.Surveying{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	file := filepath.Join(top, "d", "f")
	os.MkdirAll(filepath.Dir(file), 0o755)
	os.WriteFile(file, []byte("one"), 0o644)
	before := survey()
	if before != survey() {
		t.Fatal("two looks at one tree differ")
	}
	for _, change := range []struct {
		name string
		do   func() error
	}{
		{"content of the same length", func() error { return os.WriteFile(file, []byte("two"), 0o644) }},
		{"mode", func() error { return os.Chmod(file, 0o600) }},
		{"name", func() error { return os.Rename(file, file+"2") }},
		{"another file of that name", func() error { os.WriteFile(file, []byte("two"), 0o600); return os.Remove(file + "2") }},
		{"a new entry", func() error { return os.Symlink("x", filepath.Join(top, "l")) }},
		{"a removed entry", func() error { return os.Remove(filepath.Join(top, "l")) }},
	} {
		if err := change.do(); err != nil {
			t.Fatal(err)
		}
		after := survey()
		if after.Digest == before.Digest {
			t.Errorf("%s: not seen", change.name)
		}
		before = after
	}
}

// TestDepthCostsNoDescriptors walks and removes a tree deeper than the number
// of descriptors that is kept open.
func TestDepthCostsNoDescriptors(t *testing.T) {
	top := filepath.Join(base(t), "top")
	os.MkdirAll(filepath.Join(top, strings.Repeat("d/", 200)), 0o755)
	place, err := root(t, "").Resolve(top, false)
	if err != nil {
		t.Fatal(err)
	}
	defer place.Close()
	most := 0
	survey, err := place.Survey(context.Background(), fsys.Surveying{Visit: func(*fsys.Object) error {
		open, _ := os.ReadDir("/proc/self/fd")
		most = max(most, len(open))
		return nil
	}})
	if err != nil || survey.Entries != 201 {
		t.Fatalf("%d entries, %v", survey.Entries, err)
	}
	if most > 80 {
		t.Errorf("%d descriptors were open at once", most)
	}
	info, err := place.Stat()
	if err != nil {
		t.Fatal(err)
	}
	var done fsys.Progress
	if err := place.Remove(info.Identity, nil, &done); err != nil || done.Entries.Load() != 201 {
		t.Errorf("removed %d, %v", done.Entries.Load(), err)
	}
}

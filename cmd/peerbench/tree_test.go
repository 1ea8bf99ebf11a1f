package main

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// sum is what a tree holds, names and bytes.
func sum(t *testing.T, dir string) (digest [sha256.Size]byte) {
	t.Helper()
	h := sha256.New()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		h.Write([]byte(name))
		h.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func TestGrove(t *testing.T) {
	t.Parallel()
	g := grove{folders: 3, files: 20, smallest: 10, largest: 40}
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	for _, at := range []string{one, other} {
		if err := g.plant(at); err != nil {
			t.Fatal(err)
		}
	}
	if sum(t, one) != sum(t, other) {
		t.Error("a tree does not come out the same each time")
	}
	if n, err := count(one); err != nil || n != g.entries() || n != 24 {
		t.Errorf("%d entries, %v; it says %d", n, err, g.entries())
	}
	files, _ := filepath.Glob(filepath.Join(one, "*", "*"))
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Size() < 10 || info.Size() > 40 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
	if err := holds(one, 25); err == nil {
		t.Error("a missing entry was not missed")
	}
	if err := holds(filepath.Join(dir, "none"), 0); err == nil {
		t.Error("a tree that is not there holds something")
	}
	if absent(one) == nil || absent(filepath.Join(dir, "none")) != nil {
		t.Error("absent is wrong")
	}
}

func TestScaled(t *testing.T) {
	t.Parallel()
	for scale, want := range map[float64]grove{
		1:      {folders: 200, files: 20_000, smallest: 100, largest: 8 << 10},
		0.1:    {folders: 20, files: 2_000, smallest: 100, largest: 8 << 10},
		0.0001: {folders: 1, files: 2, smallest: 100, largest: 8 << 10},
	} {
		if got := manySmall.scaled(scale); got != want {
			t.Errorf("%v times: %+v", scale, got)
		}
	}
	if n := hundredThousand.entries(); n != 100_000 {
		t.Errorf("%d entries", n)
	}
}

func TestBigFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "in", "big")
	if err := bigFile(&lab{scale: 0.001}).plant(name); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Size() != 1<<20 {
		t.Errorf("%v, %v", info, err)
	}
}

package gitstate

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestControlNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][3]bool{ // everywhere, HFS+, NTFS
		".git":                    {true, true, true},
		".GIT":                    {true, true, true},
		".gIt":                    {true, true, true},
		".gi\u200ct":              {false, true, false},
		"\ufeff.git":              {false, true, false},
		".git.":                   {false, false, true},
		".git . .":                {false, false, true},
		"git~1":                   {false, false, true},
		"GIT~1":                   {false, false, true},
		".git::$INDEX_ALLOCATION": {false, false, true},
		".gitignore":              {},
		".github":                 {},
		"git":                     {},
		"":                        {},
		".git\x00":                {},
		".gi\xfft":                {},
		"git~2":                   {},
	} {
		got := [3]bool{
			IsControlName(name),
			IsControlName(name) || hfsControlName(name),
			IsControlName(name) || ntfsControlName(name),
		}
		if !foldNames && got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestBareLayout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		want  bool
	}{
		{[]string{"HEAD", "objects", "refs"}, true},
		{[]string{"HEAD", "commondir", "gitdir"}, true},
		{[]string{"HEAD", "objects"}, false},
		{[]string{"objects", "refs"}, false},
		{nil, false},
	} {
		if got := IsBareLayout(func(n string) bool { return slices.Contains(c.names, n) }); got != c.want {
			t.Errorf("%q: %v", c.names, got)
		}
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		root, path, rel string
		ok, folded      bool
	}{
		{"/a/b", "/a/b", "", true, true},
		{"/a/b", "/a/b/c/d", "c/d", true, true},
		{"/", "/a", "a", true, true},
		{"/", "/", "", true, true},
		{"/a/b", "/a/bc", "", false, false},
		{"/a/b", "/a", "", false, false},
		{"/a/b", "/A/B/C", "C", false, true},
		{"/e\u0301", "/É/x", "x", false, true},
	} {
		if rel, ok := relativeBytes(c.root, c.path); ok != c.ok || ok && rel != c.rel {
			t.Errorf("%s from %s: %q %v", c.path, c.root, rel, ok)
		}
		if rel, ok := relativeFolded(c.root, c.path); ok != c.folded || ok && rel != c.rel {
			t.Errorf("%s from %s, folded: %q %v", c.path, c.root, rel, ok)
		}
	}
}

func TestParent(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/a", "/a/b", "/a/b/c.d", "a", "a/b", "."} {
		path = filepath.FromSlash(path)
		if got, want := parent(path), filepath.Dir(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

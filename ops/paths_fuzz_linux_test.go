package ops_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/ops/plain"
)

// FuzzPaths holds that no spelling of a path leads out of the root of a confined
// session, whatever links lie in it, and that without a root a path names what
// the kernel takes it for once it is cleaned.
func FuzzPaths(f *testing.F) {
	for _, seed := range []string{
		"a", "./a/", "d/../a", "../out/secret", "/../../out/secret", "link/secret", "d/up/out/secret", "loop/a", "abs/secret", "d/./..//d/f", "out", "link", "secretlink",
		"a\x00b", "\xff", "a\xffb", "..\\out", "link/../out/secret", "d/up/../out", "inner/../../out", "inner/f", "~", "$HOME", "%2e%2e/out", "....//", "", ".", "/", "//", strings.Repeat("d/../", 50) + "a",
	} {
		f.Add(seed)
	}
	w := opstest.NewWorld(f)
	w.Setup(f, `mkdir -p box/d/e out; printf canary > out/secret; printf x > box/a; printf y > box/d/f
cd box; ln -s ../out link; ln -s "$W/out" abs; ln -s ../.. d/up; ln -s loop loop; ln -s d inner; ln -s ../out/secret secretlink; ln -s nowhere broken
touch "$(printf 'b\377')"`, true)
	box := filepath.Join(w.W, "box")
	confined, err := ops.Open(ops.Config{Root: box})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { confined.Close() })
	free, err := ops.Open(ops.Config{Dir: box})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { free.Close() })
	f.Fuzz(func(t *testing.T, path string) {
		args := fmt.Appendf(nil, `{"path":%s}`, plain.AppendString(nil, path))
		followed := append(args[:len(args)-1:len(args)-1], `,"follow":true}`...)
		if entry, ok := statOf(t, confined, followed); ok && entry.Real != "" {
			if real := string(entry.Real); real != box && !strings.HasPrefix(real, box+"/") {
				t.Errorf("%q leads to %s", path, real)
			}
		}
		for _, tool := range []string{"read", "list", "stat"} {
			said, err := confined.Query(t.Context(), tool, args, "")
			if strings.Contains(string(said), "canary") || strings.Contains(fmt.Sprint(err), "canary") || tool == "list" && strings.Contains(string(said), `"secret"`) {
				t.Errorf("%s of %q: %s %v", tool, path, said, err)
			}
		}
		if receipt := confined.Call(t.Context(), ops.Write, append(args[:len(args)-1:len(args)-1], `,"text":"x","overwrite":false}`...), "nothing is to be written"); receipt.Effect != ops.NotApplied {
			t.Errorf("%q: %+v", path, receipt)
		}
		entry, ok := statOf(t, free, args)
		if !ok {
			return
		}
		at := path
		if !filepath.IsAbs(at) {
			at = box + "/" + at
		}
		info, err := os.Lstat(filepath.Clean(at))
		if err != nil {
			t.Errorf("stat of %q says %+v, and the kernel %v", path, entry, err)
			return
		}
		kind := map[bool]string{true: "directory", false: "file"}[info.IsDir()]
		switch {
		case info.Mode()&os.ModeSymlink != 0:
			kind = "symlink"
		case !info.Mode().IsRegular() && !info.IsDir():
			return
		}
		if entry.Kind != kind || kind == "file" && entry.Size != info.Size() {
			t.Errorf("%q is %s of %d bytes, for the kernel %s of %d", path, entry.Kind, entry.Size, kind, info.Size())
		}
	})
}

type statEntry struct {
	Kind string
	Size int64
	Real plain.Text
}

func statOf(t *testing.T, s *ops.Session, args []byte) (e statEntry, ok bool) {
	t.Helper()
	said, err := s.Query(t.Context(), "stat", args, "")
	if err != nil {
		return e, false
	}
	if err := json.Unmarshal(said, &e); err != nil {
		t.Fatalf("%s: %v", said, err)
	}
	return e, true
}

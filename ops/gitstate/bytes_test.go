package gitstate

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Names are bytes: each of these is tracked once and, with a letter more, not.
var oddNames = []string{
	"caf\xe9", "\xff\xfe", "new\nline", "tab\tq\"x", `back\slash`, "*", "[a-z]", "?", ":(top)x", ":!x", "-r", "--",
	" lead", "trail ", "~", "$HOME", "é", "e\u0301", "\u200cinvisible", "a'b", "#c", "!d", ".gitx", "git~2", "nul l",
	strings.Repeat("n", 200),
}

func TestOddNames(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"true", "git -C proj update-index --index-version 4", "git -C proj update-index --split-index"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "git init -q proj")
			write := func(rel string) {
				path := filepath.Join(w.dir, "proj", rel)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range oddNames {
				write(name)
				write("dir" + name + "/" + name)
			}
			w.sh("commit proj;" + format)
			for _, name := range oddNames {
				write(name + "u")
				write("dir" + name + "u/x")
			}
			in := New(Options{})
			for _, name := range oddNames {
				for rel, want := range map[string]string{
					name: "tracked", "dir" + name: "tracked", "dir" + name + "/" + name: "tracked",
					name + "u": "free", "dir" + name + "u": "free", "dir" + name + "u/x": "free",
				} {
					if got, v := w.verdict(in, "proj/"+rel, "proj"); got != want {
						t.Errorf("%q is %s, want %s (doubt: %s)", rel, got, want, v.Doubt)
					}
				}
				if in.Untracked(context.Background(), w.path("proj/"+name), false) {
					t.Errorf("%q is not untracked", name)
				}
				if !in.Untracked(context.Background(), w.path("proj/"+name+"u"), false) {
					t.Errorf("%q is untracked", name+"u")
				}
			}
		})
	}
}

func TestLongPaths(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(strings.Repeat("l", 250)+"/", 15) + "end" // its length does not fit into the field for it
	for _, version := range []string{"2", "4"} {
		w := newWorld(t, "git init -q proj; git -C proj update-index --add --index-version "+version+
			" --cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,"+long+" --cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,z/"+long)
		in := New(Options{})
		for rel, want := range map[string]string{long: "tracked", "z/" + long: "tracked", "z": "tracked", long + "x": "free", strings.Repeat("l", 250): "tracked"} {
			if got, v := w.verdict(in, "proj/"+rel, "proj"); len(w.dir)+len(rel) < 4000 && got != want {
				t.Errorf("version %s: %.20s… is %s, want %s (doubt: %s)", version, rel, got, want, v.Doubt)
			}
		}
	}
}

func TestFoldedDirectoryNames(t *testing.T) {
	t.Parallel()
	n, err := newNames([]entry{{name: "Straße/A"}, {name: "caf\xe9"}, {name: "É"}, {name: "mod", link: true}})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"STRAßE": true, "E\u0301": true, "e\u0301": true, "CAF\xe9": true, "CAF\xc9": false, "straße/a": true} {
		if got := n.folded().covers(fold(path)); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
	if n.folded().linkAbove(fold("MOD/x")) != 3 {
		t.Error("a folded gitlink is not seen")
	}
}

package bindings_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codemode/bindings"
	"codemode/runtime"
)

// TestNodeDocumentation runs examples of Node's documentation, and what scripts
// usually do, in Node and here: the same is printed, and the same is left.
func TestNodeDocumentation(t *testing.T) {
	t.Parallel()
	node := needNode(t)
	files, err := filepath.Glob("testdata/nodedocs/*")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name, theirs := filepath.Base(file), t.TempDir()
			documented(t, theirs)
			put := func(dir string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, source, 0o644); err != nil {
					t.Fatal(err)
				}
				return path
			}
			cmd := exec.Command(node, "--no-warnings", put(theirs))
			cmd.Dir = theirs
			printed, err := cmd.Output()
			if err != nil {
				t.Fatalf("node: %v", err)
			}
			s, dir := newSession(t)
			documented(t, dir)
			r := bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Name: name, Source: string(source)}, Path: put(dir)})
			if !r.OK {
				t.Fatalf("%+v", r.Error)
			}
			var ours strings.Builder
			for _, o := range r.Output {
				if o.Stream != "stderr" {
					ours.WriteString(o.Text + "\n")
				}
			}
			if ours.String() != string(printed) {
				t.Errorf("it printed\n%s\nin Node\n%s", ours.String(), printed)
			}
			mine, other := listed(t, dir), listed(t, theirs)
			if mine != other {
				t.Errorf("it left (ours -, Node's +)\n%s", lineDifference(mine, other))
			}
		})
	}
}

// documented makes what the examples speak of.
func documented(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"source.txt": "source\n", "package.json": `{"name":"x","version":"1.0.0"}`, "dir/a.txt": "a\n", "dir/b.txt": "b\n", "dir/sub/c.txt": "c\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "<directory>"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("source.txt", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
}

// listed is a tree without the random names and the modes of mkdtemp, and without
// the empty file that Node leaves when a write was stopped.
func listed(t *testing.T, dir string) string {
	t.Helper()
	var lines []string
	for line := range strings.SplitSeq(treeListing(t, dir), "\n") {
		if !strings.HasPrefix(line, "foo-") && line != "message.txt 8 644 " {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[1:], "\n") // not the directory itself
}

package scripts_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// moduleTree copies a module that this one needs, or parts of it, out of the
// module cache, and makes a repository of it.
func moduleTree(t *testing.T, module string, parts ...string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Skipf("%s is not in the module cache: %v", module, err)
	}
	return copyOf(t, strings.TrimSpace(string(out)), parts...)
}

// copyOf copies a folder, or parts of it, and makes a repository of it.
func copyOf(t *testing.T, from string, parts ...string) string {
	t.Helper()
	if len(parts) == 0 {
		parts = []string{"."}
	}
	dir := t.TempDir()
	for _, part := range parts {
		target := filepath.Join(dir, part)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-RL", filepath.Join(from, part)+"/.", target).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if out, err := exec.Command("chmod", "-R", "u+w", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	commit(t, dir)
	return dir
}

// kept fails the test unless every file of the tree before is there afterwards,
// where now says, and nothing else is. Those that were edited may differ.
func kept(t *testing.T, before, after map[string]string, now func(string) string, value map[string]any) {
	t.Helper()
	edited := map[string]bool{}
	for _, s := range steps(value) {
		if s["do"] == "edit" {
			edited[s["path"].(string)] = true
		}
	}
	want := map[string]string{}
	for path, text := range before {
		at := now(path)
		if _, twice := want[at]; twice {
			t.Errorf("%s and another file should both be %s", path, at)
		}
		want[at] = text
	}
	for path, text := range want {
		got, ok := after[path]
		switch {
		case !ok && !strings.HasSuffix(path, "/"):
			t.Errorf("%s is lost", path)
		case ok && got != text && !edited[path]:
			t.Errorf("%s was changed without being in the plan", path)
		}
	}
	for path := range after {
		if _, ok := want[path]; !ok && !strings.HasSuffix(path, "/") {
			t.Errorf("%s came from nowhere", path)
		}
	}
}

func steps(value map[string]any) []map[string]any {
	var all []map[string]any
	list, _ := value["steps"].([]any)
	for _, s := range list {
		all = append(all, s.(map[string]any))
	}
	return all
}

// moved is where a path is after the moves of a run, one after another.
func moved(value map[string]any) func(string) string {
	all := steps(value)
	return func(path string) string {
		for _, s := range all {
			if s["do"] != "move" {
				continue
			}
			from, target := s["path"].(string), s["target"].(string)
			if path == from {
				path = target
			} else if rest, ok := strings.CutPrefix(path, from+"/"); ok {
				path = target + "/" + rest
			}
		}
		return path
	}
}

// contents is how often each content occurs in a tree.
func contents(tree map[string]string) map[string]int {
	count := map[string]int{}
	for path, text := range tree {
		if !strings.HasSuffix(path, "/") {
			count[text]++
		}
	}
	return count
}

func goTool(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOSUMDB=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %v: %v\n%s", args, err, out)
	}
}

// changed is a run that must have planned, dry, the very steps that it then took.
func changed(t *testing.T, dir, name string, args ...string) (value map[string]any, before, after map[string]string) {
	t.Helper()
	before = tree(t, dir)
	dry := run(t, dir, name, append([]string{"--dry"}, args...)...).must(t)
	differ(t, "a dry run changed it", tree(t, dir), before)
	r := run(t, dir, name, args...)
	value = r.must(t)
	if a, b := len(steps(dry)), len(steps(value)); a != b || a == 0 {
		t.Errorf("%d steps were planned, %d taken", a, b)
	}
	t.Logf("%s\n%s", strings.Join(args, " "), r.said)
	return value, before, tree(t, dir)
}

func TestRealGoModule(t *testing.T) {
	t.Parallel()
	dir := moduleTree(t, "github.com/pelletier/go-toml/v2")
	for _, step := range [][]string{
		{"rename-package", "internal/tracker", "follow"},
		{"rename-package", "github.com/pelletier/go-toml/v2/unstable", "lowlevel"},
		{"move", "internal/cli", "cmd/internal/shared/cli"},
		{"rename", "--to", "kebab"},
		{"move", "cmd", "programs"},
	} {
		if testing.Short() && step[0] == "rename" {
			continue
		}
		value, before, after := changed(t, dir, step[0], step[1:]...)
		kept(t, before, after, moved(value), value)
	}
	goTool(t, dir, "vet", "./...")
	goTool(t, dir, "build", "./...")
}

// TestRealFlat has a flat folder split, and flattened again.
func TestRealFlat(t *testing.T) {
	t.Parallel()
	dir := moduleTree(t, "github.com/evanw/esbuild", "scripts", "lib", "compat-table")
	whole := contents(tree(t, dir))
	value, before, after := changed(t, dir, "split", "--by", "prefix", "--least", "2", "scripts")
	kept(t, before, after, moved(value), value)
	value, before, after = changed(t, dir, "split", "--by", "extension", "--into", "lib/by", "lib/npm")
	kept(t, before, after, moved(value), value)
	value, before, after = changed(t, dir, "flatten", "--on-collision", "path", "--prune", "--into", "all", "lib")
	kept(t, before, after, moved(value), value)
	if !maps.Equal(contents(after), whole) {
		t.Error("contents were lost")
	}
	value, before, after = changed(t, dir, "tidy", "--rule", "*test*=tests", "all")
	kept(t, before, after, moved(value), value)
	if !maps.Equal(contents(after), whole) {
		t.Error("contents were lost")
	}
}

func TestRealDuplicates(t *testing.T) {
	t.Parallel()
	dir := moduleTree(t, "golang.org/x/tools", "go/analysis/passes", "internal/gcimporter")
	copied := filepath.Join(dir, "copies")
	if out, err := exec.Command("cp", "-R", filepath.Join(dir, "go/analysis/passes/printf"), copied).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, before, after := changed(t, dir, "duplicates")
	for path, text := range before {
		if _, ok := after[path]; !ok && len(text) == 0 {
			t.Errorf("the empty file %s is gone", path)
		}
	}
	was, is := contents(before), contents(after)
	if !slices.Equal(slices.Sorted(maps.Keys(was)), slices.Sorted(maps.Keys(is))) {
		t.Error("a content is lost")
	}
	for text, n := range is {
		if n > 1 && text != "" {
			t.Errorf("%d files are left with %.40q", n, text)
		}
	}
	// What is left over holds empty directories.
	_, before, after = changed(t, dir, "prune")
	if !maps.Equal(contents(before), contents(after)) {
		t.Error("a file is lost")
	}
	for path := range after {
		if strings.HasSuffix(path, "/") {
			t.Errorf("%s is empty, and there", path)
		}
	}
	if r := run(t, dir, "prune"); len(r.Operations) > 0 || !bytes.Contains(r.Value, []byte(`"empty":0`)) {
		t.Errorf("a second run does more: %s", r.said)
	}
}

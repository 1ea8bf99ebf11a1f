package scripts_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"codemode/bindings"
	"codemode/ops"
	"codemode/runtime"
	"codemode/scripts"
)

// TestHeaders holds that each script says in its header what it does and asks
// for, and the same when it is asked for help.
func TestHeaders(t *testing.T) {
	t.Parallel()
	if n := len(scripts.All()); n != 9 {
		t.Errorf("there are %d scripts", n)
	}
	for _, s := range scripts.All() {
		header, _, _ := strings.Cut(s.Source, "\n\nimport")
		help := run(t, t.TempDir(), s.Name, "--help")
		if help.Error != nil || len(help.Operations) > 0 {
			t.Errorf("%s: %+v", s.Name, help.Error)
		}
		said := regexp.MustCompile(`--[a-z-]+[a-z]`).FindAllString(help.said, -1)
		for _, option := range said {
			if option != "--help" && !strings.Contains(header, option+" ") {
				t.Errorf("the header of %s does not mention %s", s.Name, option)
			}
		}
		if len(said) < 3 || !strings.Contains(help.said, s.Summary+".") || !strings.Contains(header, "codemode run @"+s.Name+" -- ") {
			t.Errorf("%s explains itself badly:\n%s\n%s", s.Name, header, help.said)
		}
		for _, args := range [][]string{{"--nonsense"}, {"a", "b", "c", "d", "--to"}} {
			if r := run(t, t.TempDir(), s.Name, args...); r.Error == nil || !strings.Contains(r.Error.Message, "usage: codemode run @"+s.Name) || len(r.Operations) > 0 {
				if s.Name != "duplicates" && s.Name != "rename" || args[0] == "--nonsense" { // which take any number of folders
					t.Errorf("%s %v: %+v", s.Name, args, r.Error)
				}
			}
		}
	}
}

// TestImportsStayInside holds that a built-in script imports nothing but what
// comes with it: not the project's files, and nothing by a path that leads out.
func TestImportsStayInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "evil.js"), []byte("export default 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := ops.Open(ops.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, specifier := range []string{"./evil.js", "../evil.js", "../../etc/passwd", filepath.Join(dir, "evil.js"), "./lib", "./testdata/x"} {
		r := bindings.Run(t.Context(), s, bindings.Options{
			Script: runtime.Script{Name: "x.js", Source: "import * as x from '" + specifier + "'; return Object.keys(x)"}, Path: "x.js", Modules: scripts.Files,
		})
		if r.Error == nil {
			t.Errorf("%s was imported: %s", specifier, r.Value)
		}
	}
	all, err := fs.Glob(scripts.Files, "lib/*")
	if err != nil || len(all) < 10 {
		t.Errorf("%v, %v", all, err)
	}
}

// TestStopsAtTheFirstFailure holds that what comes after a refusal is not tried,
// and that both halves are told.
func TestStopsAtTheFirstFailure(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{"a/FileOne.js", "a/SubDir/x.js", "TopDir/FileTwo.js"} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755)
		os.WriteFile(filepath.Join(dir, path), []byte("1"), 0o644)
	}
	commit(t, dir)
	r := runAsking(t, dir, false, "rename")
	if r.Error == nil || len(r.Operations) != 3 || r.Operations[2].OK {
		t.Fatalf("%+v %v", r.Error, r.Operations)
	}
	for _, want := range []string{"stopped at step 3 of 4", "done:     move TopDir/FileTwo.js -> TopDir/file-two.js; move a/FileOne.js -> a/file-one.js", "not done: move a/SubDir -> a/sub-dir; move TopDir -> top-dir"} {
		if !strings.Contains(r.said, want) {
			t.Errorf("it does not say %q:\n%s", want, r.said)
		}
	}
}

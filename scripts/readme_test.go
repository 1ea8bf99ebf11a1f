package scripts_test

import (
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

// What the guide shows works.
func TestReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	snippets := regexp.MustCompile("(?ms)^```js\n(.*?)^```$").FindAllStringSubmatch(string(readme), -1)
	if len(snippets) < 4 {
		t.Fatalf("found %d snippets", len(snippets))
	}
	for _, m := range snippets {
		dir := t.TempDir()
		for path, text := range map[string]string{"a.txt": "a", "b.txt": "b", "x.bak": "", "inbox/A": "1", "inbox/b": "2", "src/main.js": "import './old'\r\n"} {
			os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755)
			os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644)
		}
		s, err := ops.Open(ops.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if r := bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Name: "readme.js", Source: m[1]}}); r.Error != nil {
			t.Errorf("%s\n%s", r.Error.Message, m[1])
		}
		s.Close()
		if after := tree(t, dir); after["src/main.js"] != "import './old'\r\n" && after["src/main.js"] != "import './new'\r\n" || after["b.txt"] != "b" {
			t.Errorf("it did something else than it says: %v\n%s", after, m[1])
		}
	}
}

// TestReadmeTable runs each example of the table, which has a line for each script.
func TestReadmeTable(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("(?m)^\\| \\[@([\\w-]+)\\]\\(([\\w-]+)\\.js\\) .*\\| `codemode run @([\\w-]+) -- (.*)` \\|$").FindAllStringSubmatch(string(readme), -1)
	if len(lines) != len(scripts.All()) {
		t.Fatalf("the table has %d scripts, there are %d", len(lines), len(scripts.All()))
	}
	for _, m := range lines {
		if m[1] != m[2] || m[1] != m[3] {
			t.Errorf("the line of %s names others: %s", m[1], m[0])
		}
		dir := t.TempDir()
		for path, text := range map[string]string{"go.mod": "module m\n", "user/user.go": "package user\n", "src/lib/a.test.js": "require('./b')\n", "src/lib/b.js": "1\n", "photos/a/x.jpg": "1", "photos/y.jpg": "1", "invoice1.pdf": "1"} {
			os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755)
			os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644)
		}
		before := tree(t, dir)
		run(t, dir, m[1], strings.Fields(strings.ReplaceAll(m[4], "'", ""))...).must(t)
		differ(t, m[1], tree(t, dir), before)
	}
}

package bindings_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

var snippet = regexp.MustCompile("(?ms)^```(go|js|js hook)\n(.*?)^```$")

// What the README shows works.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, m := range snippet.FindAllStringSubmatch(string(readme), -1) {
		language, code := m[1], m[2]
		found[language]++
		switch language {
		case "go":
			indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(code, "\t$1")
			if !strings.Contains(string(example), indented) {
				t.Errorf("example_test.go does not run\n%s", code)
			}
		case "js":
			s, dir := newSession(t)
			write(t, dir, "src/a.js", "src/old.bak", "lib/a.js")
			if r := run(t, s, code); !r.OK {
				t.Errorf("%s\n%s", r.Error.Message, code)
			}
			if exists(dir, "src/old.bak") || !exists(dir, "lib/a.js") {
				t.Errorf("another effect than it says:\n%s", code)
			}
		case "js hook":
			h := bindings.ScriptHook("readme", "hook.js", code, time.Minute, nil)
			for path, deny := range map[string]bool{"/w/fixtures/a": true, "/w/src": false} {
				d, err := h.BeforeDelete(context.Background(), policy.Event{Path: plain.Text(path), Recursive: true})
				if err != nil || d.Deny != deny {
					t.Errorf("%s: %+v, %v", path, d, err)
				}
			}
		}
	}
	if found["go"] != 1 || found["js"] != 3 || found["js hook"] != 1 {
		t.Errorf("read %v", found)
	}
}

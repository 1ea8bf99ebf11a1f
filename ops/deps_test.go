package ops_test

import (
	"os/exec"
	"path"
	"strings"
	"testing"
)

// TestWhoMayImportWhom keeps the house in order: what lies below knows nothing
// of what lies above, and each foreign thing has one door.
func TestWhoMayImportWhom(t *testing.T) {
	t.Parallel()
	forbidden := []struct {
		packages string // path.Match
		imports  string // prefix
		except   string // path.Match
	}{
		{"codemode/ops*", "github.com/dop251", ""},
		{"codemode/ops*", "codemode/runtime", ""},
		{"codemode/ops*", "codemode/bindings", ""},
		{"codemode/ops*", "codemode/cmd", ""},
		{"codemode/ops/*", "github.com/dop251", ""},
		{"codemode/ops/*", "codemode/runtime", ""},
		{"codemode/ops/*", "codemode/bindings", ""},
		{"codemode/ops/policy", "os", ""},
		{"codemode/ops/policy", "time", ""},
		{"codemode/ops/journal", "codemode/", ""},
		{"codemode/ops/fsys", "codemode/", ""},
		{"codemode/ops/plain", "codemode/", ""},
		{"codemode/ops/gitstate", "codemode/ops/policy", ""},
		{"codemode/ops/gitstate", "codemode/ops/journal", ""},
		{"codemode/runtime*", "codemode/ops", ""}, // but plain, see below
		{"codemode/runtime*", "codemode/bindings", ""},
		{"codemode/runtime*", "codemode/cmd", ""},
		{"codemode/bindings*", "os", ""},
		{"codemode/bindings*", "github.com/dop251", ""},
		{"codemode/bindings*", "codemode/cmd", ""},
		{"codemode/*/*", "github.com/reeflective", ""}, // but cmd/codemode/repl
		{"codemode/bindings/*", "os", ""},
		{"codemode/bindings/*", "github.com/dop251", ""},
		{"codemode/bindings/*", "codemode/cmd", ""},
		{"codemode/*", "github.com/modelcontextprotocol", ""},
		{"codemode/*/*", "github.com/modelcontextprotocol", "codemode/bindings/mcp"},
		{"codemode/*", "github.com/go-git", ""},
		{"codemode/*/*", "github.com/go-git", "codemode/ops/gitstate"},
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}:{{range .Imports}} {{.}}{{end}}`, "codemode/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		pkg, list, _ := strings.Cut(strings.TrimSpace(line), ":")
		packages++
		for _, imported := range strings.Fields(list) {
			for _, rule := range forbidden {
				hit, _ := path.Match(rule.packages, pkg)
				excepted, _ := path.Match(rule.except, pkg)
				if hit && !excepted && (imported == rule.imports || strings.HasPrefix(imported, strings.TrimSuffix(rule.imports, "/")+"/")) && imported != "codemode/ops/plain" {
					t.Errorf("%s imports %s", pkg, imported)
				}
			}
		}
	}
	if packages < 8 {
		t.Errorf("only %d packages were looked at", packages)
	}
}

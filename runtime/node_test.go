package runtime_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// nodeVersion is the major version of the Node.js at hand; without one of 18 or
// later the test is skipped. The values in testdata hold without it.
func nodeVersion(t *testing.T) int {
	t.Helper()
	out, err := exec.Command("node", "--version").Output()
	if err != nil {
		t.Skip("needs Node.js 18 or later to check the recorded values against: ", err)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
	n, err := strconv.Atoi(major)
	if err != nil || n < 18 {
		t.Skipf("needs Node.js 18 or later to check the recorded values against, not %s", out)
	}
	return n
}

func node(t *testing.T, args ...string) []byte {
	t.Helper()
	command := exec.Command("node", args...)
	command.Env = append(os.Environ(), "TZ=UTC")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("node %v: %v", args, err)
	}
	return out
}

// recordedBy is the version of Node whose locale data the values follow.
const recordedBy = 20

// TestSnippetsAreNodes holds that the snippets' values are those of Node. What
// dates and numbers look like differs a little between versions.
func TestSnippetsAreNodes(t *testing.T) {
	version := nodeVersion(t)
	var result struct {
		Same, Skipped int
		Different     []struct{ ID, Node, Expected string }
	}
	out := node(t, "testdata/check_snippets.js", "testdata/language.json", "testdata/neighbours.json", "testdata/examined.json", "testdata/parseargs.json")
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, d := range result.Different {
		if version != recordedBy {
			t.Logf("%s: Node %d has %s, the file %s", d.ID, version, d.Node, d.Expected)
			continue
		}
		t.Errorf("%s: Node has %s, the file %s", d.ID, d.Node, d.Expected)
	}
	if result.Same < 150 {
		t.Errorf("Node agrees with %d snippets only, and could not run %d", result.Same, result.Skipped)
	}
}

// TestRegExpRecordIsNodes holds that regexp.json is what Node prints. Another
// version of Node knows other characters and patterns.
func TestRegExpRecordIsNodes(t *testing.T) {
	version := nodeVersion(t)
	recorded, err := os.ReadFile("testdata/regexp.json")
	if err != nil {
		t.Fatal(err)
	}
	var by struct{ Node string }
	if err := json.Unmarshal(recorded, &by); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(by.Node, "v"+strconv.Itoa(version)+".") {
		t.Skipf("recorded by Node.js %s, here is %d", by.Node, version)
	}
	strip := func(data []byte) []byte { _, rest, _ := bytes.Cut(data, []byte(`"inputs"`)); return rest }
	if !bytes.Equal(strip(node(t, "testdata/record_regexp.js")), strip(recorded)) {
		t.Error("Node prints other results than those recorded")
	}
}

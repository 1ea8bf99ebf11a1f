package bindings_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
	"codemode/runtime/worker"
)

// nodeCase is a line of testdata/nodefs.txt with one face.
type nodeCase struct {
	line     int
	text     string
	ours     string // the code that we refuse it with
	face     string
	body     string
	isolated bool
}

var (
	nodeLine = regexp.MustCompile(`^(?:([A-Z][A-Z_]+) )?(\w+):\s*(.*)$`)
	faces    = []string{"sync", "promise", "callback"}
)

// allFacesEnv has each line run with all three faces.
const allFacesEnv = "CODEMODE_TEST_ALL_FACES"

func nodeCases(t *testing.T) []nodeCase {
	t.Helper()
	data, err := os.ReadFile("testdata/nodefs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []nodeCase
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := nodeLine.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("nodefs.txt:%d: %s", i+1, line)
		}
		c := nodeCase{line: i + 1, text: line, ours: m[1]}
		c.body = m[3]
		if m[2] != "do" {
			c.body = fmt.Sprintf("return F(%q, %s)", m[2], m[3])
		}
		for n, face := range faces {
			switch {
			case strings.Contains(c.body, "face"), os.Getenv(allFacesEnv) != "":
			case !strings.Contains(c.body, "F("):
				if n > 0 {
					continue // it chooses its faces itself
				}
			case i%3 != n: // which face a line has goes around
				continue
			}
			c.face = face
			c.isolated = len(all)%13 == 0
			all = append(all, c)
		}
	}
	return all
}

// code is the case as both sides run it.
func (c nodeCase) code(prelude string) string {
	return fmt.Sprintf("const face = %q;\n", c.face) + strings.Replace(prelude, "BODY", c.body, 1)
}

// needNode skips where there is no node, or one whose words may be others.
func needNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to compare with")
	}
	out, err := exec.Command(node, "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "v20.") {
		t.Skipf("node is %s, the cases are about the words of v20", strings.TrimSpace(string(out)))
	}
	return node
}

// TestNodeFS holds node:fs of scripts against that of the real Node: results,
// errors and the trees that are left, for three faces of each function.
func TestNodeFS(t *testing.T) {
	t.Parallel()
	node := needNode(t)
	data, err := os.ReadFile("testdata/nodefs.js")
	if err != nil {
		t.Fatal(err)
	}
	prelude := string(data)
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cases := nodeCases(t)
	var jobs []string
	for _, c := range cases {
		if c.ours == "" {
			jobs = append(jobs, c.code(prelude))
		}
	}
	template := filepath.Join(base, "template")
	makeNodeTree(t, template)
	untouched := treeListing(t, template)

	var theirs []struct {
		Outcome any
		Tree    string
	}
	var running sync.WaitGroup
	running.Go(func() {
		tree := nodeTree()
		for i := range tree {
			tree[i].Name, tree[i].Text = latin1(tree[i].Name), latin1(tree[i].Text)
		}
		node := exec.Command(node, "--no-warnings", "testdata/nodefs-driver.cjs")
		in, _ := json.Marshal(map[string]any{"dir": filepath.Join(base, "node"), "tree": tree, "template": template, "cases": jobs})
		var problem bytes.Buffer
		node.Stdin, node.Stderr = bytes.NewReader(in), &problem
		out, err := node.Output()
		if err != nil {
			t.Errorf("node: %v\n%s", err, problem.String())
		} else if err := json.Unmarshal(out, &theirs); err != nil {
			t.Error(err)
		}
	})
	pool := worker.New(worker.Config{Spares: 1})
	defer pool.Close()
	results, trees := make([]any, len(cases)), make([]string, len(cases))
	dir := filepath.Join(base, "ours")
	makeNodeTree(t, dir)
	for i, c := range cases {
		var engine runtime.Engine
		if c.isolated {
			engine = pool
		}
		results[i] = c.run(t, dir, prelude, engine)
		if trees[i] = treeListing(t, dir); trees[i] != untouched {
			repairNodeTree(t, dir, untouched, trees[i])
		}
	}
	running.Wait()
	if len(theirs) != len(jobs) {
		t.Fatalf("%d outcomes of %d cases", len(theirs), len(jobs))
	}
	compared, refused, isolated := 0, 0, 0
	for i, c := range cases {
		got, wantTree := results[i], untouched
		if c.isolated {
			isolated++
		}
		if c.ours != "" {
			refused++
			if code := codeOf(got); code != c.ours {
				t.Errorf("nodefs.txt:%d, %s: %s\n got %s\nwant the code %s", c.line, c.face, c.text, jsonOf(got), c.ours)
			}
		} else {
			compared++
			want := theirs[0].Outcome
			wantTree, theirs = theirs[0].Tree, theirs[1:]
			if !reflect.DeepEqual(got, want) {
				t.Errorf("nodefs.txt:%d, %s: %s\n got %s\nwant %s", c.line, c.face, c.text, jsonOf(got), jsonOf(want))
			}
		}
		if tree, wanted := comparable(trees[i]), comparable(wantTree); tree != wanted {
			t.Errorf("nodefs.txt:%d, %s: %s\nthe trees differ (ours -, Node's +)\n%s", c.line, c.face, c.text, lineDifference(tree, wanted))
		}
	}
	t.Logf("%d cases were compared with %s, %d are refused; %d ran isolated", compared, node, refused, isolated)
}

// Directories of mkdtemp have random names, and in Node a mode that we do not
// give.
var temporary = regexp.MustCompile(`(?m)^((?:.*/)?pre-)\w{6} 4 7[05][05]$`)

func comparable(tree string) string { return temporary.ReplaceAllString(tree, "${1}XXXXXX") }

// run runs a case in codemode, in a session of its own.
func (c nodeCase) run(t *testing.T, dir, prelude string, engine runtime.Engine) any {
	t.Helper()
	s, err := ops.Open(ops.Config{Dir: dir, Approve: func(context.Context, policy.Question) (bool, error) { return true, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Source: fmt.Sprintf("const dir = %q;\n", dir) + c.code(prelude)}, Engine: engine})
	if !r.OK {
		t.Errorf("nodefs.txt:%d, %s: %s: the script failed: %+v", c.line, c.face, c.text, r.Error)
	}
	var v any
	if err := json.Unmarshal(r.Value, &v); err != nil {
		t.Errorf("nodefs.txt:%d: %s: %v", c.line, r.Value, err)
	}
	return v
}

func codeOf(outcome any) any {
	o, _ := outcome.(map[string]any)
	e, _ := o["error"].(map[string]any)
	return e["code"]
}

func jsonOf(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

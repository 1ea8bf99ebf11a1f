package bindings_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/runtime"
)

// TestAgainstModel does random things to random trees and compares the disk
// with a model of the contract after each script.
func TestAgainstModel(t *testing.T) {
	scripts := 150
	if testing.Short() {
		scripts = 30
	}
	for lane := range 2 {
		t.Run(fmt.Sprint(lane), func(t *testing.T) {
			t.Parallel()
			w := opstest.NewWorld(t)
			w.Setup(t, "mkdir proj", false)
			seed := uint64(time.Now().UnixNano())
			if again, err := strconv.ParseUint(os.Getenv("CODEMODE_TEST_SEED"), 10, 64); err == nil {
				seed = again // of a failure that is to be seen again
			}
			t.Logf("seed %d", seed)
			r := &random{Rand: rand.New(rand.NewPCG(seed, 1)), w: w}
			r.model = model{base: filepath.Join(w.W, "proj"), root: newDir()}
			applied, all := 0, 0
			for range scripts {
				r.sprinkle(t)
				n, m := r.script(t)
				applied, all = applied+n, all+m
				if t.Failed() {
					return
				}
			}
			t.Logf("%d of %d operations were applied", applied, all)
			if applied == 0 || applied == all {
				t.Errorf("only one side of the contract was tried: %d of %d were applied", applied, all)
			}
		})
	}
}

// random makes up trees and operations.
type random struct {
	*rand.Rand
	w     opstest.World
	model model
	made  int
}

// path makes up one, in one of its spellings; of each name, usual of four are
// of something that exists.
func (r *random) path(usual int) string {
	var names []string
	at := r.model.root
	for depth := 1 + r.IntN(4); depth > 0; depth-- {
		if len(names) > 0 && at != nil && len(at.kids) == 0 && r.IntN(4) < usual {
			break // a leaf
		}
		name := string(rune('a' + r.IntN(7)))
		if at != nil && len(at.kids) > 0 && r.IntN(4) < usual {
			there := slices.Sorted(maps.Keys(at.kids))
			name = there[r.IntN(len(there))]
		}
		if at != nil {
			at = at.kids[name]
		}
		names = append(names, name)
	}
	path := strings.Join(names, []string{"/", "/", "//", "/./"}[r.IntN(4)])
	if r.IntN(5) == 0 {
		path = r.model.base + "/" + path
	}
	if r.IntN(12) == 0 {
		path += "/"
	}
	return path
}

// sprinkle makes new objects where there are none, behind codemode's back.
func (r *random) sprinkle(t *testing.T) {
	t.Helper()
	for range 12 {
		p, ok := r.model.find(strings.TrimSuffix(r.path(2), "/"))
		if !ok || len(p.missing) > 0 || p.object() != nil {
			continue
		}
		path := filepath.Join(append(append([]string{r.model.base}, p.path...), p.name)...)
		r.made++
		n := &node{kind: "dddfffl"[r.IntN(7)]}
		var err error
		switch n.kind {
		case 'd':
			n = newDir()
			err = os.Mkdir(path, 0o755)
		case 'f':
			n.text = strings.Repeat(fmt.Sprintf("%d,", r.made), r.IntN(5))
			err = os.WriteFile(path, []byte(n.text), 0o644)
		case 'l':
			n.text = strings.TrimSuffix(r.path(3), "/")
			err = os.Symlink(n.text, path)
		}
		if err != nil {
			t.Fatal(err)
		}
		p.parent.kids[p.name] = n
	}
}

// script runs some operations and returns how many were applied, and of how
// many. Only a script that says that it may overwrite can do more than one: else
// it would have to spare its own results, which the model does not know of.
func (r *random) script(t *testing.T) (applied, all int) {
	t.Helper()
	all = 1 + r.IntN(2)*r.IntN(5)
	var code, story strings.Builder
	var want []bool
	for range all {
		from, to := r.path(4), r.path(2)
		args := map[string]any{"path": from}
		op, ok := ops.Delete, false
		switch r.IntN(5) {
		case 0:
			ok = r.model.remove(from)
		case 1, 2:
			op = ops.Copy
		default:
			op = ops.Move
		}
		if op != ops.Delete {
			args["target"] = to
			keep := false
			switch {
			case all > 1 || r.IntN(3) == 0:
				args["overwrite"] = true
			case r.IntN(3) == 0:
				args["overwrite"], keep = false, true
			}
			ok = r.model.transfer(op == ops.Move, from, to, keep)
		}
		want = append(want, ok)
		data, _ := json.Marshal(args) // strings and booleans
		fmt.Fprintf(&code, "try { await tools.%s(%s) } catch (e) { if (!(e instanceof OperationError)) throw e }\n", op, data)
		fmt.Fprintf(&story, "%s %s, want applied %v\n", op, data, ok)
	}
	code.WriteString(`return (await tools.list({path: ".", recursive: true, limit: 100000})).entries`)
	s, err := ops.Open(r.w.Config(opstest.Host{}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	report := bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Name: "random.js", Source: code.String()}})
	if !report.OK || len(report.Operations) != all {
		t.Fatalf("%+v\n%s", report.Error, code.String())
	}
	for i, op := range report.Operations {
		if op.OK != want[i] || op.OK != (op.Effect == ops.Applied) || !op.OK && op.Effect != ops.NotApplied {
			t.Errorf("operation %d: %s, %v", i+1, op.Effect, op.Error)
		}
		if op.OK {
			applied++
		}
	}
	have, expect := strings.Join(onDisk(t, r.model.base).lines(""), "\n"), strings.Join(r.model.root.lines(""), "\n")
	if have != expect {
		t.Errorf("the disk holds\n%s\nthe model\n%s", have, expect)
	}
	if listed := asListed(t, r.model.base, report.Value); listed != withoutContents(r.model.root) {
		t.Errorf("tools.list says\n%s\nthe model\n%s", listed, withoutContents(r.model.root))
	}
	if t.Failed() {
		t.Log(story.String())
	}
	return applied, all
}

// onDisk reads a tree, without its .git.
func onDisk(t *testing.T, dir string) *node {
	t.Helper()
	n := newDir()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		kid := &node{kind: 'f'}
		switch {
		case e.Name() == ".git":
			continue
		case e.IsDir():
			kid = onDisk(t, path)
		case e.Type() == fs.ModeSymlink:
			kid.kind = 'l'
			kid.text, err = os.Readlink(path)
		default:
			var data []byte
			data, err = os.ReadFile(path)
			kid.text = string(data)
		}
		if err != nil {
			t.Fatal(err)
		}
		n.kids[e.Name()] = kid
	}
	return n
}

// asListed turns the result of tools.list into the lines of a tree.
func asListed(t *testing.T, base string, value json.RawMessage) string {
	t.Helper()
	var entries []struct{ Path, Kind, Link string }
	if err := json.Unmarshal(value, &entries); err != nil {
		t.Fatal(err)
	}
	tree := newDir()
	for _, e := range entries {
		rel := strings.TrimPrefix(e.Path, base+"/")
		if rel == ".git" || strings.HasPrefix(rel, ".git/") {
			continue
		}
		kid := &node{kind: 'f', text: e.Link}
		switch e.Kind {
		case "directory":
			kid = newDir()
		case "symlink":
			kid.kind = 'l'
		}
		at := tree
		dir, name := filepath.Split(rel)
		for part := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
			if part != "" && at != nil {
				at = at.kids[part]
			}
		}
		if at == nil {
			t.Fatalf("%s is listed before its parent", e.Path)
		}
		at.kids[name] = kid
	}
	return strings.Join(tree.lines(""), "\n")
}

func withoutContents(n *node) string {
	bare := n.clone()
	var strip func(n *node)
	strip = func(n *node) {
		for _, kid := range n.kids {
			if kid.kind == 'f' {
				kid.text = ""
			}
			strip(kid)
		}
	}
	strip(bare)
	return strings.Join(bare.lines(""), "\n")
}

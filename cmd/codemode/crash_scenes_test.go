//go:build linux && amd64

package main_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode/ops"
	"codemode/ops/opstest"
)

// scene is one operation on a small tree. What must be there afterwards is
// worked out here, from the contract and not from the engine.
type scene struct {
	name   string
	op     ops.Operation
	path   string            // relative to proj, or with $X
	target string            // the same
	trees  map[string]string // what is there: a text, "/" for a directory, "->" and the text of a link
	result string            // Write, Edit: the new text
	script string            // what is run instead of a command
	many   int               // so many files more in the source and half of them in the target, so that several workers are busy
	whole  bool              // at every moment the target is all old, all new or absent
}

// source is a tree with everything that the operations handle.
func source(top string, more ...string) map[string]string {
	tree := map[string]string{
		top + "/f": "new text of f\n", top + "/d/g": strings.Repeat("long new text of g\n", 5000),
		top + "/d/l": "->../f", top + "/e": "/", top + "/none": "",
	}
	for i := 0; i+1 < len(more); i += 2 {
		tree[more[i]] = more[i+1]
	}
	return tree
}

var scenes = []scene{
	{name: "delete a file", op: ops.Delete, path: "s", trees: map[string]string{"s": "text"}},
	{name: "delete a link", op: ops.Delete, path: "s", trees: map[string]string{"s": "->o", "o": "kept"}},
	{name: "delete a tree", op: ops.Delete, path: "s", trees: source("s")},

	{name: "copy a file", op: ops.Copy, path: "s", target: "p/q/t", trees: map[string]string{"s": "text"}, whole: true},
	{name: "copy over a file", op: ops.Copy, path: "s", target: "t", trees: map[string]string{"s": "new", "t": "old"}, whole: true},
	{name: "copy a link", op: ops.Copy, path: "s", target: "t", trees: map[string]string{"s": "->o"}, whole: true},
	{name: "copy a tree", op: ops.Copy, path: "s", target: "p/q/t", trees: source("s"), whole: true},
	{name: "copy a tree across", op: ops.Copy, path: "s", target: "$X/p/t", trees: source("s"), whole: true},
	{name: "merge", op: ops.Copy, path: "s", target: "t", trees: source("s", "t/f", "old f", "t/own", "own", "t/d/own", "own")},
	{name: "merge across", op: ops.Copy, path: "s", target: "$X/t", trees: source("s", "$X/t/f", "old f", "$X/t/own", "own", "$X/t/d/g", "old g")},
	{name: "merge with several workers", op: ops.Copy, path: "s", target: "t", many: 700, trees: source("s", "t/own", "own")},

	{name: "move a file", op: ops.Move, path: "s", target: "p/q/t", trees: map[string]string{"s": "text"}, whole: true},
	{name: "move over a file", op: ops.Move, path: "s", target: "t", trees: map[string]string{"s": "new", "t": "old"}, whole: true},
	{name: "move a link", op: ops.Move, path: "s", target: "t", trees: map[string]string{"s": "->o"}, whole: true},
	{name: "move a tree", op: ops.Move, path: "s", target: "p/q/t", trees: source("s"), whole: true},
	{name: "move over a tree", op: ops.Move, path: "s", target: "p/t", trees: source("s", "p/t/f", "old f", "p/t/d/own", "own"), whole: true},

	{name: "move a file across", op: ops.Move, path: "s", target: "$X/p/q/t", trees: map[string]string{"s": "text"}, whole: true},
	{name: "move over a file across", op: ops.Move, path: "s", target: "$X/t", trees: map[string]string{"s": "new", "$X/t": "old"}, whole: true},
	{name: "move a link across", op: ops.Move, path: "s", target: "$X/t", trees: map[string]string{"s": "->o"}, whole: true},
	{name: "move a tree across", op: ops.Move, path: "s", target: "$X/p/t", trees: source("s"), whole: true},
	{name: "move over a tree across", op: ops.Move, path: "s", target: "$X/t", trees: source("s", "$X/t/f", "old f", "$X/t/d/own", "own"), whole: true},

	{name: "write a file", op: ops.Write, path: "p/q/t", trees: map[string]string{}, result: "new", whole: true,
		script: `await tools.write({path: "p/q/t", text: "new", create_dirs: true})`},
	{name: "write over a file", op: ops.Write, path: "t", trees: map[string]string{"t": "old"}, result: "new", whole: true,
		script: `await tools.read({path: "t"}); await tools.write({path: "t", text: "new", overwrite: true})`},
	{name: "append to a file", op: ops.Write, path: "t", trees: map[string]string{"t": "old"}, result: "old, and more", whole: true,
		script: `await tools.write({path: "t", text: ", and more", append: true})`},
	{name: "edit a file", op: ops.Edit, path: "t", trees: map[string]string{"t": "old\n"}, result: "new\n", whole: true,
		script: `await tools.read({path: "t"}); await tools.edit({path: "t", edits: [{find: "old", replace: "new"}]})`},
	{name: "make a directory", op: ops.Mkdir, path: "p/q/t", trees: map[string]string{}, result: "/", whole: true,
		script: `await tools.mkdir({path: "p/q/t", create_dirs: true})`},
}

// stage is a world in which a scene is played again and again.
type stage struct {
	scene
	w             opstest.World
	cmd           command
	before, after snapshot
}

func newStage(t *testing.T, bin string, s scene) *stage {
	t.Helper()
	w := opstest.NewWorld(t, opstest.TwoFS)
	w.Setup(t, "mkdir -p proj", false)
	st := &stage{scene: s, w: w, cmd: command{bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env()}}
	for i := range s.many {
		name := fmt.Sprintf("/m%d/f%d", i%3, i)
		s.trees["s"+name] = "new " + name
		if i%2 == 0 {
			s.trees["t"+name] = "old " + name
		}
	}
	st.reset(t)
	st.before = st.look(t)
	st.after = st.expected()
	return st
}

// place is the absolute path of something in the scene; "" stays.
func (st *stage) place(path string) string {
	if rest, ok := strings.CutPrefix(path, "$X"); ok {
		return st.w.X + rest
	}
	if path == "" {
		return ""
	}
	return filepath.Join(st.cmd.dir, path)
}

// made is where what the operation makes is.
func (st *stage) made() string {
	if st.target != "" {
		return st.place(st.target)
	}
	return st.place(st.path)
}

// args are those of the command.
func (st *stage) args(flags ...string) []string {
	if st.script != "" {
		return append(append([]string{"run", "--json", "--isolation", "none", "--approve", "allow"}, flags...), "-e", st.script)
	}
	args := append([]string{string(st.op), "--json", "--approve", "allow"}, flags...)
	args = append(args, st.place(st.path))
	if st.target != "" {
		args = append(args, st.place(st.target))
	}
	return args
}

// state is where the journals are.
func (st *stage) state() string { return filepath.Join(st.w.W, "home/.local/state/codemode") }

// reset makes everything as it was before, and forgets all journals.
func (st *stage) reset(t *testing.T) {
	t.Helper()
	for _, dir := range []string{st.cmd.dir, st.w.X, filepath.Join(st.w.W, "home")} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != ".git" {
				if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(st.trees)) {
		text, at := st.trees[path], st.place(path)
		link, isLink := strings.CutPrefix(text, "->")
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		switch {
		case err != nil:
		case text == "/":
			err = os.MkdirAll(at, 0o755)
		case isLink:
			err = os.Symlink(link, at)
		default:
			err = os.WriteFile(at, []byte(text), 0o640)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// snapshot spells what is on disk, by absolute path.
type snapshot map[string]string

const aDirectory = "directory"

// look takes a snapshot of the project, without Git's own data, and of X.
func (st *stage) look(t *testing.T) snapshot {
	t.Helper()
	seen := snapshot{}
	for _, top := range []string{st.cmd.dir, st.w.X} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path == top:
				return nil
			case d.Name() == ".git":
				return fs.SkipDir
			case d.IsDir():
				seen[path] = aDirectory
			case d.Type() == fs.ModeSymlink:
				text, err := os.Readlink(path)
				seen[path] = "link " + text
				return err
			default:
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err != nil {
					return err
				}
				seen[path] = fmt.Sprintf("file %v %s", info.Mode(), data)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return seen
}

// expected is what the contract says of the operation.
func (st *stage) expected() snapshot {
	after := maps.Clone(st.before)
	path, target := st.place(st.path), st.place(st.target)
	if st.op == ops.Delete || st.op == ops.Move {
		maps.DeleteFunc(after, func(p, _ string) bool { return inside(p, path) })
	}
	if st.op == ops.Move {
		maps.DeleteFunc(after, func(p, _ string) bool { return inside(p, target) })
	}
	switch st.op {
	case ops.Copy, ops.Move:
		for p, v := range st.before {
			if inside(p, path) {
				after[target+p[len(path):]] = v
			}
		}
	case ops.Write, ops.Edit:
		mode := "-rw-r--r--"
		if _, there := st.before[path]; there {
			mode = "-rw-r-----"
		}
		after[path] = "file " + mode + " " + st.result
	case ops.Mkdir:
		after[path] = aDirectory
	}
	if st.op != ops.Delete {
		for dir := filepath.Dir(st.made()); dir != st.cmd.dir && dir != st.w.X; dir = filepath.Dir(dir) {
			after[dir] = aDirectory
		}
	}
	return after
}

// inside reports whether path is top or beneath it.
func inside(path, top string) bool {
	return path == top || strings.HasPrefix(path, top+"/")
}

// beneath is the part of a snapshot at and beneath top.
func (s snapshot) beneath(top string) snapshot {
	part := maps.Clone(s)
	maps.DeleteFunc(part, func(p, _ string) bool { return !inside(p, top) })
	return part
}

// difference says how two snapshots differ, or "".
func (s snapshot) difference(want snapshot) string {
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(want)) {
		if have, ok := s[p]; !ok {
			fmt.Fprintf(&b, "\n  %s is missing", p)
		} else if have != want[p] {
			fmt.Fprintf(&b, "\n  %s is %.60q, not %.60q", p, have, want[p])
		}
	}
	for _, p := range slices.Sorted(maps.Keys(s)) {
		if _, ok := want[p]; !ok {
			fmt.Fprintf(&b, "\n  %s is there: %.60q", p, s[p])
		}
	}
	return b.String()
}

// hidden are the leftovers, the topmost ones.
func (s snapshot) hidden() []string {
	var list []string
	for _, p := range slices.Sorted(maps.Keys(s)) {
		if strings.HasPrefix(filepath.Base(p), ".codemode-") && !strings.Contains(filepath.Dir(p), "/.codemode-") {
			list = append(list, p)
		}
	}
	return list
}

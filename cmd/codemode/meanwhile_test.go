//go:build linux && amd64

package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode/ops"
)

// TestSourceChangesMeanwhile changes a file of the source at each system call of
// an operation on it, as a program does that is still writing. Whatever was
// written is at the source or at the target afterwards, and a copy is one of the
// states that the file had.
func TestSourceChangesMeanwhile(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	large := strings.Repeat("a large file that is copied inside the kernel\n", 3000)
	changes := map[string]func(path string) error{
		"grows": func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteString("MORE")
			return err
		},
		"shrinks":     func(path string) error { return os.Truncate(path, 3) },
		"vanishes":    os.Remove,
		"is replaced": func(path string) error { return replace(path, "MORE") },
	}
	for _, s := range []scene{
		{name: "move a file across", op: ops.Move, path: "s", target: "$X/t", trees: map[string]string{"s": "text"}},
		{name: "move a large file across", op: ops.Move, path: "s", target: "$X/t", trees: map[string]string{"s": large}},
		{name: "move a tree across", op: ops.Move, path: "s", target: "$X/t", trees: map[string]string{"s/d/f": "text", "s/g": "other"}},
		{name: "move a tree", op: ops.Move, path: "s", target: "t", trees: map[string]string{"s/d/f": "text", "s/g": "other"}},
		{name: "replace a tree", op: ops.Move, path: "s", target: "t", trees: map[string]string{"s/d/f": "text", "s/g": "other", "t/x": "old"}},
		{name: "copy a file", op: ops.Copy, path: "s", target: "t", trees: map[string]string{"s": "text"}},
		{name: "copy a large file", op: ops.Copy, path: "s", target: "t", trees: map[string]string{"s": large}},
		{name: "merge", op: ops.Copy, path: "s", target: "t", trees: map[string]string{"s/d/f": "text", "t/d/f": "old"}},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			st := newStage(t, bin, s)
			file := st.place("s")
			if s.trees["s"] == "" {
				file = filepath.Join(file, "d/f")
			}
			points := st.rehearse(t, func(*happening) bool { return true })
			tried := 0
			for what, change := range changes {
				for _, i := range st.decisive(t, points, 6) {
					tried++
					st.reset(t)
					old := string(read(file))
					now, changed := "", false
					n := 0
					out := st.cmd.traced(t, func(h *happening) verdict {
						if h.over || !st.ours(h) {
							return verdict{}
						}
						if n++; n == i+1 && change(file) == nil {
							changed, now = true, string(read(file))
						}
						return verdict{}
					}, st.args()...)
					st.survived(t, file, old, now, changed && now != "")
					if t.Failed() {
						t.Fatalf("%s at call %d of %d: %s; status %d, %s%s", what, i, len(points), points[i], out.status, out.stdout, out.stderr)
					}
				}
			}
			t.Logf("changed %d times, at %d points; 0 lost", tried, len(points))
		})
	}
}

// decisive are some of the points, and all at which a name changes.
func (st *stage) decisive(t *testing.T, points []string, some int) []int {
	t.Helper()
	list := st.sample(t, len(points), some)
	for i, at := range points {
		if strings.HasPrefix(at, "rename") || strings.HasPrefix(at, "unlink") {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// survived checks what has become of a file that was changed meanwhile.
func (st *stage) survived(t *testing.T, file, old, now string, must bool) {
	t.Helper()
	arrived := st.made() + strings.TrimPrefix(file, st.place("s"))
	atSource, atTarget := string(read(file)), string(read(arrived))
	if must && atSource != now && atTarget != now {
		t.Errorf("what was written is gone: the source has %.40q, the target %.40q", atSource, atTarget)
	}
	if before := st.trees["t/d/f"]; atTarget != "" && atTarget != old && atTarget != now && atTarget != before {
		t.Errorf("the target is none of the states of the file: %.60q", atTarget)
	}
	if st.op == ops.Copy && must && atSource != now {
		t.Errorf("a copy changed its source: %.40q", atSource)
	}
	if left := st.look(t).hidden(); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
}

// read is what a file holds; "" where there is none.
func read(path string) []byte {
	data, _ := os.ReadFile(path) // absent is as good as empty here
	return data
}

func replace(path, text string) error {
	if _, err := os.Lstat(path); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", []byte(text), 0o640); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

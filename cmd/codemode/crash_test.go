//go:build linux && amd64

package main_test

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/journal"
	"codemode/ops/plain"
)

// crashAll makes the tests of crashes and faults complete: every moment, every
// error. It takes many minutes:
//
//	go test ./cmd/codemode -run 'TestCrash|TestFault' -timeout 2h -crash.all
var crashAll = flag.Bool("crash.all", false, "kill and fail at every system call, with every error")

// TestCrash kills each operation at every system call that changes something,
// the journal included, right before it and, after the last, behind it. Whatever
// the moment, the journal explains the disk and nothing is half done where it
// can be seen.
func TestCrash(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			st := newStage(t, bin, s)
			points := st.rehearse(t, func(h *happening) bool { return h.changes })
			sample := st.sample(t, len(points)+1, 9)
			for _, i := range sample {
				st.reset(t)
				killed, at := st.kill(t, i, len(points))
				if !killed && st.many == 0 {
					t.Fatalf("it was not killed at %d of %d", i, len(points))
				}
				st.explain(t)
				st.treated(t)
				if t.Failed() {
					t.Fatalf("killed before the change %d of %d: %s", i, len(points), at)
				}
			}
			t.Logf("killed at %d of %d points; 0 lost", len(sample), len(points)+1)
		})
	}
}

// rehearse plays the scene undisturbed and returns the calls in it that count,
// after making sure that the result is right.
func (st *stage) rehearse(t *testing.T, counts func(*happening) bool) []string {
	t.Helper()
	var points []string
	st.reset(t)
	out := st.cmd.traced(t, func(h *happening) verdict {
		if !h.over && st.ours(h) && counts(h) {
			points = append(points, h.String())
		}
		return verdict{}
	}, st.args()...)
	if out.status != 0 {
		t.Fatalf("status %d: %s%s", out.status, out.stdout, out.stderr)
	}
	if diff := st.look(t).difference(st.after); diff != "" {
		t.Fatalf("undisturbed it does not do what it should:%s", diff)
	}
	return points
}

// ours reports whether a call concerns the scene or its journal.
func (st *stage) ours(h *happening) bool {
	near := func(path string) bool { return inside(path, st.w.W) || inside(path, st.w.X) }
	return near(h.path) || near(h.to)
}

// sample chooses some of so many points, others each time, the first and the
// last always: a part of them with -short, and all with -crash.all.
func (st *stage) sample(t *testing.T, points, some int) []int {
	t.Helper()
	if testing.Short() {
		some = max(some/4, 2)
	}
	all := make([]int, points)
	for i := range all {
		all[i] = i
	}
	if *crashAll && st.many == 0 || points <= some {
		return all
	}
	if *crashAll {
		some = 200
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	middle := all[1 : points-1]
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(middle), func(i, j int) { middle[i], middle[j] = middle[j], middle[i] })
	return append([]int{0, points - 1}, middle[:some-2]...)
}

// kill plays the scene and kills it before the change with this number, or
// after the last.
func (st *stage) kill(t *testing.T, number, changes int) (killed bool, at string) {
	t.Helper()
	n := 0
	out := st.cmd.traced(t, func(h *happening) verdict {
		switch {
		case !h.changes || !st.ours(h):
		case h.over:
			n++
			at = "after " + h.String()
			return verdict{kill: n == changes && n == number}
		case n == number:
			at = h.String()
			return verdict{kill: true}
		}
		return verdict{}
	}, st.args()...)
	return out.status == -1, at
}

// explain compares the disk with what the journal says.
func (st *stage) explain(t *testing.T) {
	t.Helper()
	disk := st.look(t)
	run, begun := st.journaled(t)
	if !begun {
		if diff := disk.difference(st.before); diff != "" {
			t.Errorf("nothing was recorded as started, but:%s", diff)
		}
		return
	}
	op := run.Operations[0]
	if string(op.Path) != st.place(st.path) || string(op.Target) != st.place(st.target) {
		t.Errorf("the journal knows of %s and %s", op.Path, op.Target)
	}
	switch {
	case op.Effect == ops.Applied:
		if diff := disk.difference(st.after); diff != "" {
			t.Errorf("recorded as applied, but:%s", diff)
		}
	case op.Effect == ops.Unknown && op.Evidence != nil:
		st.halfway(t, disk)
		st.named(t, disk, op.Evidence)
	default:
		t.Errorf("recorded: %+v", op)
	}
}

// journaled reads the journal of the only run, as codemode log does.
func (st *stage) journaled(t *testing.T) (run bindings.Rebuilt, begun bool) {
	t.Helper()
	ids, err := journal.IDs(st.state())
	if err != nil || len(ids) > 1 {
		t.Fatal(ids, err)
	}
	if len(ids) == 0 {
		return run, false
	}
	rec, err := journal.Read(st.state(), ids[0])
	if err != nil || rec.Running {
		t.Fatalf("running %v, %v", rec.Running, err)
	}
	run = bindings.Rebuild(rec.Lines, false)
	run.Look(ops.ObjectAt)
	for _, line := range rec.Lines {
		var record struct{ Type string }
		if json.Unmarshal(line, &record) == nil && record.Type == "operation-started" {
			begun = true
		}
	}
	if begun && len(run.Operations) != 1 {
		t.Fatalf("the journal has %d operations", len(run.Operations))
	}
	return run, begun
}

// halfway checks what must hold at every moment of an operation.
func (st *stage) halfway(t *testing.T, disk snapshot) {
	t.Helper()
	path, made := st.place(st.path), st.made()
	leftovers := disk.hidden()
	unfinished := func(p string) bool {
		return slices.ContainsFunc(leftovers, func(l string) bool { return inside(p, l) })
	}
	for p, v := range disk {
		if !unfinished(p) && v != st.before[p] && v != st.after[p] {
			t.Errorf("%s is neither as before nor as it should be: %.80q", p, v)
		}
	}
	leaves := st.op == ops.Delete || st.op == ops.Move
	for p, v := range st.before {
		_, there := disk[p]
		switch {
		case there, leaves && inside(p, path):
		case st.op == ops.Move && inside(p, made) && st.after[p] == "":
			// Only the replaced tree had it.
		default:
			t.Errorf("%s is gone: %.80q", p, v)
		}
	}
	if st.op == ops.Move {
		for p, v := range st.before {
			if rel := strings.TrimPrefix(p, path); inside(p, path) && v != aDirectory && !st.kept(disk, rel, v) {
				t.Errorf("%s is neither at the source nor at the target nor put aside", p)
			}
		}
	}
	if st.whole {
		have := disk.beneath(made)
		old, now := have.difference(st.before.beneath(made)), have.difference(st.after.beneath(made))
		if old != "" && now != "" {
			t.Errorf("%s is neither the old one, lacking%s\nnor the new one, lacking%s", made, old, now)
		}
	}
}

// kept reports whether an entry of a moved tree is somewhere.
func (st *stage) kept(disk snapshot, rel, value string) bool {
	if disk[st.place(st.path)+rel] == value || disk[st.made()+rel] == value {
		return true
	}
	return slices.ContainsFunc(disk.hidden(), func(l string) bool { return disk[l+rel] == value })
}

// named checks that evidence names what is left over and nothing else, and that
// nothing is left where nobody would look.
func (st *stage) named(t *testing.T, disk snapshot, e *ops.Evidence) {
	t.Helper()
	_, arrived := disk[st.made()]
	if e.SourceExists != (disk[st.place(st.path)] != "") || st.target != "" && e.TargetExists != arrived {
		t.Errorf("evidence: source %v, target %v", e.SourceExists, e.TargetExists)
	}
	leftovers := disk.hidden()
	for _, l := range leftovers {
		if dir := filepath.Dir(l); dir != filepath.Dir(st.place(st.path)) && dir != filepath.Dir(st.made()) && dir != st.made() {
			t.Errorf("%s is left where nobody would look", l)
		}
	}
	if parent := st.newParent(); parent != "" && !arrived && disk[parent] != "" {
		leftovers = append(leftovers, parent)
	}
	var said []string
	for _, path := range e.Left() {
		said = append(said, string(path))
	}
	slices.Sort(said)
	slices.Sort(leftovers)
	if !slices.Equal(said, leftovers) {
		t.Errorf("left over: %q, the evidence says %q", leftovers, said)
	}
}

// newParent is the outermost parent that the operation makes for its target.
func (st *stage) newParent() string {
	parent := ""
	for dir := filepath.Dir(st.made()); st.op != ops.Delete && dir != st.cmd.dir && dir != st.w.X; dir = filepath.Dir(dir) {
		if st.before[dir] == "" {
			parent = dir
		}
	}
	return parent
}

// treated lets doctor say what to do, does it, and makes sure that nothing is
// left and nothing was lost.
func (st *stage) treated(t *testing.T) {
	t.Helper()
	before := st.look(t)
	found := before.hidden()
	if parent := st.newParent(); parent != "" && before[parent] != "" && before[st.made()] == "" {
		found = append(found, parent)
	}
	var d struct {
		OK   bool
		Runs []struct {
			Operations []struct {
				Leftovers []struct {
					Path, Restore plain.Text
					Advice        string
				}
			}
		}
	}
	out := st.cmd.run(t, "", "doctor", "--json")
	out.document(t, &d)
	var said []string
	for _, run := range d.Runs {
		for _, op := range run.Operations {
			for _, l := range op.Leftovers {
				said = append(said, string(l.Path))
				var err error
				switch l.Advice {
				case "remove":
					err = os.RemoveAll(string(l.Path))
				case "restore":
					err = os.Rename(string(l.Path), string(l.Restore))
				default:
					t.Errorf("doctor advises to %s for %s", l.Advice, l.Path)
				}
				if err != nil {
					t.Error(err)
				}
			}
		}
	}
	slices.Sort(found)
	slices.Sort(said)
	if !slices.Equal(said, found) || d.OK != (len(found) == 0) || (out.status == 0) != d.OK {
		t.Errorf("left over: %q, doctor says %q, ok %v, status %d", found, said, d.OK, out.status)
	}
	disk := st.look(t)
	if left := disk.hidden(); len(left) > 0 {
		t.Errorf("after the treatment %q is left", left)
	}
	st.halfway(t, disk)
}

//go:build linux

package main_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/ops/plain"
)

// killScript takes a tree through everything that changes the disk. Each line
// is one operation, in the order of killSteps.
const killScript = `
await tools.copy({path: "src", target: "merge"})
await tools.copy({path: "src", target: "new/parent/c"})
await tools.move({path: "new/parent/c", target: "$X/far/m"})
await tools.move({path: "$X/far/m", target: "victim"})
await tools.move({path: "victim", target: "v2/w"})
await tools.delete({path: "v2/w"})
`

// killSteps are the sources and targets of the operations of killScript.
var killSteps = [][2]string{
	{"proj/src", "proj/merge"},
	{"proj/src", "proj/new/parent/c"}, {"proj/new/parent/c", "$X/far/m"}, {"$X/far/m", "proj/victim"},
	{"proj/victim", "proj/v2/w"}, {"proj/v2/w", ""},
}

// TestKilled kills the command at random moments. Whatever the moment, the
// journal must know of everything that was changed, and no file may be lost
// or cut short.
func TestKilled(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	lanes, rounds, files := 2, 10, 700
	if testing.Short() {
		rounds, files = 2, 200
	}
	for lane := range lanes {
		t.Run(fmt.Sprint(lane), func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, bin, files)
			seed := uint64(time.Now().UnixNano())
			random := rand.New(rand.NewPCG(seed, 0))
			t.Logf("seed %d", seed)
			took := k.round(t, 0) // not killed
			cut := 0
			for range rounds {
				k.reset(t)
				after := time.Duration(1 + random.Int64N(int64(took)))
				t.Logf("killed after %s of %s", after, took)
				k.round(t, after)
				if k.unfinished {
					cut++
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d of %d rounds ended within an operation", cut, rounds)
		})
	}
}

// killing is a world with a tree whose contents are known.
type killing struct {
	w          opstest.World
	cmd        command
	tree       contents
	merge      contents // what the first copy is merged into
	unfinished bool     // whether the last round was killed within an operation
}

func newKilling(t *testing.T, bin string, files int) *killing {
	w := opstest.NewWorld(t, opstest.TwoFS)
	w.Setup(t, "mkdir -p proj/src", false)
	k := &killing{w: w, tree: contents{}, merge: contents{"own": "own"}, cmd: command{bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env()}}
	for i := range files {
		name := fmt.Sprintf("d%d/e%d/f%d", i%7, i%3, i)
		k.tree[name] = strings.Repeat(name+"\n", 1+i%400)
		write(t, filepath.Join(k.place("proj/src"), name), k.tree[name])
		if i%10 == 0 {
			k.merge[name] = "old " + name
		}
	}
	k.reset(t)
	return k
}

// place is the absolute path of something in the world.
func (k *killing) place(path string) string {
	if rest, ok := strings.CutPrefix(path, "$X"); ok {
		return k.w.X + rest
	}
	return filepath.Join(k.w.W, path)
}

// reset takes away all but the source, and puts back what is to be replaced.
func (k *killing) reset(t *testing.T) {
	t.Helper()
	for _, dir := range []string{k.place("proj"), k.w.X} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !slices.Contains([]string{".git", "src"}, e.Name()) {
				if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	write(t, k.place("proj/victim/old"), "old")
	for name, text := range k.merge {
		write(t, filepath.Join(k.place("proj/merge"), name), text)
	}
}

// round runs the script and kills it; 0 lets it end. It returns how long it
// ran.
func (k *killing) round(t *testing.T, after time.Duration) time.Duration {
	t.Helper()
	k.cmd.env = append(k.w.Env(), "XDG_STATE_HOME="+filepath.Join(t.TempDir(), "state")) // a journal of its own
	cmd := k.cmd.prepare(t.Context(), "run", "--json", "--approve", "allow", "-e", k.w.Expand(killScript))
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // fails when it has just ended
		defer timer.Stop()
	}
	err := cmd.Wait()
	took := time.Since(began)
	if killed := cmd.ProcessState.ExitCode() == -1; err != nil && !killed || killed && after == 0 {
		t.Fatal(err)
	}
	k.check(t, err == nil)
	return took
}

// check compares the journal with what happened.
func (k *killing) check(t *testing.T, ended bool) {
	t.Helper()
	var list struct {
		Runs []struct {
			RunID, Status                string
			Applied, NotApplied, Unknown int
		}
	}
	k.cmd.run(t, "", "log", "--json").document(t, &list)
	var last report
	done := 0
	k.unfinished = false
	if len(list.Runs) > 0 { // else it was killed before anything was recorded
		k.cmd.run(t, "", "log", "last", "--json").document(t, &last)
		want := "interrupted"
		if ended || list.Runs[0].Applied == len(killSteps) && last.Status == "finished" { // killed on its way out
			want = "finished"
		}
		if len(list.Runs) != 1 || list.Runs[0].Status != want || last.Status != want || last.RunID != list.Runs[0].RunID {
			t.Errorf("the list says %+v, the run %q, want %q", list.Runs, last.Status, want)
		}
	}
	for i, op := range last.Operations {
		from, to := killSteps[i][0], killSteps[i][1]
		if op.Seq != i+1 || string(op.Path) != k.place(from) || to != "" && string(op.Target) != k.place(to) {
			t.Fatalf("operation %d in the journal is %+v", i+1, op)
		}
		switch {
		case op.Effect == ops.Applied && op.OK:
			done++
		case op.Effect == ops.Unknown && !ended && i == len(last.Operations)-1 && op.Evidence != nil:
			k.unfinished = true
		default:
			t.Errorf("operation %d: effect %s, evidence %v, error %v", i+1, op.Effect, op.Evidence, op.Error)
		}
	}
	if len(list.Runs) > 0 && (list.Runs[0].Applied != done || list.Runs[0].Unknown != len(last.Operations)-done) {
		t.Errorf("the list counts %+v, the run has %d applied of %d", list.Runs[0], done, len(last.Operations))
	}
	if ended && done != len(killSteps) {
		t.Errorf("it ended well with %d operations", done)
	}
	k.disk(t, last.Operations, done)
}

// disk checks that all files are where the journal lets them be: the done
// first operations are over, and one more may be half done.
func (k *killing) disk(t *testing.T, started []ops.Receipt, done int) {
	t.Helper()
	old := contents{"old": "old"}
	expect := func(path string, allowed ...contents) {
		t.Helper()
		if have := k.read(t, path); !slices.ContainsFunc(allowed, have.equal) {
			t.Errorf("%s holds %d files, which is none of the complete states", path, len(have))
		}
	}
	expect("proj/src", k.tree)
	half := -1
	if k.unfinished {
		half = done
	}
	if done < 4 && half != 3 {
		expect("proj/victim", old)
	}
	switch {
	case half == 0:
		k.merging(t, started[0])
	case done == 0:
		expect("proj/merge", k.merge)
	default:
		after := maps.Clone(k.merge)
		maps.Copy(after, k.tree)
		expect("proj/merge", after)
	}
	if half < 0 && done > 1 && done < len(killSteps) {
		expect(killSteps[done-1][1], k.tree)
	}
	switch half {
	case 1: // copying: what is there is whole
		if have := k.read(t, "proj/new/parent/c"); !have.partOf(k.tree) {
			t.Error("the copy holds a file that is not whole")
		}
	case 2, 3, 4: // moving: the target is as before or complete, and whatever the source lacks is in it
		from, to := killSteps[half][0], killSteps[half][1]
		before := contents{}
		if half == 3 {
			before = old
		}
		expect(to, before, k.tree)
		source := k.read(t, from)
		if !source.partOf(k.tree) || len(source) < len(k.tree) && !k.read(t, to).equal(k.tree) {
			t.Errorf("the source %s has %d of %d files, and the target is not complete", from, len(source), len(k.tree))
		}
	case 5: // deleting: what is left is whole
		if have := k.read(t, "proj/v2/w"); !have.partOf(k.tree) {
			t.Error("a file was changed on its way out")
		}
	}
	k.strangers(t, started)
}

// merging checks a merge that was cut short: each file is the complete old one,
// the complete new one or absent, and what is unfinished is told.
func (k *killing) merging(t *testing.T, op ops.Receipt) {
	t.Helper()
	have := k.read(t, "proj/merge")
	for name, text := range have {
		path := filepath.Join(k.place("proj/merge"), name)
		switch {
		case text == k.tree[name] && k.tree[name] != "", text == k.merge[name] && k.merge[name] != "":
		case !slices.Contains(op.Evidence.Left(), plain.Text(path)):
			t.Errorf("%s is neither the old file nor the new one, and evidence does not name it: %.40q", path, text)
		case !strings.HasPrefix(filepath.Base(name), ".codemode-"):
			t.Errorf("%s is left over where it can be seen", path)
		}
	}
	for name := range k.merge {
		if _, ok := have[name]; !ok {
			t.Errorf("%s/%s is gone", k.place("proj/merge"), name)
		}
	}
}

// strangers finds what no started operation accounts for.
func (k *killing) strangers(t *testing.T, started []ops.Receipt) {
	t.Helper()
	mine := []string{k.place("proj/src"), k.place("proj/.git"), k.place("proj/victim"), k.place("proj/merge")}
	said := ""
	for _, op := range started {
		mine = append(mine, string(op.Path), string(op.Target))
		if op.Error != nil {
			said = op.Error.Message
		}
	}
	for _, top := range []string{k.place("proj"), k.w.X} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case slices.Contains(mine, path):
				return fs.SkipDir
			case path == top, d.IsDir() && slices.ContainsFunc(mine, func(m string) bool { return strings.HasPrefix(m, path+"/") }):
				return nil
			case !strings.Contains(said, fmt.Sprintf("%q", d.Name())):
				t.Errorf("%s belongs to no operation in the journal", path)
			case started[len(started)-1].Evidence.Leftover == "":
				t.Errorf("%s is left over, and the evidence does not say so", path)
			}
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// contents is what the files of a tree hold, by relative name.
type contents map[string]string

// read reads a tree; one that is not there is empty.
func (k *killing) read(t *testing.T, path string) contents {
	t.Helper()
	have := contents{}
	top := k.place(path)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(top, path) // path lies beneath top
		have[rel] = string(data)
		return err
	})
	if err != nil && exists(top) {
		t.Fatal(err)
	}
	return have
}

func (c contents) equal(d contents) bool { return len(c) == len(d) && c.partOf(d) }

func (c contents) partOf(d contents) bool {
	for name, text := range c {
		if want, ok := d[name]; !ok || want != text {
			return false
		}
	}
	return true
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

//go:build linux

package main_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/ops/opstest/cases"
	"codemode/ops/policy"
)

// TestFailures runs what went wrong elsewhere against the built command.
func TestFailures(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	checkTables(t, all)
	for _, c := range all {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			if c.Action.Op == "mcp" {
				playMCP(t, bin, c)
				return
			}
			tr := newTrial(t, bin, c, c.Action.Host)
			tr.play(t)
			tr.w.Check(t, disk(c))
			if len(c.Expected.IfApproved) > 0 {
				approved := newTrial(t, bin, c, "approve")
				approved.act(t, slices.Repeat([]cases.Outcomes{{cases.OK}}, len(c.Expected.Operations())))
				approved.w.Check(t, strings.Join(c.Expected.IfApproved, "\n"))
			}
			if t.Failed() {
				t.Logf("%s (%s)\nwhy: %s\ndebatable: %v", c.Problem, c.Source, c.Why, c.Debatable)
			}
		})
	}
}

// checkTables finds entries for cases that do not exist any more.
func checkTables(t *testing.T, all []cases.Case) {
	known := map[string]bool{}
	for _, c := range all {
		known[c.ID] = true
	}
	for _, id := range tableIDs() {
		if !known[id] {
			t.Errorf("a table speaks of %q, which is no case", id)
		}
	}
}

// trial is a case in its surroundings.
type trial struct {
	c   cases.Case
	w   opstest.World
	cmd command

	flags   []string                                              // before everything else
	instead func(t *testing.T, tr *trial) ([]ops.Receipt, output) // instead of running it once, nil otherwise
}

// newTrial makes the surroundings of a case.
func newTrial(t *testing.T, bin string, c cases.Case, host string) *trial {
	t.Helper()
	a := c.Action
	needs := needsOf(t, c)
	w := opstest.NewWorld(t, needs...)
	w.Setup(t, strings.Join(c.Setup, "\n"), a.Root != "" || a.Project != "")
	tr := &trial{c: c, w: w, cmd: command{
		bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env(), umask: a.Umask,
		nobody: slices.Contains(needs, opstest.NonRoot) || careful[c.ID],
	}}
	if a.Project != "" {
		tr.cmd.dir = w.Expand(a.Project)
		if out, err := w.Bash("git init -q " + tr.cmd.dir); err != nil {
			t.Fatalf("git init: %v %s", err, out)
		}
	}
	if a.Root != "" {
		tr.cmd.dir = w.W
		tr.flags = append(tr.flags, "--root", w.Expand(a.Root))
	}
	if a.Cwd != "" {
		tr.cmd.dir = w.Expand(a.Cwd)
	}
	for name, value := range a.Env {
		tr.cmd.env = append(tr.cmd.env, name+"="+w.Expand(value))
	}
	config := hostConfig{Ask: policy.Ask{Files: true, Replace: true}}
	tr.hear(t, host, &config)
	writeConfig(t, w, config)
	if tr.cmd.nobody {
		openTo(t, w)
	}
	return tr
}

// needsOf skips what cannot be met here.
func needsOf(t *testing.T, c cases.Case) (needs []opstest.Need) {
	t.Helper()
	for _, need := range c.Needs {
		switch need {
		case "two-fs", "root", "nonroot":
			needs = append(needs, opstest.Need(need))
		case "mount":
			needs = append(needs, opstest.Mount)
			mayMount(t)
		case "slow":
			if testing.Short() {
				t.Skip("slow")
			}
		case "race": // repeated by the action itself
		default:
			t.Fatalf("nothing meets the need %q", need)
		}
	}
	return needs
}

// mayMount skips where even root must not mount.
func mayMount(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4k"); err != nil {
		t.Skip("needs the right to mount: ", err)
	}
	if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
		t.Fatal(err)
	}
}

// play runs the case as often as it asks for, beside its background.
func (tr *trial) play(t *testing.T) {
	t.Helper()
	a := tr.c.Action
	began := time.Now()
	if a.Background != "" {
		defer tr.background(t)()
	}
	for i := range min(max(a.Repeat, 1), processes) {
		if i > 0 && a.Between != "" {
			if out, err := tr.w.Bash(a.Between); err != nil {
				t.Fatalf("between: %v %s", err, out)
			}
		}
		tr.act(t, accepted(tr.c))
		if t.Failed() {
			return
		}
	}
	if rest := a.Repeat - processes; rest > 0 {
		tr.c.Action = manyTimes(t, a, rest)
		tr.act(t, slices.Repeat(accepted(tr.c), rest))
	}
	// What hangs, hangs for longer; what is only slow may have a busy machine.
	if limit := 3 * a.Limit(); limit > 0 && time.Since(began) > limit {
		t.Errorf("took %s, more than %s", time.Since(began), limit)
	}
}

// processes is how often a case is repeated with a process for each time. The
// rest is done in one process, where the attempts follow faster.
const processes = 30

// manyTimes is a script that tries the operation n times.
func manyTimes(t *testing.T, a cases.Action, n int) cases.Action {
	t.Helper()
	if a.Op != "delete" || a.Between != "" {
		t.Fatalf("nothing repeats %+v so often", a)
	}
	args, err := json.Marshal(map[string]string{"path": *a.Path})
	if err != nil {
		t.Fatal(err)
	}
	a.Op, a.Code = "script", fmt.Sprintf("for (let i = 0; i < %d; i++) { try { await tools.delete(%s) } catch (e) {} }", n, args)
	return a
}

// background runs what happens meanwhile, and returns what ends it.
func (tr *trial) background(t *testing.T) (end func()) {
	t.Helper()
	shell := tr.cmd
	shell.bin, shell.dir = "bash", tr.w.W
	cmd := shell.prepare(t.Context(), "-c", tr.w.Expand(tr.c.Action.Background))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) // a group of its own, with what it started
		_ = cmd.Wait()                                // it was killed
	}
}

// act carries the case out once and checks all but the disk.
func (tr *trial) act(t *testing.T, want []cases.Outcomes) {
	t.Helper()
	quiet := tr.c.Action.Background == "" && !changesTree[tr.c.ID]
	before := ""
	if quiet {
		before = everything(t, tr.w)
	}
	carry := (*trial).once
	if tr.instead != nil {
		carry = func(tr *trial, t *testing.T) ([]ops.Receipt, output) { return tr.instead(t, tr) }
	}
	receipts, out := carry(tr, t)
	tr.check(t, want, receipts, out)
	touched := slices.ContainsFunc(receipts, func(r ops.Receipt) bool { return r.Effect != ops.NotApplied })
	if quiet && !touched {
		if after := everything(t, tr.w); after != before {
			t.Errorf("something was changed although nothing was applied; before:\n%s\nafter:\n%s", before, after)
		}
	}
}

// once runs the action through the command line.
func (tr *trial) once(t *testing.T) ([]ops.Receipt, output) {
	t.Helper()
	stdin, args := tr.arguments()
	return tr.cmd.receipts(t, stdin, args...)
}

// arguments spells the action as a command line.
func (tr *trial) arguments() (stdin string, args []string) {
	a, x := tr.c.Action, tr.w.Expand
	front := append([]string{a.Op, "--json"}, tr.flags...)
	switch a.Op {
	case "script":
		front[0] = "run"
		return scriptOf(x(a.Code)), append(front, "-")
	case "delete":
		return "", append(front, "--", x(*a.Path))
	}
	return "", append(front, "--", x(a.From), x(a.To))
}

var (
	awaits     = regexp.MustCompile(`\bawait\b|\bPromise\b`)
	helperCall = regexp.MustCompile(`\b(del|copy|move)\(`)
	arrow      = regexp.MustCompile(`\(\) => (await (?:del|copy|move)\()`)
	arrowCall  = regexp.MustCompile(`\bf\(\)`)
)

// scriptOf puts the helpers of the cases before their code. They return bare
// promises. Where the code neither awaits nor combines promises itself, each
// call of a helper is awaited, also within an arrow function and where that is
// called.
func scriptOf(code string) string {
	if !awaits.MatchString(code) {
		code = helperCall.ReplaceAllString(code, "await $1(")
		if arrow.MatchString(code) {
			code = arrow.ReplaceAllString(code, "async () => $1")
			code = arrowCall.ReplaceAllString(code, "await f()")
		}
	}
	return `const del = (path, o) => tools.delete({path, ...o}), ` +
		`copy = (path, target, o) => tools.copy({path, target, ...o}), ` +
		"move = (path, target, o) => tools.move({path, target, ...o});\n" + code + "\n"
}

func TestScriptOf(t *testing.T) {
	for code, want := range map[string]string{
		`for (const n of ['a']) del(n)`:                               `for (const n of ['a']) await del(n)`,
		`try { move('a', 'b') } catch (e) {}`:                         `try { await move('a', 'b') } catch (e) {}`,
		`await Promise.all([copy('A','B'), del('A')])`:                `await Promise.all([copy('A','B'), del('A')])`,
		`for (const f of [() => del('a/')]) { try { f() } catch {} }`: `for (const f of [async () => await del('a/')]) { try { await f() } catch {} }`,
		`for (const f of [() => del.constructor('x')()]) f()`:         `for (const f of [() => del.constructor('x')()]) f()`,
	} {
		if _, got, _ := strings.Cut(strings.TrimSpace(scriptOf(code)), "\n"); got != want {
			t.Errorf("%s\n got %s\nwant %s", code, got, want)
		}
	}
}

// recorded is the journal's version of the last run.
func (tr *trial) recorded(t *testing.T) report {
	t.Helper()
	var r report
	tr.cmd.run(t, "", "log", "last", "--json").document(t, &r)
	return r
}

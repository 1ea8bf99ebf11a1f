//go:build linux

package main_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"codemode/ops"
	"codemode/ops/opstest"
)

// oddRoots confines to unusual spellings of the root.
func oddRoots(t *testing.T, tr *trial) ([]ops.Receipt, output) {
	first, _ := tr.cmd.receipts(t, "", "delete", "--json", "--root", tr.w.W+"/box/", "tmpdir/x")
	if !first[0].OK {
		t.Errorf("with a slash at its end: %+v", first[0].Error)
	}
	tr.w.Check(t, "test -d box/tmpdir && ! test -e box/tmpdir/x")
	return tr.cmd.receipts(t, "", "delete", "--json", "--root", tr.w.W+"//box/.", "tmpdir")
}

// undecodable deletes the two names first one by one in a world of their own,
// since only then the journal names them.
func undecodable(t *testing.T, tr *trial) ([]ops.Receipt, output) {
	receipts, out := tr.once(t)
	w := opstest.NewWorld(t)
	w.Setup(t, strings.Join(tr.c.Setup, "\n"), false)
	alone := command{bin: tr.cmd.bin, dir: filepath.Join(w.W, "proj"), env: w.Env()}
	script := `await tools.delete({path: "old/caf\udce9"}); await tools.delete({path: "old/\udcff\udcfe"})`
	alone.receipts(t, "", "run", "--json", "-e", script)
	w.Check(t, `test -z "$(ls -A proj/old)"`)
	logged := alone.run(t, "", "log", "last", "--json")
	var r report
	logged.document(t, &r)
	var names []string
	for _, op := range r.Operations {
		names = append(names, filepath.Base(string(op.Path)))
	}
	if !slices.Equal(names, []string{"caf\xe9", "\xff\xfe"}) || !bytes.Contains(logged.stdout, []byte(`\udce9`)) {
		t.Errorf("the journal names %q: %s", names, logged.stdout)
	}
	return receipts, out
}

// spoofed declines at a terminal and looks at what was asked.
func spoofed(t *testing.T, tr *trial) ([]ops.Receipt, output) {
	person := tr.atTerminal(t, []string{"n", "n"}, nil)
	for _, want := range []string{"202e", "200b"} {
		if !strings.Contains(strings.ToLower(person.screen), want) {
			t.Errorf("the dialog does not show U+%s: %q", want, person.screen)
		}
	}
	if strings.ContainsAny(person.screen, "\u202e\u200b") {
		t.Errorf("the dialog holds the very characters: %q", person.screen)
	}
	var r report
	person.document(t, &r)
	for _, op := range r.Operations {
		if op.Error == nil || op.Error.Code != ops.NotApproved {
			t.Errorf("declined, and yet %+v", op.Error)
		}
	}
	return r.Operations, person.output
}

// swapped replaces the directory by a link before it says yes.
func swapped(t *testing.T, tr *trial) ([]ops.Receipt, output) {
	person := tr.atTerminal(t, []string{"y"}, func() {
		if out, err := tr.w.Bash(`rm -r proj/d && ln -s "$W/outside" proj/d`); err != nil {
			t.Errorf("%v %s", err, out)
		}
	})
	var r ops.Receipt
	person.document(t, &r)
	return []ops.Receipt{r}, person.output
}

// sitting is what came of a command with a person at a terminal.
type sitting struct {
	output
	screen string
}

// atTerminal runs the action with a person who answers its questions in order,
// first doing something else.
func (tr *trial) atTerminal(t *testing.T, answers []string, first func()) sitting {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, args := tr.arguments()
	if tr.c.Action.Op == "script" {
		args = append(args[:len(args)-1], "-e", scriptOf(tr.c.Action.Code))
	}
	cmd := tr.cmd.prepare(ctx, args...)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	attrs := *cmd.SysProcAttr
	attrs.Setctty = true
	terminal, err := pty.StartWithAttrs(cmd, &pty.Winsize{Rows: 40, Cols: 120}, &attrs)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var screen strings.Builder
	buf := make([]byte, 4096)
	asked := 0
	for {
		n, err := terminal.Read(buf)
		screen.Write(buf[:n])
		if err != nil { // EIO: the command has gone
			break
		}
		if strings.Count(screen.String(), "[y/N]") <= asked {
			continue
		}
		if first != nil {
			first()
		}
		if asked >= len(answers) {
			t.Fatalf("one question too many: %q", screen.String())
		}
		if _, err := terminal.WriteString(answers[asked] + "\n"); err != nil {
			t.Fatal(err)
		}
		asked++
	}
	_ = cmd.Wait() // the status says it
	if asked != len(answers) {
		t.Errorf("%d questions, want %d: %q", asked, len(answers), screen.String())
	}
	return sitting{output{stdout: stdout.Bytes(), status: cmd.ProcessState.ExitCode()}, screen.String()}
}

// escaping looks also at what the attempts to get out returned. The fs that a
// script is given is ours: what it changes are operations.
func escaping(t *testing.T, tr *trial) ([]ops.Receipt, output) {
	code, found := strings.CutSuffix(strings.Replace(scriptOf(tr.c.Action.Code), "() => import('fs'), ", "", 1), " r\n")
	if !found || strings.Contains(code, "import") {
		t.Fatalf("the case has changed: %s", code)
	}
	var r report
	tr.cmd.run(t, code+" return r", "run", "--json", "-").document(t, &r)
	if got := string(r.Value); got != `["no","[object Object]","no","no","no"]` {
		t.Errorf("the attempts came to %s, %+v", got, r.Error)
	}
	return tr.once(t)
}

// vanishing also demands that a copy that says ok is complete, and that one
// that failed names what was missing.
func vanishing(t *testing.T, tr *trial) ([]ops.Receipt, output) {
	receipts, out := tr.once(t)
	switch r := receipts[0]; {
	case r.OK:
		tr.w.Check(t, "diff -r -x f150 proj/src proj/dst")
	case !strings.Contains(r.Error.Message, "f150"):
		t.Errorf("the error does not name the missing file: %v", r.Error)
	case r.Effect == ops.NotApplied:
		tr.w.Check(t, "! test -e proj/dst")
	}
	return receipts, out
}

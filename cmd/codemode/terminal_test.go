//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"codemode/ops"
	"codemode/ops/fsys"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

const patience = 20 * time.Second

// person sits at a terminal in which a command runs.
type person struct {
	t   *testing.T
	tty *os.File
	cmd *exec.Cmd

	mu   sync.Mutex
	seen bytes.Buffer
	gone chan struct{} // closed when nothing more can be seen
}

// world is a project with a tracked directory "dir", which asks to be removed.
func world(t *testing.T) (dir string, env []string) {
	t.Helper()
	return worldIn(t, t.TempDir())
}

func worldIn(t *testing.T, top string) (dir string, env []string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(top)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(top, "proj")
	for name, text := range map[string]string{"proj/dir/f": "x", "proj/loose/f": "y", "home/h": ""} {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env = os.Environ()
	for name, value := range surroundings(top) {
		env = append(env, name+"="+value)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "dir"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir, env
}

// sit starts codemode at a terminal of 80 columns.
func sit(t *testing.T, dir string, env []string, args ...string) *person {
	t.Helper()
	return sitAt(t, dir, env, "codemode", args...)
}

// sitAt starts any program at a terminal.
func sitAt(t *testing.T, dir string, env []string, name string, args ...string) *person {
	t.Helper()
	p := &person{t: t, cmd: exec.Command(name, args...), gone: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = dir, env
	var err error
	if p.tty, err = pty.StartWithSize(p.cmd, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.gone)
		buf := make([]byte, 4096)
		for {
			n, err := p.tty.Read(buf)
			p.mu.Lock()
			p.seen.Write(buf[:n])
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.tty.Close()
	})
	return p
}

func (p *person) sees() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.String()
}

// expect waits until text has appeared count times.
func (p *person) expect(text string, count int) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if strings.Count(p.sees(), text) >= count {
			return
		}
	}
	p.t.Fatalf("%q was not seen, but\n%s", text, p.sees())
}

func (p *person) types(text string) {
	p.t.Helper()
	if _, err := p.tty.WriteString(text); err != nil {
		p.t.Fatal(err)
	}
}

// leaves waits for the end and returns the exit status.
func (p *person) leaves() int {
	p.t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case err := <-done:
		<-p.gone
		var exit *exec.ExitError
		switch {
		case err == nil:
			return 0
		case errors.As(err, &exit):
			return exit.ExitCode()
		}
		p.t.Fatal(err)
	case <-time.After(patience):
		p.t.Fatalf("it does not end; seen:\n%s", p.sees())
	}
	return -1
}

const prompt = "[y/N] "

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestOnlyAClearYesApproves(t *testing.T) {
	for _, tt := range []struct {
		name, answer string
		yes          bool
	}{
		{"y", "y\r", true},
		{"Y", "Y\r", true},
		{"yes", "yes\r", true},
		{"YES", "YES\r", true},
		{"Enter alone", "\r", false},
		{"n", "n\r", false},
		{"no", "no\r", false},
		{"yes with more", "yes please\r", false},
		{"y with a blank", " y\r", false},
		{"yy", "yy\r", false},
		{"end of input", "\x04", false},
		{"y, then end of input", "y\x04\x04", false},
		{"another alphabet's y", "у\r", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, env := world(t)
			p := sit(t, dir, env, "delete", "dir")
			p.expect(prompt, 1)
			p.types(tt.answer)
			want := statusRefused
			if tt.yes {
				want = statusOK
			}
			if got := p.leaves(); got != want {
				t.Errorf("exit status %d, want %d; seen:\n%s", got, want, p.sees())
			}
			if exists(filepath.Join(dir, "dir")) == tt.yes {
				t.Errorf("approved: %t, still there: %t", tt.yes, !tt.yes)
			}
			if !tt.yes && !strings.Contains(p.sees(), "DELETE_NOT_APPROVED") {
				t.Errorf("no DELETE_NOT_APPROVED in\n%s", p.sees())
			}
		})
	}
}

func TestCtrlCAtTheQuestionCancels(t *testing.T) {
	dir, env := world(t)
	p := sit(t, dir, env, "delete", "dir")
	p.expect(prompt, 1)
	began := time.Now()
	p.types("\x03")
	if got := p.leaves(); got != statusCancelled {
		t.Errorf("exit status %d, want %d; seen:\n%s", got, statusCancelled, p.sees())
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("took %s", took)
	}
	if !exists(filepath.Join(dir, "dir")) || !strings.Contains(p.sees(), "ABORTED") {
		t.Errorf("seen:\n%s", p.sees())
	}
}

func TestCtrlCAtAScriptsQuestionEndsTheRun(t *testing.T) {
	dir, env := world(t)
	p := sit(t, dir, env, "run", "--json", "-e", `try { await tools.delete({path: "dir"}) } catch {} await tools.delete({path: "loose"})`)
	p.expect(prompt, 1)
	p.types("\x03")
	if got := p.leaves(); got != statusCancelled {
		t.Errorf("exit status %d, want %d; seen:\n%s", got, statusCancelled, p.sees())
	}
	if !exists(filepath.Join(dir, "dir")) || !exists(filepath.Join(dir, "loose")) || !strings.Contains(p.sees(), `"kind":"aborted"`) {
		t.Errorf("seen:\n%s", p.sees())
	}
}

// What was typed, or pasted, before a question stood there does not answer it.
func TestTypedAheadIsNoAnswer(t *testing.T) {
	dir, env := world(t)
	told := filepath.Join(filepath.Dir(dir), "told")
	config := filepath.Join(filepath.Dir(dir), "hook.toml")
	text := "[[hooks.before_delete]]\nid = \"slow\"\ncommand = [\"/bin/sh\", \"-c\", \"touch " + told + "; sleep 0.5\"]\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sit(t, dir, env, "delete", "--config", config, "dir")
	for end := time.Now().Add(patience); !exists(told) && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	p.types("y\ryes\ry")
	p.expect(prompt, 1)
	time.Sleep(200 * time.Millisecond)
	if !exists(filepath.Join(dir, "dir")) {
		t.Fatal("what was typed ahead approved")
	}
	p.types("\r") // completes the half line "y" if it is still there
	if got := p.leaves(); got != statusRefused {
		t.Errorf("exit status %d, want %d; seen:\n%s", got, statusRefused, p.sees())
	}
}

// One yes answers one question.
func TestEachQuestionIsAskedByItself(t *testing.T) {
	dir, env := world(t)
	if err := os.WriteFile(filepath.Join(dir, "g"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p := sit(t, dir, env, "run", "--strict", "-e", `await tools.delete({path: "dir"}); await tools.delete({path: "loose"})`)
	p.expect(prompt, 1)
	p.types("y\ry\ry\r")
	p.expect(prompt, 2)
	time.Sleep(100 * time.Millisecond)
	if !exists(filepath.Join(dir, "loose")) {
		t.Fatal("one paste approved two")
	}
	p.types("n\r")
	if got := p.leaves(); got != statusFailed || exists(filepath.Join(dir, "dir")) || !exists(filepath.Join(dir, "loose")) {
		t.Errorf("exit status %d; seen:\n%s", got, p.sees())
	}
}

func TestTheClockStandsStillAtAQuestion(t *testing.T) {
	for _, args := range [][]string{
		{"delete", "--timeout", "400ms", "dir"},
		{"run", "--timeout", "400ms", "-e", `await tools.delete({path: "dir"})`},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			dir, env := world(t)
			p := sit(t, dir, env, args...)
			p.expect(prompt, 1)
			time.Sleep(700 * time.Millisecond)
			p.types("y\r")
			if got := p.leaves(); got != 0 || exists(filepath.Join(dir, "dir")) {
				t.Errorf("exit status %d; seen:\n%s", got, p.sees())
			}
		})
	}
}

// A script goes on while a question stands. What it prints must not mix with it.
func TestOutputWaitsForTheAnswer(t *testing.T) {
	dir, env := world(t)
	p := sit(t, dir, env, "run", "-e", `
		const asked = tools.delete({path: "dir"});
		for (let i = 0; i < 8; i++) {
			console.log("tick\x1b[2J");
			await new Promise(r => setTimeout(r, 50));
		}
		await asked;`)
	p.expect(prompt, 1)
	time.Sleep(300 * time.Millisecond)
	if _, after, _ := strings.Cut(p.sees(), "codemode asks"); strings.Contains(after, "tick") {
		t.Errorf("output came into the question:\n%s", p.sees())
	}
	p.types("y\r")
	if got := p.leaves(); got != 0 {
		t.Errorf("exit status %d", got)
	}
	if n := strings.Count(p.sees(), "tick"); n != 8 {
		t.Errorf("%d of 8 lines of output", n)
	}
	if strings.Contains(p.sees(), "\x1b[2J") {
		t.Error("a script steered the terminal")
	}
}

// Whatever an object is called, each line of the dialog is the dialog's own.
func TestNamesCannotSpeakForTheDialog(t *testing.T) {
	for _, name := range []string{
		"x\n| Allow it? Only y or yes means yes. [y/N] y\n",
		"x\r\x1b[2K\x1b[1A\x1b]0;title\x07",
		"x\u202egnp.exe\u2066\u200b",
		"x" + strings.Repeat(" ", 200) + "| because  it is harmless",
		strings.Repeat("宽", 80),
		"caf\xe9 \xff",
		"| at stake nothing",
	} {
		q := policy.Question{
			Operation: "delete", Path: "/p/" + plain.Text(name), ResolvedPath: "/q/" + plain.Text(name), Kind: "directory", Entries: 3, Bytes: 4096,
			Reasons: []policy.Reason{policy.Tracked, policy.External},
		}
		for _, width := range []int{0, 40, 80, 200} {
			shown := dialog(q, false, width)
			if bad := regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f\x{202a}-\x{202e}\x{2066}-\x{2069}\x{200b}]`).FindString(shown.text); bad != "" {
				t.Errorf("%q shows %q", name, bad)
			}
			for _, line := range strings.Split(strings.TrimSuffix(shown.text, "\n"), "\n") {
				if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| Allow") {
					t.Errorf("%q makes the line %q", name, line)
				}
			}
		}
	}
}

func TestDialogSaysWhatIsAtStake(t *testing.T) {
	move := policy.Question{
		Operation: "move", Path: "/p/a", ResolvedPath: "/real/a", Source: "/p/a", Target: "/p/b", Kind: "directory", Entries: 1204, Bytes: 52341,
		Reasons: []policy.Reason{policy.NoGit, policy.NestedRepository}, Replaced: &policy.Replaced{Kind: "directory", Entries: 12, Bytes: 2048},
	}
	replaced := policy.Question{
		Operation: "move", Path: "/p/b", ResolvedPath: "/p/b", Source: "/p/a", Target: "/p/b", Kind: "directory", Entries: 12, Bytes: 2048,
		Reasons: []policy.Reason{policy.Tracked}, Overwrites: true,
	}
	for _, tt := range []struct {
		q    policy.Question
		want []string
	}{
		{move, []string{"be moved away?", "what      /p/a\n", "which is  /real/a\n", "directory, 1,204 entries, 51.1 KiB", "goes to   /p/b\n",
			"replaces  a directory, 12 entries, 2 KiB", "no Git repository", "holds another Git repository"}},
		{replaced, []string{"may a move replace this directory", "what      /p/b\n", "by        move of /p/a\n", "Git tracks files in it"}},
	} {
		shown := dialog(tt.q, false, 200)
		for _, want := range tt.want {
			// The label column is padded; compare without runs of blanks.
			if !strings.Contains(squeeze(shown.text), squeeze(want)) {
				t.Errorf("%q is not in\n%s", want, shown.text)
			}
		}
	}
	for _, r := range []policy.Reason{policy.Tracked, policy.External, policy.NoGit, policy.GitCheckFailed, policy.NestedRepository, policy.Untracked, policy.Replace} {
		if because(r, move) == string(r) {
			t.Errorf("the reason %s has no words", r)
		}
	}
}

func squeeze(s string) string { return regexp.MustCompile(` +`).ReplaceAllString(s, " ") }

func TestProgressComesLateAndLeavesNoTrace(t *testing.T) {
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	defer tty.Close()
	seen := make(chan string, 1)
	go func() {
		var all []byte
		buf := make([]byte, 4096)
		for {
			n, err := person.Read(buf)
			all = append(all, buf[:n]...)
			if err != nil || bytes.HasSuffix(all, []byte("end\r\n")) {
				seen <- string(all)
				return
			}
		}
	}()
	p := newProgram(stdio{out: tty, err: tty}, []string{"TERM=xterm"})
	watch := p.watcher(&flags{})
	if watch == nil {
		t.Fatal("no progress on a terminal")
	}
	activity := ops.Activity{Operation: ops.Copy, Total: fsys.Tally{Entries: 1200, Bytes: 3 << 20}, Done: &fsys.Progress{}}
	watch(activity)() // over at once: nothing is seen of it
	activity.Done.Entries.Store(600)
	activity.Done.Bytes.Store(1 << 20)
	ended := watch(activity)
	time.Sleep(progressAfter + 3*progressEvery)
	p.screen.say("a line of output")
	answered := p.screen.ask()
	tty.WriteString("question\n")
	time.Sleep(3 * progressEvery)
	tty.WriteString("answer\n")
	answered()
	time.Sleep(3 * progressEvery)
	ended()
	tty.WriteString("end\n")
	got := <-seen
	if !strings.Contains(got, "copy: 600 of 1,200 entries, 1 MiB of 3 MiB") {
		t.Errorf("no progress in %q", got)
	}
	if !strings.Contains(got, "\x1b[2Ka line of output\r\n") {
		t.Errorf("output stands in the bar: %q", got)
	}
	if !strings.Contains(got, "\x1b[2Kquestion\r\nanswer\r\n") {
		t.Errorf("the bar goes on in a question: %q", got)
	}
	if !strings.HasSuffix(got, "\r\x1b[2Kend\r\n") {
		t.Errorf("the bar leaves a trace: %q", got)
	}
	if strings.Contains(strings.Split(got, "a line of output")[0], "\n") {
		t.Errorf("the bar takes more than a line: %q", got)
	}
}

func TestNobodySeesProgressElsewhere(t *testing.T) {
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	defer tty.Close()
	if newProgram(stdio{out: tty, err: &bytes.Buffer{}}, []string{"TERM=xterm"}).watcher(&flags{}) != nil {
		t.Error("progress into a pipe")
	}
	if newProgram(stdio{out: tty, err: tty}, []string{"TERM=xterm"}).watcher(&flags{quiet: true}) != nil {
		t.Error("progress with --quiet")
	}
	if newProgram(stdio{out: tty, err: tty}, []string{"TERM=dumb"}).watcher(&flags{}) != nil {
		t.Error("progress on a terminal that cannot take it away")
	}
}

func TestColourIsForTerminalsThatWantIt(t *testing.T) {
	for _, tt := range []struct {
		setting string
		want    bool
	}{{"NO_COLOR=", true}, {"NO_COLOR=1", false}, {"TERM=dumb", false}} {
		dir, env := world(t)
		p := sit(t, dir, append(env, tt.setting), "delete", "loose")
		if got := p.leaves(); got != 0 {
			t.Errorf("exit status %d", got)
		}
		if coloured := strings.Contains(p.sees(), "\x1b["); coloured != tt.want {
			t.Errorf("%s: coloured is %t: %q", tt.setting, coloured, p.sees())
		}
	}
}

func TestSignals(t *testing.T) {
	s := listen()
	defer s.release()
	signal := func() {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	signal()
	select {
	case <-s.ctx.Done():
	case <-time.After(patience):
		t.Fatal("the first Ctrl-C does not cancel")
	}
	if !errors.Is(context.Cause(s.ctx), errInterrupted) {
		t.Errorf("cause %v", context.Cause(s.ctx))
	}
	select {
	case <-s.abandon:
		t.Fatal("the first Ctrl-C abandons")
	case <-time.After(50 * time.Millisecond):
	}
	signal()
	select {
	case <-s.abandon:
	case <-time.After(patience):
		t.Fatal("the second Ctrl-C does not abandon")
	}
}

// In the background a question would stop the process for good.
func TestInTheBackgroundNobodyIsAsked(t *testing.T) {
	dir, env := world(t)
	p := sitAt(t, dir, env, "bash", "-c", `set -m; codemode delete dir & wait $!; echo "status $?"`)
	p.expect("status 3", 1)
	p.leaves()
	if !strings.Contains(p.sees(), "DELETE_CONFIRMATION_REQUIRED") {
		t.Errorf("seen:\n%s", p.sees())
	}
}

// The second Ctrl-C gives up an operation that is changing the disk, and says
// that nobody knows how far it came.
func TestTheSecondCtrlCStopsWaiting(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many files")
	}
	// In memory, if possible: making the files should not be what takes long.
	top, err := os.MkdirTemp("/dev/shm", "codemode-test-")
	if err != nil {
		top = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	dir, env := worldIn(t, top)
	for i := range 60_000 {
		name := filepath.Join(dir, "many", strconv.Itoa(i/1000), strconv.Itoa(i))
		if i%1000 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := sit(t, dir, env, "delete", "--json", "many")
	journals := filepath.Join(filepath.Dir(dir), "state", "codemode", "*.jsonl")
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if files, _ := filepath.Glob(journals); len(files) == 1 {
			if text, _ := os.ReadFile(files[0]); bytes.Contains(text, []byte("operation-started")) {
				break
			}
		}
	}
	p.types("\x03")
	time.Sleep(10 * time.Millisecond)
	p.types("\x03")
	switch got := p.leaves(); {
	case got == statusUnknown && strings.Contains(p.sees(), `"effect":"unknown"`) && strings.Contains(p.sees(), `"evidence":`):
	case got == statusOK && strings.Contains(p.sees(), `"effect":"applied"`):
		t.Log("the operation was over before the second Ctrl-C came")
	default:
		t.Errorf("exit status %d; seen:\n%s", got, p.sees())
	}
}

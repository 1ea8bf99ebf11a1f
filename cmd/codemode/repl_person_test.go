//go:build linux

package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// prompted is a person at the prompt of codemode repl.
type prompted struct {
	*person
	dir  string
	env  []string
	from int // what was seen before the last input
}

// sitAtPrompt starts codemode repl in a world of its own.
func sitAtPrompt(t *testing.T, args ...string) *prompted {
	t.Helper()
	dir, env := world(t)
	return sitIn(t, dir, env, args...)
}

func sitIn(t *testing.T, dir string, env []string, args ...string) *prompted {
	t.Helper()
	p := &prompted{person: sit(t, dir, env, append([]string{"repl"}, args...)...), dir: dir, env: env}
	p.sees2("leaves.")
	p.ready("leaves.")
	return p
}

// sees2 waits for text that came after the last input.
func (p *prompted) sees2(text string) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if strings.Contains(p.sees()[p.from:], text) {
			return
		}
	}
	seen := p.sees()[p.from:]
	p.t.Fatalf("%q was not seen; the end of what was is\n%q", text, seen[max(0, len(seen)-700):])
}

// types2 types, and forgets what was seen before.
func (p *prompted) types2(text string) {
	p.t.Helper()
	p.from = len(p.sees())
	p.types(text)
}

// asks types an input and waits for what comes of it.
func (p *prompted) asks(input, want string) {
	p.t.Helper()
	p.types2(input + "\r")
	p.sees2(want)
	p.ready(want)
}

// ready waits for the prompt that follows what was seen. Before it stands there,
// the terminal itself would take some keys.
func (p *prompted) ready(seen string) {
	p.t.Helper()
	p.from += strings.Index(p.sees()[p.from:], seen) + len(seen)
	p.sees2("\x1b[?2004h")
}

// inYellow is a number as it is shown.
func inYellow(n any) string { return fmt.Sprintf("\x1b[33m%v\x1b[39m", n) }

func TestAPromptIsOneSession(t *testing.T) {
	t.Parallel()
	p := sitAtPrompt(t)
	p.asks("const n = 6", "\x1b[90mundefined\x1b[39m")
	p.asks("const n = 7; 2", inYellow(2))
	p.asks("_ + n * 8", inYellow(58))
	p.asks("({a: n, b: ['x']})", "{ a: "+inYellow(7)+", b: [ \x1b[32m'x'\x1b[39m ] }")
	p.asks("await Promise.resolve(40) + 1", inYellow(41))
	p.asks("store('k', {v: 19}); load('k').v", inYellow(19))
	p.asks("function boom() { null.x }", "undefined\x1b[39m")
	p.asks("boom()", "at boom (repl:7:1:24)")
	p.asks("setTimeout(() => console.log('la' + 'ter'), 30); 0", "later\r\n\x1b[33m0")
	p.asks("await tools.copy({path: 'dir/f', target: 'made'}); 1", "applied    \x1b[0m  copy dir/f -> made (file, 1 byte)")
	p.asks("await tools.copy({path: 'loose/f', target: 'made'}); 1", "OVERWRITES_OWN_RESULT")
	p.asks(".ops", "2 operations: 1 applied, 1 not applied")
	p.asks(".cwd", p.dir)
	p.asks(".nothing", "there is no command .nothing")
	p.asks(".clear", "forgotten")
	p.asks("typeof n", "'undefined'")
	p.types("\x04")
	if got := p.leaves(); got != statusOK {
		t.Errorf("exit status %d", got)
	}
	log := exec.Command("codemode", "log", "last")
	log.Dir, log.Env = p.dir, p.env
	out, err := log.Output()
	for _, want := range []string{"what     repl, 12 inputs\n", "1> const n = 6\n", "8> boom()\nfailed: ", "10> await tools.copy({path: 'dir/f', target: 'made'}); 1\napplied      copy dir/f -> made", "2 operations: 1 applied, 1 not applied"} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v, no %q in\n%s", err, want, out)
		}
	}
}

func TestInputOfSeveralLines(t *testing.T) {
	t.Parallel()
	p := sitAtPrompt(t)
	p.types2("function twice(x) {\r")
	p.types("return x * 2\r")
	p.types("}\r")
	p.sees2("undefined")
	p.ready("undefined")
	p.asks("twice(\r21\r)", inYellow(42))
	p.asks("twice.toString().split('\\n')[1]", "\x1b[32m'  return x * 2'") // indented as deep as the bracket
	var fifty strings.Builder
	for i := range 50 {
		fmt.Fprintf(&fifty, "var line%d = %d\r", i, i) // as terminals send it
	}
	p.types2("\x1b[200~" + fifty.String() + "line49 * 1000\r\x1b[201~")
	p.types("\r")
	p.sees2(inYellow(49000))
	p.ready(inYellow(49000))
	p.asks("line7 + line8", inYellow(15))
	p.types2("\x1b[200~'a\x1b]0;title\x07b'\x1b[201~\r") // a paste does not steer the terminal
	p.sees2("'a]0;titleb'")
	if strings.Contains(p.sees(), "\x1b]0;") {
		t.Error("the terminal was steered")
	}
}

func TestCtrlCStopsWhatRuns(t *testing.T) {
	t.Parallel()
	p := sitAtPrompt(t)
	p.asks("var kept = 11", "undefined")
	p.types2("console.log('on' + 1); for (;;) {}\r")
	p.sees2("on1")
	began := time.Now()
	p.types("\x03")
	p.sees2("Interrupted")
	t.Logf("a loop: %v", time.Since(began))
	p.asks("kept * 3", inYellow(33))
	p.types2("console.log('on' + 2); var x = []; x.length = 2**31; x.join('')\r")
	p.sees2("on2")
	began = time.Now()
	p.types("\x03")
	p.sees2("Interrupted")
	p.sees2("the script engine had to be replaced")
	p.ready("replaced")
	t.Logf("a built-in: %v", time.Since(began))
	p.asks("typeof kept", "'undefined'")
	p.types2("await tools.delete({path: 'dir'})\r")
	p.sees2(prompt)
	p.types("\x03")
	p.sees2("ABORTED")
	p.sees2("Interrupted")
	p.ready("Interrupted")
	p.types2("setInterval(() => console.log('ti' + 'ck'), 5)\r")
	p.sees2("tick\r\ntick")
	p.types("\x03")
	p.sees2("Interrupted")
	p.ready("Interrupted")
	p.types2("half an input")
	p.sees2("input")
	p.types2("\x03")
	p.ready("")
	p.asks("3 * 5", inYellow(15))
	p.types2("var x = 5; for (;;) {\r")
	p.sees2("{")
	p.types2("\x03")
	p.ready("")
	p.asks("x = 17", inYellow(17))
	if !exists(filepath.Join(p.dir, "dir")) {
		t.Error("an interrupted question approved")
	}
}

func TestQuestionsStandAtThePrompt(t *testing.T) {
	t.Parallel()
	p := sitAtPrompt(t)
	p.types2("await tools.delete({path: 'dir'}); 100\r")
	p.sees2(prompt)
	p.types("n\r")
	p.sees2("DELETE_NOT_APPROVED")
	p.sees2("the operation failed, see above")
	p.ready("see above")
	p.types2("await tools.delete({path: 'dir'}); 100\r")
	p.sees2(prompt)
	p.types("y\r")
	p.sees2(inYellow(100))
	if exists(filepath.Join(p.dir, "dir")) {
		t.Error("an approval did nothing")
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	p := sitAtPrompt(t)
	if err := os.MkdirAll(filepath.Join(p.dir, "dir", "宽 'x'"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.asks("var ran = 0, long_name = {alpha: 31, get trap() { ran++; return {} }}", "undefined")
	p.asks("long_n\t.al\t", inYellow(31))
	p.asks("1; long_name.trap.\t\x15 ran + 70", inYellow(70))
	p.types2("tools.de\t")
	p.sees2("tools.delete({path})")
	p.types2("pa\t'lo\t'})\r")
	p.sees2("delete loose (directory")
	p.ready("delete loose (directory")
	p.types2("(await tools.list({path: 'dir/宽\t'})).entries.length + 60\r")
	p.sees2(inYellow(60))
	p.ready(inYellow(60))
	p.types2("await tools.read({path: 'dir/f', enc\t'ba\t}).then(r => r.bytes)\r")
	p.sees2("'eA=='")
	p.ready("'eA=='")
	p.types2("tools.\t")
	p.sees2("Lists a directory")
	p.types2("\x03")
	p.ready("")
	p.asks(".he\t", "Ctrl-R")
	if p.shows("ran++ ran") {
		t.Error("a getter ran")
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	dir, env := world(t)
	first := sitIn(t, dir, env)
	first.types2("var several = [\r1111,\r]; 5\r")
	first.sees2(inYellow(5))
	first.ready(inYellow(5))
	first.asks("'the ' + 'second'", "'the second'")
	other := sitIn(t, dir, env) // at the same time
	other.asks("'from ' + 'another'", "'from another'")
	first.asks("'the ' + 'last'", "'the last'")
	first.types("\x04")
	first.leaves()
	other.types("\x04")
	other.leaves()
	state := filepath.Join(filepath.Dir(dir), "state", "codemode", "repl-history")
	if info, err := os.Stat(state); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	p := sitIn(t, dir, env)
	p.types2("\x12seco")
	p.sees2("inc-search")
	p.types("\r")
	p.sees2("'the second'")
	p.ready("'the second'")
	p.types2("\x12several")
	p.sees2("1111")
	p.types("\r")
	p.sees2(inYellow(5))
	p.ready(inYellow(5))
	p.asks("several[0] + 1", inYellow(1112)) // all lines of it were there
	p.asks("\x1b[A\x1b[A\r", inYellow(5))    // Up; within the entry it would go a line up
	without := sitIn(t, dir, env, "--no-journal")
	without.asks("'not ' + 'kept'", "'not kept'")
	if text, err := os.ReadFile(state); err != nil || strings.Contains(string(text), "kept") {
		t.Errorf("%v, %s", err, text)
	}
}

func TestResizeInTheMiddle(t *testing.T) {
	t.Parallel()
	p := sitAtPrompt(t)
	p.types2("const wide = '宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽'; wide.length + 1")
	p.sees2("length")
	for _, columns := range []uint16{40, 23, 120} {
		if err := pty.Setsize(p.tty, &pty.Winsize{Rows: 10, Cols: columns}); err != nil {
			t.Fatal(err)
		}
		p.from = len(p.sees())
		p.types(" ")
		p.sees2("宽")
	}
	p.types2("\r")
	p.sees2(inYellow(33))
	p.ready(inYellow(33))
	p.asks("\x1b[200~'"+strings.Repeat("é", 3000)+"'.length\x1b[201~", inYellow(3000))
}

func TestSignalsEndASession(t *testing.T) {
	t.Parallel()
	for name, running := range map[string]bool{"at the prompt": false, "in an input": true} {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
			t.Run(sig.String()+" "+name, func(t *testing.T) {
				t.Parallel()
				p := sitAtPrompt(t)
				p.asks("20 + 1", inYellow(21))
				if running {
					p.types2("console.log('on' + 1); for (;;) {}\r")
					p.sees2("on1")
				}
				if err := p.cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				if got := p.leaves(); got != statusCancelled {
					t.Errorf("exit status %d; seen %q", got, p.sees())
				}
				log := exec.Command("codemode", "log", "last")
				log.Dir, log.Env = p.dir, p.env
				if out, err := log.CombinedOutput(); err != nil || !strings.Contains(string(out), "status   finished") || !strings.Contains(string(out), "ended: the session was ended by a signal") {
					t.Errorf("%v: %s", err, out)
				}
			})
		}
	}
}

// An operation that has begun is finished, and the session goes on after it. Who
// does not wait for it ends the session: nothing may begin beside it.
func TestCtrlCDuringAnOperationOfASession(t *testing.T) {
	for name, gaveUp := range map[string]bool{"once": false, "twice": true} {
		t.Run(name, func(t *testing.T) {
			dir, env := manyFiles(t)
			p := sitIn(t, dir, env)
			p.types2("await tools.delete({path: 'many'}); await tools.delete({path: 'loose'})\r")
			awaitOperation(dir)
			p.types("\x03")
			said := "the delete of " + filepath.Join(dir, "many") + " has begun and is being finished"
			for end := time.Now().Add(patience); time.Now().Before(end) && !p.shows(said) && !p.shows("delete many"); {
				time.Sleep(time.Millisecond)
			}
			if !p.shows(said) {
				t.Skip("the operation was over before Ctrl-C came")
			}
			if !gaveUp {
				p.sees2("delete many (directory")
				p.sees2("Interrupted")
				p.ready("Interrupted")
				p.asks("typeof tools + 's'", "'objects'")
			} else {
				p.types("\x03")
				for end := time.Now().Add(patience); time.Now().Before(end) && !p.shows("the session ends here"); time.Sleep(time.Millisecond) {
					if p.shows("applied    \x1b[0m  delete many") {
						t.Skip("the operation was over before the second Ctrl-C came")
					}
				}
				if got := p.leaves(); got != statusUnknown || !p.shows("unknown    \x1b[0m  delete many") {
					t.Errorf("exit status %d; seen %q", got, p.sees())
				}
			}
			if !exists(filepath.Join(dir, "loose")) {
				t.Error("something began after Ctrl-C")
			}
		})
	}
}

func TestAnEditorOfOnesOwn(t *testing.T) {
	t.Parallel()
	dir, env := world(t)
	editor := filepath.Join(filepath.Dir(dir), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nstat -c 'mode %a' \"$2\"; sed 's/1/30/; $a + 3' \"$2\" > \"$2.new\"; mv \"$2.new\" \"$2\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := sitIn(t, dir, append(env, "VISUAL="+editor+" --wait", "TMPDIR="+filepath.Dir(dir)))
	p.types2("1 + 2\x18\x05")
	p.sees2("mode 600")
	p.ready("mode 600")
	p.asks("", inYellow(35))
	p.asks("\x1b[A\x1b[A\x1b[C\x1b[C9\r", inYellow(125)) // Up goes to its first line: 30 + 92, + 3
}

// Whatever keys are hit, in whatever order, the prompt goes on.
func TestAnyKeys(t *testing.T) {
	keys := []string{
		"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[3~", "\x1b[5~", "\x1b[1;5C", "\x1bb", "\x1bd", "\x1bt", "\x1bm", "\x1b", "\t", "\x12", "\x13",
		"\x01", "\x05", "\x0b", "\x15", "\x17", "\x19", "\x1f", "\x0c", "\x14", "\x7f", "\r", "\x03", "\x07", "\x1b[200~a\r{(\x1b[201~", "\x1b[Z", "\x1b-", "\x1b1", "\x1b.", "\x00",
		"\x1bOP", "宽", "😀", "e\u0301", "\xff", "a", "tools.", "(", ")", "{", "}", "'", "`", " ", "const x = ", ".help", "Math.", "path: ", ",",
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			p := sitAtPrompt(t)
			for range 250 {
				if random.IntN(25) == 0 {
					size := pty.Winsize{Rows: uint16(4 + random.IntN(40)), Cols: uint16(10 + random.IntN(100))}
					if err := pty.Setsize(p.tty, &size); err != nil {
						t.Fatal(err)
					}
				}
				p.types(keys[random.IntN(len(keys))])
				time.Sleep(time.Duration(random.IntN(3)) * time.Millisecond)
			}
			// Each of these may be taken by what stands open, such as a search.
			for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
				p.types2("\x1b\x03")
				time.Sleep(50 * time.Millisecond)
				p.types("40 + 2\r")
				time.Sleep(100 * time.Millisecond)
				if strings.Contains(p.sees()[p.from:], inYellow(42)) {
					return
				}
				if time.Now().After(end) {
					t.Fatalf("it does not answer any more; seen %q", p.sees()[p.from:])
				}
			}
		})
	}
}

func TestNoColour(t *testing.T) {
	t.Parallel()
	dir, env := world(t)
	p := sitIn(t, dir, append(env, "NO_COLOR=1"))
	p.asks("[1, 'a', null]", "[ 1, 'a', null ]")
	p.types2("tools.\t\t")
	p.sees2("delete")
	p.types2("\x03")
	p.ready("")
	p.types2("\x12nu")
	p.sees2("inc-search")
	p.types("\x1b\x03") // leaves the search; the prompt stays
	p.asks("null.x", "Uncaught")
	p.asks("await tools.copy({path: 'dir', target: 'copied'}); 4", "applied")
	if colour := regexp.MustCompile("\x1b\\[[0-9;]*[349][0-9][0-9;]*m").FindString(p.sees()); colour != "" {
		t.Errorf("there is the colour %q in %q", colour, p.sees())
	}
}

// A terminal that cannot move its cursor has a prompt, too.
func TestADumbTerminal(t *testing.T) {
	t.Parallel()
	dir, env := world(t)
	p := &prompted{person: sit(t, dir, append(env, "TERM=dumb"), "repl"), dir: dir, env: env}
	p.sees2("leaves.\r\n> ")
	p.types2("({a: 6,\r")
	p.sees2("| ")
	p.types2("b: 7}).b * 6\r")
	p.sees2("42\r\n> ")
	p.types2("for (;;) {\r")
	p.sees2("| ")
	p.types2("\x03")
	p.sees2("> ")
	p.types2("console.log('on' + 1); for (;;) {}\r")
	p.sees2("on1")
	p.types2("\x03")
	p.sees2("Interrupted")
	p.sees2("> ")
	p.types2("await tools.delete({path: 'dir'}); 31\r")
	p.sees2(prompt)
	p.types2("y\r")
	p.sees2("31\r\n> ")
	if strings.Contains(p.sees(), "\x1b") {
		t.Errorf("there are escape sequences in %q", p.sees())
	}
	p.types("\x04")
	if got := p.leaves(); got != statusOK {
		t.Errorf("exit status %d", got)
	}
}

// Ten thousand results in a row take no more memory than a few.
func TestManyResultsTakeNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	t.Parallel()
	dir, env := world(t)
	cmd := exec.Command("codemode", "repl")
	cmd.Dir, cmd.Env = dir, env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	const results = 10_000
	go func() {
		for i := range results {
			fmt.Fprintf(in, "({i: %d, text: 'x'.repeat(1000), list: [1, 2, 3]}).i\n", i)
		}
	}()
	lines := bufio.NewScanner(out)
	var early, late int64
	for i := range results {
		if !lines.Scan() || lines.Text() != fmt.Sprint(i) {
			t.Fatalf("result %d is %q", i, lines.Text())
		}
		switch i {
		case results / 5:
			early = residentMemory(t, cmd.Process.Pid)
		case results - 1:
			late = residentMemory(t, cmd.Process.Pid)
		}
	}
	if late > early+(16<<20) {
		t.Errorf("memory grew from %d to %d bytes", early, late)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// residentMemory is what a process and its children take.
func residentMemory(t *testing.T, pid int) (bytes int64) {
	t.Helper()
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		t.Skip(err)
	}
	for _, id := range append(strings.Fields(string(children)), strconv.Itoa(pid)) {
		statm, _ := os.ReadFile("/proc/" + id + "/statm")
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			bytes += pages * int64(os.Getpagesize())
		}
	}
	return bytes
}

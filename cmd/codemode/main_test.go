//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"codemode/runtime/worker"
)

func TestMain(m *testing.M) {
	worker.Main() // the sandbox of a command under test is this binary, too
	if filepath.Base(os.Args[0]) != "codemode" {
		leaveTerminal()
	} // else this is the command, at whatever terminal a test gave it
	testscript.Main(m, map[string]func(){"codemode": main})
}

// leaveTerminal makes sure that nobody sits at these tests, whoever started
// them: without a controlling terminal no question can reach the developer's.
// (Fails harmlessly where this process leads a group; then it has a session of
// its own or none.)
func leaveTerminal() {
	if _, err := unix.Setsid(); err == nil {
		return
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer tty.Close()
	if sid, err := unix.Getsid(0); err == nil && sid != os.Getpid() {
		_ = unix.IoctlSetInt(int(tty.Fd()), unix.TIOCNOTTY, 0) // without it, the tests may ask on the terminal
	}
}

// TestScripts runs testdata/script/*.txtar. Each starts in proj, a Git
// repository without commits, with a home of its own. Besides the commands of
// testscript there are
//
//	exits N codemode ARG...   run it and demand the exit status
//	json PATH [VALUE]         standard output is one JSON document that has PATH (with this value)
//	raw NAME "bytes"          set a variable to a Go string, for names that are not UTF-8
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
			"json":  checkJSON,
			"raw":   rawVariable,
		},
	})
}

func setup(env *testscript.Env) error {
	for name, value := range surroundings(env.WorkDir) {
		env.Setenv(name, value)
	}
	proj := filepath.Join(env.WorkDir, "proj")
	for _, dir := range []string{"proj", "home"} {
		if err := os.MkdirAll(filepath.Join(env.WorkDir, dir), 0o755); err != nil {
			return err
		}
	}
	env.Cd = proj
	out, err := exec.Command("git", "init", "-q", proj).CombinedOutput()
	if err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	return nil
}

// surroundings is the environment of a person who lives in dir.
func surroundings(dir string) map[string]string {
	return map[string]string{
		"HOME": filepath.Join(dir, "home"), "XDG_CONFIG_HOME": filepath.Join(dir, "config"), "XDG_STATE_HOME": filepath.Join(dir, "state"),
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "TERM": "xterm", "NO_COLOR": "", "TMPDIR": filepath.Join(dir, ".tmp"),
		"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.invalid", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.invalid",
	}
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: json PATH [VALUE]")
	}
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		ts.Fatalf("standard output is no JSON: %v", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		ts.Fatalf("standard output holds more than one document")
	}
	value, found := lookUp(doc, args[0])
	if len(args) == 1 {
		if found == neg {
			ts.Fatalf("%s: found is %t", args[0], found)
		}
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	ts.Check(enc.Encode(value))
	got := strings.TrimSuffix(b.String(), "\n")
	if s, ok := value.(string); ok {
		got = s
	}
	if (found && got == args[1]) == neg {
		ts.Fatalf("%s is %s (found: %t), not compared well with %s", args[0], got, found, args[1])
	}
}

// lookUp finds "a.0.b" in a document.
func lookUp(doc any, path string) (any, bool) {
	for _, key := range strings.Split(path, ".") {
		switch v := doc.(type) {
		case map[string]any:
			next, ok := v[key]
			if !ok {
				return nil, false
			}
			doc = next
		case []any:
			i, err := strconv.Atoi(key)
			switch {
			case key == "length":
				doc = json.Number(strconv.Itoa(len(v)))
			case err != nil || i >= len(v):
				return nil, false
			default:
				doc = v[i]
			}
		default:
			return nil, false
		}
	}
	return doc, true
}

func rawVariable(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: raw NAME BYTES")
	}
	value, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Setenv(args[0], value)
}

func TestAPanicIsNoWrongUsage(t *testing.T) {
	var said bytes.Buffer
	broken := readerFunc(func([]byte) (int, error) { panic("broken pipe organ") })
	status := run([]string{"run", "-"}, stdio{in: broken, out: io.Discard, err: &said}, []string{"HOME=" + t.TempDir()})
	if status != statusFailed || !strings.Contains(said.String(), "codemode: internal error, please report it: broken pipe organ") {
		t.Errorf("status %d, said %s", status, said.String())
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

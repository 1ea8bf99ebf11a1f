//go:build linux

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// patience is how long something may take that has no time of its own to keep.
// Only what fails waits for so long.
const patience = time.Minute

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
	go p.watch()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.tty.Close()
	})
	return p
}

// watch remembers what the terminal shows, until it is closed.
func (p *person) watch() {
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
}

func (p *person) sees() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.String()
}

func (p *person) shows(text string) bool { return strings.Contains(p.sees(), text) }

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

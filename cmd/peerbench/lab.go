package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// A lab is what all benches of one run use. Each thing in it is made when the
// first bench asks for it.
type lab struct {
	ctx context.Context
	dir string // of this run, removed at its end

	codemode func() (string, error) // the command, built for this run
	pi       func() (*pi, error)    // pi-codemode with a Node.js
}

func newLab(ctx context.Context, o options, say func(string, ...any)) (*lab, error) {
	dir, err := os.MkdirTemp("", "peerbench-")
	if err != nil {
		return nil, err
	}
	l := &lab{ctx: ctx, dir: dir}
	l.codemode = sync.OnceValues(func() (string, error) {
		if o.codemode != "" {
			return filepath.Abs(o.codemode)
		}
		say("building codemode")
		return l.build()
	})
	l.pi = sync.OnceValues(func() (*pi, error) { return fetchPi(ctx, o.cache, o.offline, say) })
	return l, nil
}

func (l *lab) close() { os.RemoveAll(l.dir) }

// build builds the command of the module that holds the current directory.
func (l *lab) build() (string, error) {
	name := filepath.Join(l.dir, "codemode")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	out, err := exec.CommandContext(l.ctx, "go", "build", "-o", name, "codemode/cmd/codemode").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build codemode/cmd/codemode: %w\n%s", err, out)
	}
	return name, nil
}

// command is a program run the way a person runs it in a folder of theirs, here
// an empty one, without settings and without a terminal.
func (l *lab) command(program string, args ...string) (*exec.Cmd, error) {
	home, work := filepath.Join(l.dir, "home"), filepath.Join(l.dir, "work")
	for _, dir := range []string{home, work} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(l.ctx, program, args...)
	cmd.Dir = work
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "XDG_") && !strings.HasPrefix(name, "NODE_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+home, "GIT_CEILING_DIRECTORIES="+l.dir)
	return cmd, nil
}

// failure is what a command that failed had to say.
func failure(err error, stderr []byte) error {
	if text := bytes.TrimSpace(stderr); len(text) > 0 {
		return fmt.Errorf("%w: %s", err, text)
	}
	return err
}

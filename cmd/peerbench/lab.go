package main

import (
	"bytes"
	"context"
	"errors"
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
	ctx     context.Context
	dir     string // of this run, removed at its end
	images  string // where disk images are made
	cache   string
	offline bool
	scale   float64 // how much of the usual work is done
	samples int     // how many each side of the present bench takes

	codemode func() (string, error)                         // the command, built for this run
	pi       func() (*pi, error)                            // pi-codemode and fs-extra with a Node.js
	rsync    func() (func(args ...string) *exec.Cmd, error) // the system's, or the system's package
	otiai    func() (string, error)                         // a program that uses otiai10/copy

	home    func() string // of the commands that are run
	volumes map[kind]*volume
	missing map[kind]error         // why there is no such volume
	tracked func() (string, error) // a repository with many tracked files
}

func newLab(ctx context.Context, o options, say func(string, ...any)) (*lab, error) {
	dir, err := os.MkdirTemp("", "peerbench-")
	if err != nil {
		return nil, err
	}
	l := &lab{
		ctx: ctx, dir: dir, images: o.images, cache: o.cache, offline: o.offline, scale: o.scale,
		volumes: map[kind]*volume{}, missing: map[kind]error{},
	}
	l.codemode = sync.OnceValues(func() (string, error) {
		if o.codemode != "" {
			return filepath.Abs(o.codemode)
		}
		say("building codemode")
		return l.build("codemode", ".", "codemode/cmd/codemode")
	})
	l.otiai = sync.OnceValues(l.buildOtiai)
	l.home = sync.OnceValue(l.findHome)
	l.rsync = sync.OnceValues(l.findRsync)
	l.tracked = sync.OnceValues(l.makeTracked)
	l.pi = sync.OnceValues(func() (*pi, error) { return fetchPi(ctx, o.cache, o.offline, say) })
	return l, nil
}

// close takes everything away that the run has made. What is mounted goes
// first: where that fails, nothing is removed, as it would be in there, too.
func (l *lab) close() error {
	var err error
	for _, v := range l.volumes {
		err = errors.Join(err, v.release())
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(l.dir)
}

// build builds a program of the module that holds the folder.
func (l *lab) build(name, folder, program string) (string, error) {
	name = filepath.Join(l.dir, name)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.CommandContext(l.ctx, "go", "build", "-C", folder, "-o", name, program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if l.offline {
		cmd.Env = append(cmd.Env, "GOPROXY=off")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", program, err, out)
	}
	return name, nil
}

// command is a program run the way a person runs it in a folder of theirs, here
// an empty one, without settings and without a terminal.
func (l *lab) command(program string, args ...string) (*exec.Cmd, error) {
	home, work := l.home(), filepath.Join(l.dir, "work")
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

// findHome is on a tmpfs where there is one: each run of our command makes a file
// there, its journal, which must not depend on what else the disk has to do.
func (l *lab) findHome() string {
	if v, err := l.volume(onTmpfs); err == nil {
		return filepath.Join(filepath.Dir(v.project), "home")
	}
	return filepath.Join(l.dir, "home")
}

// failure is what a command that failed had to say.
func failure(err error, stderr []byte) error {
	if text := bytes.TrimSpace(stderr); len(text) > 0 {
		return fmt.Errorf("%w: %s", err, text)
	}
	return err
}

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A tool does file work: it copies, removes or moves what it is told. Its work
// takes the milliseconds that it returns.
type tool struct {
	name string
	does string
	ours bool
	open func(*lab) (func(dir string, paths ...string) (float64, error), error)
}

// whole is a tool whose whole process is measured, from its start to its exit.
func whole(name, does string, command func(l *lab) (func(paths ...string) (*exec.Cmd, error), error)) tool {
	return tool{name: name, does: does, open: func(l *lab) (func(string, ...string) (float64, error), error) {
		prepare, err := command(l)
		if err != nil {
			return nil, err
		}
		return func(dir string, paths ...string) (float64, error) {
			cmd, err := prepare(paths...)
			if err != nil {
				return 0, err
			}
			cmd.Dir = dir
			return timed(millis, func() error { return complete(cmd) })
		}, nil
	}}
}

// codemode is our command: with its journal and all its checks, in a project
// where nobody has to be asked, as nothing in it is tracked.
func codemode(args ...string) tool {
	t := whole("codemode", "codemode "+strings.Join(args, " ")+", whole process, with its journal", func(l *lab) (func(...string) (*exec.Cmd, error), error) {
		program, err := l.codemode()
		return func(paths ...string) (*exec.Cmd, error) {
			return l.command(program, append(args[:len(args):len(args)], paths...)...)
		}, err
	})
	t.ours = true
	return t
}

// system is a program that the system has.
func system(args ...string) tool {
	name := strings.Join(args, " ")
	return whole(name, name+", whole process", func(l *lab) (func(...string) (*exec.Cmd, error), error) {
		program, err := exec.LookPath(args[0])
		if err != nil {
			return nil, fmt.Errorf("there is no %s", args[0])
		}
		return func(paths ...string) (*exec.Cmd, error) {
			return l.command(program, append(args[1:len(args):len(args)], paths...)...)
		}, nil
	})
}

// rsync copies what is in a folder into another: that is what the slashes say.
func rsync() tool {
	return whole("rsync -a", "rsync -a SOURCE/ TARGET/, whole process", func(l *lab) (func(...string) (*exec.Cmd, error), error) {
		program, err := l.rsync()
		return func(paths ...string) (*exec.Cmd, error) {
			return program("-a", paths[0]+"/", paths[1]+"/"), nil
		}, err
	})
}

// otiai is the Go package otiai10/copy in a program that does nothing else.
func otiai() tool {
	return whole("otiai10/copy", "a Go program that calls copy.Copy of otiai10/copy (peers/otiai), whole process", func(l *lab) (func(...string) (*exec.Cmd, error), error) {
		program, err := l.otiai()
		return func(paths ...string) (*exec.Cmd, error) { return l.command(program, paths...) }, err
	})
}

// node is a function of Node.js, measured in its process: the start of Node.js
// and the loading of modules do not count.
func node(name, does, task string) tool {
	return tool{name: name, does: does + ", measured inside Node.js, without its start (pi/files.mjs)",
		open: func(l *lab) (func(string, ...string) (float64, error), error) {
			p, err := l.pi()
			if err != nil {
				return nil, err
			}
			return func(dir string, paths ...string) (float64, error) {
				cmd, err := l.command(p.node, append([]string{filepath.Join(p.dir, "files.mjs"), task}, paths...)...)
				if err != nil {
					return 0, err
				}
				cmd.Dir = dir
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if err != nil {
					return 0, failure(err, stderr.Bytes())
				}
				return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
			}, nil
		}}
}

// complete runs a command to its end. An error has what the command complained of.
func complete(cmd *exec.Cmd) error {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return failure(fmt.Errorf("%s: %w", filepath.Base(cmd.Path), err), stderr.Bytes())
	}
	return nil
}

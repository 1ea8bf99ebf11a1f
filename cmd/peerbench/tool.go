package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
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
		make, err := command(l)
		if err != nil {
			return nil, err
		}
		return func(dir string, paths ...string) (float64, error) {
			cmd, err := make(paths...)
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

// A site is where a piece of work finds and leaves what it works on.
type site struct {
	from, to *volume
	tree     func(*lab) tree
}

// here is a site on one volume.
func here(k kind, t func(*lab) tree) func(*lab) (site, error) { return across(k, k, t) }

func across(from, to kind, t func(*lab) tree) func(*lab) (p site, err error) {
	return func(l *lab) (p site, err error) {
		p.tree = t
		if p.from, err = l.volume(from); err != nil {
			return p, err
		}
		p.to, err = l.volume(to)
		return p, err
	}
}

func (p site) settle(l *lab) error {
	if err := p.from.settle(l.ctx); err != nil || p.to == p.from {
		return err
	}
	return p.to.settle(l.ctx)
}

// copySide copies a tree that is laid out once. What a copy leaves is removed,
// and what it made counted, before the next sample.
func copySide(t tool, at func(*lab) (site, error), before func(*lab) error) side {
	return side{name: t.name, does: t.does, ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		source, entries, err := p.from.master(p.tree(l))
		if err != nil {
			return nil, err
		}
		target := filepath.Join(p.to.project, "copy")
		return &sampler{sample: func() (took float64, err error) {
			defer os.RemoveAll(target)
			if err := p.settle(l); err != nil {
				return 0, err
			}
			if before != nil {
				if err := before(l); err != nil {
					return 0, err
				}
			}
			if took, err = run(p.to.project, source, target); err != nil {
				return 0, err
			}
			return took, holds(target, entries)
		}}, nil
	}}
}

// removeSide removes a tree that is laid out for it.
func removeSide(t tool, at func(*lab) (site, error)) side {
	return side{name: t.name, does: t.does, ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		target := filepath.Join(p.from.project, "old")
		return &sampler{sample: func() (took float64, err error) {
			defer os.RemoveAll(target)
			if err := p.tree(l).plant(target); err != nil {
				return 0, err
			}
			if err := p.settle(l); err != nil {
				return 0, err
			}
			if took, err = run(p.from.project, target); err != nil {
				return 0, err
			}
			return took, absent(target)
		}}, nil
	}}
}

// removeAheadSide removes trees that are all laid out before the first sample.
func removeAheadSide(t tool, at func(*lab) (site, error)) side {
	return side{name: t.name, does: t.does + "; all trees were laid out before", ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		next := 0
		name := func(n int) string {
			return filepath.Join(p.from.project, fmt.Sprintf("%s-%d", filepath.Base(t.name), n))
		}
		for n := range l.samples {
			if err := p.tree(l).plant(name(n)); err != nil {
				return nil, err
			}
			if err := l.ctx.Err(); err != nil {
				return nil, err
			}
		}
		return &sampler{sample: func() (float64, error) {
			target := name(next)
			next++
			if err := p.settle(l); err != nil {
				return 0, err
			}
			took, err := run(p.from.project, target)
			if err != nil {
				return 0, err
			}
			return took, absent(target)
		}}, nil
	}}
}

// moveSide moves a tree. On one volume it goes to and fro; with replace there is
// always the one of the sample before at the target.
func moveSide(t tool, at func(*lab) (site, error), replace bool) side {
	return side{name: t.name, does: t.does, ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		source, target := filepath.Join(p.from.project, t.name+" source"), filepath.Join(p.to.project, t.name+" target")
		remove := func() { os.RemoveAll(source); os.RemoveAll(target) }
		plots := []string{source}
		if replace {
			plots = append(plots, target)
		}
		sample := func() (took float64, err error) {
			for _, plot := range plots {
				if absent(plot) != nil {
					continue
				}
				if err := p.tree(l).plant(plot); err != nil {
					return 0, err
				}
			}
			entries, err := count(source)
			if err != nil {
				return 0, err
			}
			if err := p.settle(l); err != nil {
				return 0, err
			}
			if took, err = run(p.from.project, source, target); err != nil {
				return 0, err
			}
			if err := errors.Join(absent(source), holds(target, entries)); err != nil {
				return 0, err
			}
			switch {
			case replace:
			case p.from == p.to:
				source, target = target, source
				plots[0] = source
			default:
				return took, os.RemoveAll(target)
			}
			return took, nil
		}
		return &sampler{sample: sample, close: remove}, nil
	}}
}

// holds makes sure that work was done, and not only fast.
func holds(dir string, entries int) error {
	n, err := count(dir)
	if err == nil && n != entries {
		err = fmt.Errorf("%d entries came of %d", n, entries)
	}
	return err
}

func absent(path string) error {
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		return fmt.Errorf("%s is still there", filepath.Base(path))
	}
	return nil
}

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"

	"codemode/ops"
	"codemode/ops/fsys"
	"codemode/ops/journal"
)

// moveBenches are about moving a tree. On one file system that is a rename, and
// what takes time is the look at all that would move; between two it is a copy
// and a removal.
func moveBenches() []bench {
	inside := func(k kind) []bench {
		at := here(k, smallTree)
		const peer = "find"
		sides := func(replace bool) []side {
			return []side{
				moveSide(inProcess(ops.Move), at, replace),
				moveSide(codemode("move"), at, replace),
				walkSide(findWalk, at),
				walkSide(ownSurvey, at),
			}
		}
		pairs := []pair{
			{ours: "in-process", peer: peer, level: true},
			{ours: "codemode", peer: peer},
			{ours: "in-process", peer: "one survey of ours"},
		}
		return []bench{
			{name: "move many small files, " + string(k), unit: millis, needs: on(k), rarely: 4, sides: sides(false), pairs: pairs},
			{name: "replace many small files, " + string(k), unit: millis, needs: on(k), rarely: 4, sides: sides(true), pairs: pairs},
		}
	}
	between := across(onExt4, onTmpfs, smallTree)
	return append(append(inside(onTmpfs), inside(onExt4)...), bench{
		name: "move many small files, ext4 to tmpfs", unit: millis, needs: on(onExt4, onTmpfs), rarely: 4,
		sides: []side{
			moveSide(codemode("move"), between, false),
			moveSide(system("mv"), between, false),
			moveSide(fsExtraMove, between, false),
		},
		pairs: []pair{{ours: "codemode", peer: "mv", times: 2.4}, {ours: "codemode", peer: "fs-extra"}},
	})
}

var fsExtraMove = node("fs-extra", "await move of fs-extra", "move")

// findWalk looks at each entry, as every one has a link, and prints nothing.
var findWalk = whole("find", "find TREE -links 0, which looks at each entry and prints nothing, whole process", func(l *lab) (func(...string) (*exec.Cmd, error), error) {
	program, err := exec.LookPath("find")
	return func(paths ...string) (*exec.Cmd, error) { return l.command(program, paths[0], "-links", "0") }, err
})

// ownSurvey is the look at a tree that a Move takes before it changes something.
var ownSurvey = tool{name: "one survey of ours", does: "fsys.Place.Survey in this process", ours: true,
	open: func(l *lab) (func(string, ...string) (float64, error), error) {
		return func(_ string, paths ...string) (float64, error) {
			root, err := fsys.OpenRoot("")
			if err != nil {
				return 0, err
			}
			defer root.Close()
			return timed(millis, func() error {
				top, err := root.Resolve(paths[0], false)
				if err != nil {
					return err
				}
				defer top.Close()
				_, err = top.Survey(l.ctx, fsys.Surveying{})
				return err
			})
		}, nil
	}}

// inProcess is one operation of a session in this process, which keeps a
// journal. The session is opened for it, which counts.
func inProcess(o ops.Operation) tool {
	return tool{name: "in-process", does: fmt.Sprintf("ops.Session.Do of a %s in this process, with a journal; opening the session counts", o), ours: true,
		open: func(l *lab) (func(string, ...string) (float64, error), error) {
			return func(dir string, paths ...string) (float64, error) {
				return timed(millis, func() error {
					s, end, err := l.session(dir, nil)
					if err != nil {
						return err
					}
					defer end()
					request := ops.Request{Operation: o, Path: paths[0]}
					if len(paths) > 1 {
						request.Target = paths[1]
					}
					if r := s.Do(l.ctx, request); !r.OK {
						return r.Err()
					}
					return nil
				})
			}, nil
		}}
}

// session opens one that works in dir and keeps a journal, as the command's do.
func (l *lab) session(dir string, onReceipt func(ops.Receipt)) (s *ops.Session, end func(), err error) {
	journals := filepath.Join(l.home(), "journal")
	run, err := journal.Create(journals, journal.Options{})
	if err != nil {
		return nil, nil, err
	}
	s, err = ops.Open(ops.Config{Dir: dir, Journal: run, JournalDir: journals, OnReceipt: onReceipt})
	if err != nil {
		run.Close()
		return nil, nil, err
	}
	return s, func() { s.Close(); run.Close() }, nil
}

// walkSide walks through the tree that is laid out once.
func walkSide(t tool, at func(*lab) (site, error)) side {
	return side{name: t.name, does: t.does, ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		source, _, err := p.from.master(p.tree(l))
		if err != nil {
			return nil, err
		}
		return &sampler{sample: func() (float64, error) {
			if err := p.settle(l); err != nil {
				return 0, err
			}
			return run(p.from.project, source)
		}}, nil
	}}
}

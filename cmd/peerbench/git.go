package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"codemode/ops/gitstate"
)

// trackedFiles is how many files the index of the large repository has, in a
// hundred folders.
const trackedFiles = 100_000

// gitBenches are about what Git knows of a path in a large repository.
func gitBenches() []bench {
	verdict := func(l *lab, in *gitstate.Inspector, dir string) error {
		v := in.Classify(l.ctx, filepath.Join(dir, "folder-50", "untracked"), false, dir)
		if v != (gitstate.Verdict{Repository: dir}) {
			return fmt.Errorf("the verdict is %+v", v)
		}
		return nil
	}
	ours := func(name, does string, u unit, runs int, kept bool) side {
		return side{name: name, does: does, ours: true, open: func(l *lab) (*sampler, error) {
			dir, err := l.tracked()
			if err != nil {
				return nil, err
			}
			in := gitstate.New(gitstate.Options{})
			return &sampler{sample: func() (float64, error) {
				took, err := timed(u, func() error {
					for range runs {
						if !kept {
							in = gitstate.New(gitstate.Options{})
						}
						if err := verdict(l, in, dir); err != nil {
							return err
						}
					}
					return nil
				})
				return took / float64(runs), err
			}}, nil
		}}
	}
	return []bench{{
		name: "first Git verdict at 100,000 entries", unit: millis, needs: on(onTmpfs),
		sides: []side{
			ours("in-process", "Classify of a new gitstate.Inspector: is this file tracked?", millis, 1, false),
			{name: "git ls-files", does: "git ls-files -- FILE as a process", open: processSide(func(l *lab) (*exec.Cmd, error) {
				dir, err := l.tracked()
				if err != nil {
					return nil, err
				}
				cmd, err := l.command("git", "ls-files", "--", filepath.Join("folder-50", "untracked"))
				if err == nil {
					cmd.Dir = dir
				}
				return cmd, err
			})},
		},
		pairs: []pair{{ours: "in-process", peer: "git ls-files", times: 5}},
	}, {
		name: "next Git verdict at 100,000 entries", unit: micros, needs: on(onTmpfs),
		sides: []side{ours("in-process", "Classify of an Inspector that has answered before, mean of 1000", micros, 1000, true)},
		pairs: []pair{{ours: "in-process", within: 2}},
	}}
}

// makeTracked makes the large repository: its index names files, of which none
// exists but one that is not in it. It waits until Git, and ours, need not
// suspect any more that the index changed in the very moment it was read.
func (l *lab) makeTracked() (string, error) {
	v, err := l.volume(onTmpfs)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(v.project), "tracked")
	if err := l.repository(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(dir, "folder-50"), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "folder-50", "untracked"), nil, 0o644); err != nil {
		return "", err
	}
	const empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" // the blob without a byte
	var names bytes.Buffer
	for i := range max(100, int(trackedFiles*l.scale)) {
		fmt.Fprintf(&names, "100644 %s\tfolder-%02d/with-a-rather-long-name/file-%06d.go\n", empty, i%100, i)
	}
	cmd, err := l.command("git", "update-index", "--index-info")
	if err != nil {
		return "", err
	}
	cmd.Dir, cmd.Stdin = dir, &names
	if err := complete(cmd); err != nil {
		return "", err
	}
	return dir, pause(l.ctx, time.Duration(min(1, l.scale)*float64(3*time.Second))) // a quick look need not wait
}

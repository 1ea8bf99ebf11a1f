package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// hundredThousand entries are the tree whose removal is looked at.
var hundredThousand = grove{folders: 100, files: 99_899, smallest: 0, largest: 1}

// peakBenches are about how much more memory a process takes at its peak for a
// tree of so many hundred thousand entries than for one file.
func peakBenches(name string, hundreds float64, rarely int) []bench {
	grown := func(program func(l *lab) (string, error), args ...string) func(*lab) (*sampler, error) {
		return func(l *lab) (*sampler, error) {
			path, err := program(l)
			if err != nil {
				return nil, err
			}
			return &sampler{sample: func() (float64, error) {
				var peaks [2]float64
				for i, t := range []tree{oneFile(l), {"entries", hundredThousand.scaled(l.scale * hundreds).plant}} {
					if peaks[i], err = l.peakOf(t, path, args...); err != nil {
						return 0, err
					}
				}
				return peaks[1] - peaks[0], nil
			}}, nil
		}
	}
	found := func(name string) func(*lab) (string, error) {
		return func(*lab) (string, error) { return exec.LookPath(name) }
	}
	does := fmt.Sprintf(" of %.0f,000 entries: the peak of the resident set of the whole process, less that for one file", 100*hundreds)
	return []bench{{
		name: name, unit: mebi, needs: on(onTmpfs), rarely: rarely,
		sides: []side{
			{name: "codemode delete", does: "codemode delete" + does, ours: true, open: grown(func(l *lab) (string, error) { return l.codemode() }, "delete")},
			{name: "rm -rf", does: "rm -rf" + does, open: grown(found("rm"), "-rf")},
		},
		pairs: []pair{{ours: "codemode delete", peer: "rm -rf", within: 64}},
	}}
}

// peakOf is the peak of the resident set, in MiB, of a program that removes a
// tree. The kernel's account of an ended process would not do: it begins with
// the memory of the process that started it.
func (l *lab) peakOf(t tree, program string, args ...string) (float64, error) {
	v, err := l.volume(onTmpfs)
	if err != nil {
		return 0, err
	}
	target := filepath.Join(v.project, "peak")
	defer os.RemoveAll(target)
	if err := t.plant(target); err != nil {
		return 0, err
	}
	cmd, err := l.command(program, append(args[:len(args):len(args)], target)...)
	if err != nil {
		return 0, err
	}
	cmd.Dir = v.project
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var peak float64
	for {
		if size, err := peakSize(cmd.Process.Pid); err == nil {
			peak = max(peak, size)
		}
		select {
		case err := <-ended:
			if err != nil {
				return 0, failure(err, stderr.Bytes())
			}
			return peak, absent(target)
		case <-time.After(200 * time.Microsecond):
		}
	}
}

// peakSize is the peak of a process's resident set so far, in MiB.
func peakSize(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kilobytes); n == 1 {
			return kilobytes / 1024, nil
		}
	}
	return 0, os.ErrNotExist
}

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// counted is the tree whose files are counted against: small, as tracing is slow.
var counted = grove{folders: 20, files: 2_000, smallest: 100, largest: 8 << 10}

// systemCallBenches are about how often the kernel is asked for each file.
func systemCallBenches() []bench {
	const how = ", traced by strace -f: the system calls on a tree of 2,000 files in 20 folders less those on one of 1 file, for each file"
	traces := func(name string, ours bool, target bool, command ...string) side {
		return side{name: name, does: name + how, ours: ours, open: func(l *lab) (*sampler, error) {
			program := command[0]
			if ours {
				var err error
				if program, err = l.codemode(); err != nil {
					return nil, err
				}
			}
			return &sampler{sample: func() (float64, error) {
				trees := [2]grove{{folders: 1, files: 1, largest: 1}, counted.scaled(l.scale)}
				var n [2]float64
				for i, tree := range trees {
					var err error
					if n[i], err = l.systemCalls(tree, target, program, command[1:]...); err != nil {
						return 0, err
					}
				}
				return (n[1] - n[0]) / float64(max(1, trees[1].files-1)), nil
			}}, nil
		}}
	}
	return []bench{{
		name: "system calls, delete", unit: calls, needs: traced, rarely: 20,
		sides: []side{traces("codemode delete", true, false, "codemode", "delete"), traces("rm -rf", false, false, "rm", "-rf")},
		pairs: []pair{{ours: "codemode delete", peer: "rm -rf", within: 3.1}},
	}, {
		name: "system calls, copy", unit: calls, needs: traced, rarely: 20,
		sides: []side{traces("codemode copy", true, true, "codemode", "copy"), traces("cp -r", false, true, "cp", "-r")},
		pairs: []pair{{ours: "codemode copy", peer: "cp -r", within: 11}},
	}}
}

// traced is what needs a strace that may trace.
func traced(l *lab) error {
	if _, err := exec.LookPath("strace"); err != nil {
		return errors.New("there is no strace")
	}
	if err := complete(exec.CommandContext(l.ctx, "strace", "-f", "-c", "-o", os.DevNull, "true")); err != nil {
		return fmt.Errorf("strace cannot trace here: %w", err)
	}
	return on(onTmpfs)(l)
}

// systemCalls counts those of a program that works on a tree laid out for it.
func (l *lab) systemCalls(t grove, target bool, program string, args ...string) (float64, error) {
	v, err := l.volume(onTmpfs)
	if err != nil {
		return 0, err
	}
	from, to, log := filepath.Join(v.project, "traced"), filepath.Join(v.project, "made"), filepath.Join(l.dir, "strace")
	defer os.RemoveAll(from)
	defer os.RemoveAll(to)
	if err := t.plant(from); err != nil {
		return 0, err
	}
	args = append(append([]string{"-f", "-c", "-o", log, program}, args...), from)
	if target {
		args = append(args, to)
	}
	cmd, err := l.command("strace", args...)
	if err != nil {
		return 0, err
	}
	cmd.Dir = v.project
	if err := complete(cmd); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	return totalCalls(string(text))
}

// totalCalls reads the last line of what strace -c writes: "100.00 seconds
// usecs/call calls errors total", where errors may be missing.
func totalCalls(summary string) (float64, error) {
	for line := range strings.Lines(summary) {
		if f := strings.Fields(line); len(f) >= 5 && f[len(f)-1] == "total" {
			return strconv.ParseFloat(f[3], 64)
		}
	}
	return 0, errors.New("strace did not tell the number of calls")
}

package main

import (
	"bytes"
	"os/exec"

	"codemode/runtime"
)

// startBenches are about the way to the result of an empty script.
func startBenches() []bench {
	piWhole := side{name: "pi-codemode", does: "node on a file that imports pi-codemode, runs an empty script in a sandbox with one tool, and closes it (pi/empty.mjs)",
		open: processSide(func(l *lab) (*exec.Cmd, error) {
			p, err := l.pi()
			if err != nil {
				return nil, err
			}
			return p.command(l, "empty.mjs")
		})}
	floor := side{name: "node -e ''", does: "the same Node.js with nothing to do", open: processSide(func(l *lab) (*exec.Cmd, error) {
		p, err := l.pi()
		if err != nil {
			return nil, err
		}
		return l.command(p.node, "-e", "")
	})}
	again := piWhole
	again.name = "pi-codemode, whole process"
	return []bench{{
		name: "empty script, whole process",
		unit: millis,
		sides: []side{
			commandSide("isolated", "codemode run --no-journal -e '', from the start of the process to its exit; the script has a confined child process", "run", "--no-journal", "-e", ""),
			commandSide("in-process", "the same with --isolation=none", "run", "--no-journal", "--isolation=none", "-e", ""),
			piWhole,
			floor,
		},
		pairs: []pair{
			{ours: "isolated", peer: "pi-codemode", times: 5},
			{ours: "in-process", peer: "pi-codemode"},
			{ours: "isolated", peer: "node -e ''"},
			{ours: "in-process", peer: "node -e ''"},
		},
	}, {
		name: "empty script, process that lives",
		unit: millis,
		sides: []side{
			oursSide("in-process", "runtime.Run in this process, mean of 20", nil, manyRuns(millis, 20, always(""))),
			oursSide("isolated, spare", "runtime.Run with a worker.Pool that has a child waiting, until the report, when nothing is left of the child", spare, oneRun(millis, always(""))),
			sessionSide("isolated, session", "the next runtime.Run of a runtime.Session in a child, whose engine stays from run to run, mean of 20"),
			oursSide("isolated, cold", "runtime.Run with a worker.Pool that starts a child for the run; the child is a copy of peerbench", cold, oneRun(millis, always(""))),
			piSide("pi-codemode", "new CodemodeSandbox, execute and close in a process that has done so before", 1, func() any { return map[string]any{"task": "empty"} }),
			piSide("pi-codemode, inline", "the same with InlineCodemodeSandbox, which runs the script on the host's own thread", 1, func() any { return map[string]any{"task": "empty", "inline": true} }),
			again,
		},
		pairs: []pair{
			{ours: "in-process", peer: "pi-codemode, inline"},
			{ours: "in-process", peer: "pi-codemode"},
			{ours: "isolated, spare", peer: "pi-codemode"},
			{ours: "isolated, session", peer: "pi-codemode"},
			{ours: "isolated, cold", peer: "pi-codemode"},
			{ours: "isolated, session", peer: "pi-codemode, whole process", times: 100},
			{ours: "isolated, spare", peer: "pi-codemode, whole process", times: 100},
			{ours: "in-process", peer: "pi-codemode, whole process", times: 100},
		},
	}}
}

// sessionSide is a side whose runs follow one another in one child.
func sessionSide(name, does string) side {
	return side{name: name, does: does, ours: true, open: func(l *lab) (*sampler, error) {
		const runs = 20
		pool, session := cold(), runtime.NewSession()
		next := func() error {
			return problem(runtime.Run(l.ctx, runtime.Script{}, echo{}, runtime.Options{Engine: pool, Session: session}))
		}
		return &sampler{
			close: func() { session.Close(); pool.Close() },
			sample: func() (float64, error) {
				took, err := timed(millis, func() error {
					for range runs {
						if err := next(); err != nil {
							return err
						}
					}
					return nil
				})
				return took / runs, err
			},
		}, nil
	}}
}

// commandSide is a side whose samples are whole runs of the codemode command.
func commandSide(name, does string, args ...string) side {
	return side{name: name, does: does, ours: true, open: processSide(func(l *lab) (*exec.Cmd, error) {
		program, err := l.codemode()
		if err != nil {
			return nil, err
		}
		return l.command(program, args...)
	})}
}

// processSide takes samples of whole processes.
func processSide(command func(*lab) (*exec.Cmd, error)) func(*lab) (*sampler, error) {
	return func(l *lab) (*sampler, error) {
		if _, err := command(l); err != nil {
			return nil, err
		}
		return &sampler{sample: func() (float64, error) {
			cmd, err := command(l)
			if err != nil {
				return 0, err
			}
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			took, err := timed(millis, cmd.Run)
			if err != nil {
				err = failure(err, stderr.Bytes())
			}
			return took, err
		}}, nil
	}
}

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/runtime"
	"codemode/runtime/worker"
)

// Operations of one script: few of them, and many.
const (
	fewMoves  = 100
	manyMoves = 10_000
)

// operationBenches are about operations of scripts, all that belongs to them
// included.
func operationBenches() []bench {
	const how = "the time from the receipt of the first to that of the last awaited tools.move of a script, for each; isolated, all checks, with a journal"
	return []bench{{
		name: "an awaited tools.move", unit: micros, needs: on(onTmpfs),
		sides: []side{
			{name: "isolated", does: how + "; a file in a repository of 100,000 entries goes to and fro 1000 times", ours: true, open: toAndFro},
			piSide("pi-codemode, empty call", "one of 2000 tools.echo({}) that a script awaits one after the other", 1000, func() any { return map[string]any{"task": "calls", "calls": awaited} }),
		},
		pairs: []pair{{ours: "isolated", peer: "pi-codemode, empty call", times: 1 / 1.5}},
	}, {
		name: "each of many operations of a script", unit: micros, needs: on(onTmpfs), rarely: 4,
		sides: []side{
			{name: "10,000", does: how + "; 10,000 files are moved", ours: true, open: moves(manyMoves, 1)},
			{name: "100", does: how + "; 100 files are moved, mean of 5 such scripts", ours: true, open: moves(fewMoves, 5)},
		},
		pairs: []pair{{ours: "10,000", peer: "100", times: 1 / 1.3}},
	}, {
		name: "10,000 operations of a script", unit: millis, needs: on(onTmpfs), rarely: 4,
		sides: []side{
			movesProcess("with a journal", "codemode run on a script that moves 10,000 files, whole process", "run"),
			movesProcess("without", "the same with --no-journal", "run", "--no-journal"),
		},
		pairs: []pair{{ours: "with a journal", peer: "without", times: 1 / 1.05}},
	}}
}

// toAndFro moves one file of a large repository.
func toAndFro(l *lab) (*sampler, error) {
	dir, err := l.tracked()
	if err != nil {
		return nil, err
	}
	const times = 500
	pool := spare()
	return &sampler{close: pool.Close, sample: func() (float64, error) {
		return l.eachOperation(pool, dir, 2*times, fmt.Sprintf(`for (let i = 0; i < %d; i++) {
			await tools.move({ path: "folder-50/untracked", target: "folder-50/moved" });
			await tools.move({ path: "folder-50/moved", target: "folder-50/untracked" });
		}`, times))
	}}, nil
}

// moves has scripts that move files out of one folder into another.
func moves(files, scripts int) func(*lab) (*sampler, error) {
	return func(l *lab) (*sampler, error) {
		files := max(10, int(float64(files)*l.scale))
		v, err := l.volume(onTmpfs)
		if err != nil {
			return nil, err
		}
		pool := spare()
		return &sampler{close: pool.Close, sample: func() (float64, error) {
			var sum float64
			for range scripts {
				remove, err := v.plantMoves(files)
				if err != nil {
					return 0, err
				}
				each, err := l.eachOperation(pool, v.project, files, movingScript(files))
				remove()
				if err != nil {
					return 0, err
				}
				sum += each
			}
			return sum / float64(scripts), nil
		}}, nil
	}
}

// movesProcess is the command with such a script.
func movesProcess(name, does string, args ...string) side {
	t := whole(name, does, func(l *lab) (func(...string) (*exec.Cmd, error), error) {
		program, err := l.codemode()
		script := movingScript(max(10, int(manyMoves*l.scale)))
		return func(...string) (*exec.Cmd, error) {
			return l.command(program, append(args[:len(args):len(args)], "--quiet", "-e", script)...)
		}, err
	})
	return side{name: name, does: does, ours: true, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		v, err := l.volume(onTmpfs)
		if err != nil {
			return nil, err
		}
		return &sampler{sample: func() (float64, error) {
			remove, err := v.plantMoves(max(10, int(manyMoves*l.scale)))
			if err != nil {
				return 0, err
			}
			defer remove()
			return run(v.project)
		}}, nil
	}}
}

func movingScript(files int) string {
	return fmt.Sprintf(`for (let i = 0; i < %d; i++) await tools.move({ path: "here/" + i, target: "there/" + i });`, files)
}

// plantMoves lays out what the script moves.
func (v *volume) plantMoves(files int) (remove func(), err error) {
	here, there := filepath.Join(v.project, "here"), filepath.Join(v.project, "there")
	for _, dir := range []string{here, there} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	for i := range files {
		if err := os.WriteFile(filepath.Join(here, fmt.Sprint(i)), nil, 0o644); err != nil {
			return nil, err
		}
	}
	return func() { os.RemoveAll(here); os.RemoveAll(there) }, nil
}

// eachOperation is how many microseconds a script's operations take each.
func (l *lab) eachOperation(engine *worker.Pool, dir string, operations int, source string) (float64, error) {
	var came int
	var first, last time.Time
	s, end, err := l.session(dir, func(ops.Receipt) {
		last = time.Now()
		if came++; came == 1 {
			first = last
		}
	})
	if err != nil {
		return 0, err
	}
	defer end()
	report := bindings.Run(l.ctx, s, bindings.Options{Script: runtime.Script{Source: source}, Engine: engine})
	if !report.OK {
		return 0, errors.New(report.Error.Message)
	}
	if came != operations {
		return 0, fmt.Errorf("%d receipts came of %d", came, operations)
	}
	return micros.of(last.Sub(first)) / float64(operations-1), nil
}

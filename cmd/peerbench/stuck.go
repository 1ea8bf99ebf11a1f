package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

const (
	endlessLoop    = "while (true) {}"
	endlessBuiltin = "let a = []; a.length = 2**31; a.join('')" // no interrupt reaches goja in there

	// stuckFor is how long a script is stuck when it is decided to stop it.
	stuckFor = 40 * time.Millisecond
)

// stuckBenches are about the way from the decision to stop a script that never
// ends until it is stopped.
func stuckBenches() []bench {
	const (
		asked  = "from the cancellation of the run's context to its report, when nothing is left of the child; it is asked first, and killed if it has not stopped in 10 ms"
		killed = "the same, but the child is killed at once (Options.Grace of 1 ns)"
	)
	peers := func(source string) []side {
		task := func(until string) func() any {
			return func() any {
				return map[string]any{"task": "stuck", "source": source, "until": until, "running": stuckFor.Milliseconds()}
			}
		}
		return []side{
			piSide("pi-codemode, worker gone", "from AbortController.abort() until the promise of onWorkerStarted says that the worker has exited", 1, task("exit")),
			piSide("pi-codemode, result", "from AbortController.abort() to the result, which does not wait for the worker", 1, task("result")),
		}
	}
	ours := func(source string) []side {
		return []side{
			oursSide("isolated, killed", killed, cold, stopStuck(source, time.Nanosecond)),
			oursSide("isolated, asked", asked, cold, stopStuck(source, 0)),
		}
	}
	pairs := []pair{
		{ours: "isolated, killed", peer: "pi-codemode, worker gone", within: 20},
		{ours: "isolated, asked", peer: "pi-codemode, worker gone"},
		{ours: "isolated, asked", peer: "pi-codemode, result"},
	}
	return []bench{{
		name: "stuck loop",
		unit: millis,
		sides: append(append(ours(endlessLoop),
			oursSide("in-process", "from the cancellation to the report; the engine is interrupted", nil, stopStuck(endlessLoop, 0))),
			peers(endlessLoop)...),
		pairs: append(pairs, pair{ours: "in-process", peer: "pi-codemode, result"}),
	}, {
		name:  "stuck built-in",
		unit:  millis,
		sides: append(ours(endlessBuiltin), peers(endlessBuiltin)...),
		pairs: pairs,
	}}
}

// ready is a host whose tool says that the script has begun.
type ready struct {
	echo
	begun chan struct{}
}

func (ready) Tools() []runtime.Tool { return []runtime.Tool{{Name: "ready"}} }

func (r ready) Call(ctx context.Context, c runtime.Call) runtime.Result {
	close(r.begun)
	return r.echo.Call(ctx, c)
}

// stopStuck measures how long it takes to be rid of a script.
func stopStuck(source string, grace time.Duration) func(context.Context, runtime.Engine) (float64, error) {
	return func(ctx context.Context, engine runtime.Engine) (float64, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		host := ready{begun: make(chan struct{})}
		ended := make(chan runtime.Report, 1)
		go func() {
			ended <- runtime.Run(ctx, runtime.Script{Source: "await tools.ready({}); " + source}, host, runtime.Options{Engine: engine, Grace: grace})
		}()
		select {
		case <-host.begun:
		case r := <-ended:
			return 0, fmt.Errorf("the script ended at once: %w", problem(r))
		}
		if err := pause(ctx, stuckFor); err != nil {
			return 0, err
		}
		var report runtime.Report
		took, _ := timed(millis, func() error { cancel(); report = <-ended; return nil })
		if report.Error == nil || report.Error.Kind != runtime.KindAborted {
			return took, fmt.Errorf("the script was not stuck: %v", problem(report))
		}
		if pool, ok := engine.(*worker.Pool); ok && pool != nil {
			if left, err := sandboxes(); err == nil && len(left) > 0 {
				return took, errors.New("a child is left behind")
			}
		}
		return took, nil
	}
}

package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// echo is a host with one tool, which gives back its argument: what the same
// tool of pi-codemode does in pi/serve.mjs.
type echo struct{}

func (echo) Tools() []runtime.Tool { return []runtime.Tool{{Name: "echo"}} }
func (echo) Call(_ context.Context, c runtime.Call) runtime.Result {
	return runtime.Result{Value: c.Args}
}
func (echo) Store(string, []byte) error { return errors.New("nothing is kept") }
func (echo) Load(string) ([]byte, bool) { return nil, false }

// run runs a script to its end; nil means in this process.
func run(ctx context.Context, engine runtime.Engine, host runtime.Host, source string) error {
	return problem(runtime.Run(ctx, runtime.Script{Source: source}, host, runtime.Options{Engine: engine}))
}

func problem(r runtime.Report) error {
	if r.OK {
		return nil
	}
	return errors.New(r.Error.Kind + ": " + r.Error.Message)
}

// timed measures f, in u.
func timed(u unit, f func() error) (float64, error) {
	start := time.Now()
	err := f()
	return u.of(time.Since(start)), err
}

// oursSide is a side that is measured in this process. newEngine makes the
// engine for all its samples; nil has the scripts run in this process.
func oursSide(name, does string, newEngine func() *worker.Pool, sample func(ctx context.Context, engine runtime.Engine) (float64, error)) side {
	return side{name: name, does: does, ours: true, open: func(l *lab) (*sampler, error) {
		if newEngine == nil {
			return &sampler{sample: func() (float64, error) { return sample(l.ctx, nil) }}, nil
		}
		pool := newEngine()
		return &sampler{close: pool.Close, sample: func() (float64, error) { return sample(l.ctx, pool) }}, nil
	}}
}

// cold starts a child for each run.
func cold() *worker.Pool { return worker.New(worker.Config{}) }

// spare has one waiting. Before each sample there is time for it to start.
func spare() *worker.Pool { return worker.New(worker.Config{Spares: 1}) }

// oneRun measures the run of a script that may be another one each time.
func oneRun(u unit, source func() string) func(context.Context, runtime.Engine) (float64, error) {
	return func(ctx context.Context, engine runtime.Engine) (float64, error) {
		text := source()
		return timed(u, func() error { return run(ctx, engine, echo{}, text) })
	}
}

// manyRuns measures a run that is too short to be measured alone.
func manyRuns(u unit, runs int, source func() string) func(context.Context, runtime.Engine) (float64, error) {
	return func(ctx context.Context, engine runtime.Engine) (float64, error) {
		took, err := timed(u, func() error {
			for range runs {
				if err := run(ctx, engine, echo{}, source()); err != nil {
					return err
				}
			}
			return nil
		})
		return took / float64(runs), err
	}
}

func always(source string) func() string { return func() string { return source } }

// stopwatch is an echo that notes when the first and the last call came.
type stopwatch struct {
	echo
	calls       int
	first, last time.Time
}

func (s *stopwatch) Call(ctx context.Context, c runtime.Call) runtime.Result {
	s.last = time.Now()
	if s.calls++; s.calls == 1 {
		s.first = s.last
	}
	return s.echo.Call(ctx, c)
}

// barrier is a host whose tool tells that it was called, and returns when it may.
type barrier struct {
	echo
	arrived *sync.WaitGroup
	open    <-chan struct{}
}

func (b barrier) Call(ctx context.Context, c runtime.Call) runtime.Result {
	b.arrived.Done()
	<-b.open
	return b.echo.Call(ctx, c)
}

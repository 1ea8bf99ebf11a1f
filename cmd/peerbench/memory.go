package main

import (
	"context"
	"errors"
	stdruntime "runtime"
	"sync"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

const (
	held = 8 // sandboxes at once, of which each has its part

	// resting is how long a process is left alone before it is looked at.
	resting = 200 * time.Millisecond
)

// memoryBenches are about what a sandbox holds while it does nothing.
func memoryBenches() []bench {
	return []bench{{
		name: "memory of an idle sandbox",
		unit: mebi,
		sides: []side{
			oursSide("isolated, spare", "a child that waits for a script: its proportional set size, mean of 8", nil, spareMemory),
			oursSide("isolated, in a call", "a child whose script awaits a tool: its proportional set size, mean of 8", nil, childMemory),
			oursSide("in-process, in a call", "live heap and stacks that a run in this process adds while its script awaits a tool, mean of 8", nil, heapMemory),
			{name: "pi-codemode, in a call", does: "what the proportional set size of a new node process grows by for a sandbox whose script awaits a tool, mean of 8, after one was run to its end", open: piMemory},
		},
		pairs: []pair{
			{ours: "isolated, spare", peer: "pi-codemode, in a call"},
			{ours: "isolated, in a call", peer: "pi-codemode, in a call"},
			{ours: "in-process, in a call", peer: "pi-codemode, in a call"},
		},
	}}
}

func spareMemory(ctx context.Context, _ runtime.Engine) (float64, error) {
	pool := worker.New(worker.Config{Spares: held})
	defer pool.Close()
	for range 100 {
		if err := pause(ctx, resting); err != nil {
			return 0, err
		}
		children, err := sandboxes()
		if err != nil {
			return 0, err
		}
		if len(children) == held {
			_ = pause(ctx, resting)
			return meanSize(children)
		}
	}
	return 0, errors.New("the spares did not start")
}

func childMemory(ctx context.Context, _ runtime.Engine) (float64, error) {
	pool := worker.New(worker.Config{})
	defer pool.Close()
	return whileWaiting(ctx, pool, func() (float64, error) {
		children, err := sandboxes()
		if err != nil {
			return 0, err
		}
		return meanSize(children)
	})
}

func heapMemory(ctx context.Context, _ runtime.Engine) (float64, error) {
	before := liveMemory()
	return whileWaiting(ctx, nil, func() (float64, error) { return (liveMemory() - before) / held, nil })
}

// liveMemory is what Go holds after a collection.
func liveMemory() float64 {
	stdruntime.GC()
	stdruntime.GC() // what finalizers and pools let go
	var m stdruntime.MemStats
	stdruntime.ReadMemStats(&m)
	return float64(m.HeapAlloc+m.StackInuse) / (1 << 20)
}

// whileWaiting looks at something while scripts wait for a tool.
func whileWaiting(ctx context.Context, engine runtime.Engine, look func() (float64, error)) (float64, error) {
	var arrived sync.WaitGroup
	open := make(chan struct{})
	ended := make(chan error, held)
	arrived.Add(held)
	for range held {
		go func() { ended <- run(ctx, engine, barrier{arrived: &arrived, open: open}, "await tools.echo({})") }()
	}
	all := make(chan struct{})
	go func() { arrived.Wait(); close(all) }()
	var value float64
	var err error
	select {
	case <-all:
		if err = pause(ctx, resting); err == nil {
			value, err = look()
		}
	case err = <-ended: // one did not even come to its call
		if err == nil {
			err = errors.New("a script ended without its call")
		}
		close(open)
		return 0, err
	}
	close(open)
	for range held {
		err = errors.Join(err, <-ended)
	}
	return value, err
}

// meanSize is the mean size of processes.
func meanSize(processes []int) (float64, error) {
	var sum float64
	for _, pid := range processes {
		size, err := setSize(pid)
		if err != nil {
			return 0, err
		}
		sum += size
	}
	return sum / float64(len(processes)), nil
}

// piMemory takes each sample of a process of its own, since one that has ended
// sandboxes keeps some of their memory for the next.
func piMemory(l *lab) (*sampler, error) {
	p, err := l.pi()
	if err != nil {
		return nil, err
	}
	return &sampler{sample: func() (float64, error) {
		s, err := p.start(l)
		if err != nil {
			return 0, err
		}
		defer s.close()
		var sizes [2]float64
		for i, task := range []any{map[string]any{"task": "rest"}, map[string]any{"task": "hold", "sandboxes": held}} {
			if _, err := s.do(task); err != nil {
				return 0, err
			}
			if sizes[i], err = setSize(s.cmd.Process.Pid); err != nil {
				return 0, err
			}
		}
		return (sizes[1] - sizes[0]) / held, nil
	}}, nil
}

package runtime

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// Serve is the engine's half of one run, or of one [Session], in a process of its
// own: it reads a job from in, runs it and says on out what comes of it. A byte
// on control is the wish that the script of the run with that number be stopped.
// Serve returns when it has said everything. When the channel or control ends
// before that, nobody is there any more to run for, and Serve ends the process.
//
// With spare it makes an engine before the job comes.
func Serve(in io.Reader, out io.Writer, control io.Reader, spare bool) {
	frames := frameReader{from: in, first: frameJob, last: frameFound}
	var warm *engine
	if spare {
		warm = warmUp()
	}
	host := newChannel(&frames, out)
	j := host.nextJob()
	s := newSandbox(j, host)
	s.warm = warm
	s.loop.pull = host.pull
	host.settled = s.settle
	go obey(control, host, s)
	for {
		serveRun(s, j, host)
		if !j.Keep {
			return
		}
		j = host.nextJob()
		s.again(j, host)
	}
}

// serveRun runs one job.
func serveRun(s *sandbox, j job, host *channel) {
	var full atomic.Bool
	if j.Memory > 0 {
		over := make(chan struct{})
		defer close(over)
		go watchHeap(j.Memory/heapShare, over, func() {
			full.Store(true)
			s.stop()
			time.AfterFunc(heapPatience, outOfMemory)
		})
	}
	o := s.run()
	if full.Load() && o.Err != nil {
		o.Err.Kind = KindMemory
		o.Err.Message = fmt.Sprintf("the script was stopped at its memory limit of %d bytes", j.Memory)
	}
	host.done(o)
}

// warmUp goes once through what a run does, so that all of it is in memory, and
// makes an engine for the run that will come.
func warmUp() *engine {
	j := job{Script: Script{Source: "const {warm} = await tools.warm({a: [1, 'b']}); text({warm}); console.log(warm); return [warm]"}, Tools: []Tool{{Name: "warm"}}}
	s := newSandbox(j, nil)
	s.host = &nobody{s}
	s.run()
	return newEngine()
}

// nobody is the host of a script of our own that talks to none.
type nobody struct{ s *sandbox }

func (n *nobody) call(id uint64, c Call, _ bool) {
	n.s.settle(id, Result{Value: []byte(`{"warm":true}`)})
}
func (*nobody) seen(uint64, bool)          {}
func (*nobody) release(bool)               {}
func (*nobody) fail()                      {}
func (*nobody) output(Output)              {}
func (*nobody) store(string, []byte) error { return nil }
func (*nobody) module(string, string) (name, source string, err error) {
	return "", "", errors.New("there are none")
}
func (*nobody) load(string) (value []byte, ok bool) { return nil, false }

// lost ends the process of an engine that nobody listens to.
func lost() { os.Exit(1) }

// obey stops the script when it is told to, wherever the engine sits, and ends
// the process when its parent is gone.
func obey(control io.Reader, host *channel, s *sandbox) {
	order := make([]byte, 1)
	for {
		if _, err := io.ReadFull(control, order); err != nil {
			lost()
		}
		if s.interrupt(order[0]) {
			host.mu.Lock()
			host.flush() // so that calls just made are known
			host.mu.Unlock()
		}
	}
}

const (
	// heapShare is the part of the memory limit that a script's live data may
	// take: collecting it needs as much again.
	heapShare = 2
	// heapPatience is how long a script may take to stop when it has taken that.
	heapPatience = 100 * time.Millisecond
)

// outOfMemory ends the process like a failure of Go to get memory, which is what
// would come next.
func outOfMemory() {
	fmt.Fprintln(os.Stderr, "out of memory")
	os.Exit(2)
}

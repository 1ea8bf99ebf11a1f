package runtime

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// How many calls may be on their way to the host at once, and how many bytes
// their arguments may have together. What a script calls beyond that waits in
// the engine's half, where its memory is the script's own.
const (
	maxInFlight      = 1024
	maxInFlightBytes = 16 << 20
)

// A remote is the engine's half of a run in another process: the host's end of
// its channel. It reads all the time and never waits for the other side while it
// reads, so that both sides may write as they like.
//
// The goroutine that reads carries out a call itself when it has heard everything
// that came with it: the other side waits for the result, most likely, and two
// goroutines would pass the call to each other. When the call lasts, another
// goroutine reads on, see [relief].
//
// It believes nothing. Whatever is malformed, out of turn or beyond a limit is a
// violation, which ends the process and the run.
type remote struct {
	process Process
	frames  frameReader
	job     job
	host    upward

	sending sync.Mutex // one frame after the other

	mu       sync.Mutex
	inFlight map[uint64]int // calls not yet settled: the bytes of their arguments
	bytes    int
	stopped  bool
	asking   bool // a store or load is not answered yet
	idle     bool // a process that waits for another run: nobody reads, and nobody will wait for its death
	unwanted bool // no run comes any more

	relief relief
	ended  chan<- outcome

	// Of the reader alone, which is one goroutine after the other:
	lastCall  uint64 // calls of a session are numbered through
	announced int    // calls since the last release
	failed    bool   // fail was said
}

func newRemote(process Process, j job, host upward) *remote {
	r := &remote{process: process, frames: frameReader{from: process, first: frameCall, last: frameModule}}
	r.relief.come = r.listen
	r.again(j, host)
	return r
}

func (r *remote) again(j job, host upward) {
	r.sending.Lock() // until the job is sent, which is to be the first frame
	r.mu.Lock()
	defer r.mu.Unlock()
	r.job, r.host = j, host
	r.inFlight, r.bytes, r.stopped, r.idle = map[uint64]int{}, 0, false, false
	r.announced, r.failed = 0, false
}

// discard ends the process, which a run under way will find out.
func (r *remote) discard() {
	r.process.Kill()
	r.mu.Lock()
	idle := r.idle
	r.idle, r.unwanted = false, true
	r.mu.Unlock()
	if idle {
		r.process.Wait()
	}
}

// A violation is what the other process must never say.
type violation struct{ what error }

func (v *violation) Error() string {
	return "the sandbox process broke its protocol and was ended: " + v.what.Error()
}

func (r *remote) runFor(ended chan<- outcome) {
	go func() { // it may be larger than the channel holds
		defer r.sending.Unlock()
		_, _ = r.process.Write(appendJob(nil, r.job))
	}()
	r.ended = ended
	r.listen()
}

// finish is the end of the run: an outcome that was heard, a violation, or
// another error when the channel has ended.
func (r *remote) finish(o outcome, err error) outcome {
	if err == nil {
		if o.Err != nil {
			r.host.fail()
		}
		if r.job.Keep && o.useful() && r.rest() {
			return o
		}
		// It has nothing left to do, and nobody needs to know how it dies. Until the
		// kernel has taken everything back it may take longer than the run did.
		r.process.Kill()
		go r.process.Wait()
		return o
	}
	r.process.Kill()
	death := r.process.Wait()
	r.host.fail()
	var broken *violation
	if errors.As(err, &broken) {
		return outcome{Err: &Error{Kind: KindSandbox, Message: broken.Error()}}
	}
	return outcome{Err: &Error{Kind: death.Kind, Message: death.Message}}
}

// rest has the process wait for another run, unless it was discarded meanwhile:
// then somebody has to wait for its death.
func (r *remote) rest() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = !r.unwanted
	return r.idle
}

// listen hears the other process out, or until another goroutine goes on with
// that.
func (r *remote) listen() {
	for {
		o, end, relieved, err := r.hearNext()
		switch {
		case relieved:
			return
		case end, err != nil:
			r.ended <- r.finish(o, err)
			return
		}
	}
}

// hearNext hears one frame. An error that is no violation means that the channel
// has ended.
func (r *remote) hearNext() (o outcome, end, relieved bool, err error) {
	kind, payload, err := r.frames.next()
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe):
		return outcome{}, false, false, err
	case err == nil && kind == frameDone:
		o, err = r.hearDone(payload)
		end = true
	case err == nil:
		relieved, err = r.hear(kind, payload)
	}
	if err != nil {
		err = &violation{err}
	}
	return o, end, relieved, err
}

func (r *remote) hearDone(payload []byte) (outcome, error) {
	o, err := readDone(payload)
	switch {
	case err != nil:
		return outcome{}, err
	case r.frames.rest() > 0:
		return outcome{}, errors.New("something after the end")
	case r.isAsking():
		return outcome{}, errors.New("an end before an answer")
	case o.Err != nil && o.Err.Kind == KindAborted && !r.wasStopped():
		return outcome{}, errors.New("an end by a stop that nobody asked for")
	}
	return o, nil
}

// hear takes in one frame. When it has lasted, it may find that another goroutine
// reads now.
func (r *remote) hear(kind byte, payload []byte) (relieved bool, err error) {
	switch kind {
	case frameRelease:
		if r.announced == 0 {
			return false, errors.New("a release of nothing")
		}
		r.announced = 0
		return r.letBegin(r.host.release), nil
	case frameSeen:
		id, err := readSeen(payload)
		if err != nil {
			return false, err
		}
		if id > r.lastCall && id != seenAll {
			return false, fmt.Errorf("a result of call %d after call %d", id, r.lastCall)
		}
		return r.letBegin(func(here bool) { r.host.seen(id, here) }), nil
	}
	return false, r.hearRest(kind, payload)
}

// letBegin does what may have calls begin.
func (r *remote) letBegin(f func(here bool)) (relieved bool) {
	if r.frames.rest() > 0 {
		f(false)
		return false
	}
	turn := r.relief.begin()
	f(true)
	return r.relief.end(turn)
}

func (r *remote) hearRest(kind byte, payload []byte) error {
	switch kind {
	case frameCall:
		return r.hearCall(payload)
	case frameFail:
		if r.failed {
			return errors.New("a second failure")
		}
		r.failed = true
		r.host.fail()
	case frameOutput:
		o, err := readOutput(payload)
		if err != nil {
			return err
		}
		r.host.output(o)
	case frameStore:
		key, value, err := readStore(payload)
		if err != nil {
			return err
		}
		return r.answer(func() []byte { return appendStored(nil, r.host.store(key, value)) })
	case frameModule:
		specifier, importer, err := readModule(payload)
		if err != nil {
			return err
		}
		return r.answer(func() []byte {
			name, source, err := r.host.module(specifier, importer)
			return appendFound(nil, name, source, err)
		})
	case frameLoad:
		key, err := readLoad(payload)
		if err != nil {
			return err
		}
		return r.answer(func() []byte {
			value, ok := r.host.load(key)
			return appendLoaded(nil, value, ok)
		})
	}
	return nil
}

func (r *remote) hearCall(payload []byte) error {
	id, c, alone, err := readCall(payload, r.job.Tools)
	if err != nil {
		return err
	}
	if id != r.lastCall+1 {
		return fmt.Errorf("call %d after call %d", id, r.lastCall)
	}
	r.lastCall = id
	r.announced++
	r.mu.Lock()
	r.inFlight[id] = len(c.Args)
	r.bytes += len(c.Args)
	// The engine's half counts the same way, and lets one call of any size pass.
	over := len(r.inFlight) > maxInFlight || len(r.inFlight) > 1 && r.bytes > maxInFlightBytes
	r.mu.Unlock()
	if over {
		return errors.New("too many calls in flight")
	}
	r.host.call(id, c, alone)
	return nil
}

// answer answers a question without keeping the reader waiting. The other side
// asks one at a time.
func (r *remote) answer(find func() []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asking {
		return errors.New("a question before the last was answered")
	}
	r.asking = true
	go func() {
		answer := find()
		r.mu.Lock()
		r.asking = false
		r.mu.Unlock()
		r.send(answer)
	}()
	return nil
}

func (r *remote) settle(id uint64, result Result) {
	r.mu.Lock()
	n, ok := r.inFlight[id]
	if ok {
		delete(r.inFlight, id)
		r.bytes -= n
	}
	r.mu.Unlock()
	if ok {
		r.send(appendSettle(nil, id, result))
	}
}

// stop asks; the supervisor kills when nothing comes of it.
func (r *remote) stop() {
	r.mu.Lock()
	again := r.stopped
	r.stopped = true
	r.mu.Unlock()
	if !again {
		r.process.Interrupt(r.job.Run)
		go r.send(appendEmpty(nil, frameStop)) // it may wait for the channel to have room
	}
}

func (r *remote) wasStopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

func (r *remote) isAsking() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asking
}

func (r *remote) kill() bool {
	r.process.Kill()
	return true
}

// send writes a frame. When the process has died nobody misses it; listen finds
// that out.
func (r *remote) send(frame []byte) {
	r.sending.Lock()
	defer r.sending.Unlock()
	_, _ = r.process.Write(frame)
}

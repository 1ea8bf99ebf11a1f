package runtime

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Serve is the engine's half of one run, in a process of its own: it reads a job
// from in, runs it and says on out what comes of it. It returns when it has said
// everything. When the channel ends before that, nobody is there any more to run
// for, and Serve ends the process.
//
// With spare it makes an engine before the job comes.
func Serve(in io.Reader, out io.Writer, spare bool) {
	frames := frameReader{from: in, first: frameJob, last: frameLoaded}
	var warm *engine
	if spare {
		warm = newEngine()
	}
	kind, payload, err := frames.next()
	if err != nil || kind != frameJob {
		lost()
	}
	j, err := readJob(payload)
	if err != nil {
		lost()
	}
	host := newChannel(out, j.Tools)
	s := newSandbox(j, host)
	s.warm = warm
	go host.listen(&frames, s)
	var full atomic.Bool
	if j.Memory > 0 {
		go watchHeap(j.Memory/heapShare, func() {
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

// lost ends the process of an engine that nobody listens to.
func lost() { os.Exit(1) }

// A channel is the engine's end of the way to the host's half: its [upward].
//
// Frames leave as soon as they are made, but for calls, which nobody carries out
// before their release. At most as many calls are on their way as [remote]
// allows; the others are held back.
type channel struct {
	tools map[string]int

	mu       sync.Mutex
	out      io.Writer
	buffer   []byte // frames that have not left
	inFlight map[uint64]int
	bytes    int
	open     int // calls announced and not released
	failed   bool
	held     []heldCall
	settled  sync.Cond // a call was settled
	answers  chan answer
}

// A heldCall has not been announced yet.
type heldCall struct {
	id       uint64
	call     Call
	released bool
}

// An answer is that to a store or a load.
type answer struct {
	value   []byte
	ok      bool
	refused error
}

func newChannel(out io.Writer, tools []Tool) *channel {
	c := &channel{out: out, tools: make(map[string]int, len(tools)), inFlight: map[uint64]int{}, answers: make(chan answer, 1)}
	c.settled.L = &c.mu
	for i, tool := range tools {
		c.tools[tool.Name] = i
	}
	return c
}

// listen hears the host's half out, for the whole life of the process.
func (c *channel) listen(frames *frameReader, s *sandbox) {
	for {
		kind, payload, err := frames.next()
		if err != nil {
			lost()
		}
		switch kind {
		case frameSettle:
			id, r, err := readSettle(payload)
			if err != nil {
				lost()
			}
			s.settle(id, r)
			c.settle(id)
		case frameStop:
			s.stop()
			c.mu.Lock()
			c.flush() // so that calls just made are known, wherever the engine sits
			c.mu.Unlock()
		case frameStored:
			refused, err := readStored(payload)
			if err != nil {
				lost()
			}
			c.answers <- answer{refused: refused}
		case frameLoaded:
			value, ok, err := readLoaded(payload)
			if err != nil {
				lost()
			}
			c.answers <- answer{value: value, ok: ok}
		default:
			lost()
		}
	}
}

// flush sends what has been written. The host's half reads all the time, so that
// this never waits for long.
func (c *channel) flush() {
	if len(c.buffer) == 0 {
		return
	}
	if _, err := c.out.Write(c.buffer); err != nil {
		lost()
	}
	c.buffer = c.buffer[:0]
	if cap(c.buffer) > frameKeep {
		c.buffer = nil
	}
}

func (c *channel) call(id uint64, call Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(call.Problem) > maxProblem {
		call.Problem = shorten(call.Problem, maxProblem-8)
	}
	if len(c.held) > 0 || !c.room(call) {
		c.held = append(c.held, heldCall{id: id, call: call})
		return
	}
	c.announce(id, call)
}

// room reports whether one more call may be on its way.
func (c *channel) room(call Call) bool {
	return len(c.inFlight) == 0 || len(c.inFlight) < maxInFlight && c.bytes+len(call.Args) <= maxInFlightBytes
}

func (c *channel) announce(id uint64, call Call) {
	c.inFlight[id] = len(call.Args)
	c.bytes += len(call.Args)
	c.open++
	c.buffer = appendCall(c.buffer, id, c.tools[call.Name], call)
	if len(c.buffer) > frameKeep {
		c.flush()
	}
}

func (c *channel) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.held {
		c.held[i].released = true
	}
	c.letGo()
	c.flush()
}

// letGo releases what was announced.
func (c *channel) letGo() {
	if c.open > 0 {
		c.open = 0
		c.buffer = appendEmpty(c.buffer, frameRelease)
	}
}

// settle makes room for calls that are held back. Those that the script has let
// go are released as soon as they are announced, apart from those that it has
// not.
func (c *channel) settle(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes -= c.inFlight[id]
	delete(c.inFlight, id)
	released := false
	for len(c.held) > 0 && c.room(c.held[0].call) {
		next := c.held[0]
		c.held[0] = heldCall{}
		c.held = c.held[1:]
		if released && !next.released {
			c.letGo()
		}
		released = next.released
		c.announce(next.id, next.call)
	}
	if released {
		c.letGo()
	}
	if released || c.failed {
		c.flush()
	}
	c.settled.Broadcast()
}

func (c *channel) fail() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.failed {
		c.failed = true
		c.buffer = appendEmpty(c.buffer, frameFail)
	}
	c.flush()
}

func (c *channel) output(o Output) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.Type == OutputImage && (len(o.Data) > maxImages || len(o.MimeType) > maxMimeType) {
		o = imageLeftOut(o)
	}
	for len(o.Text) > maxOutput { // more than any report keeps: the middle of it is lost
		at := boundary(o.Text, maxOutput)
		first := o
		first.Text, o.Text = o.Text[:at], o.Text[at:]
		c.buffer = appendOutput(c.buffer, first)
		c.flush()
	}
	c.buffer = appendOutput(c.buffer, o)
	c.flush()
}

func (c *channel) store(key string, value []byte) error {
	return c.ask(func(dst []byte) []byte { return appendStore(dst, key, value) }).refused
}

func (c *channel) load(key string) ([]byte, bool) {
	a := c.ask(func(dst []byte) []byte { return appendLoad(dst, key) })
	return a.value, a.ok
}

// ask says a question and waits for its answer.
func (c *channel) ask(question func(dst []byte) []byte) answer {
	c.mu.Lock()
	c.buffer = question(c.buffer)
	c.flush()
	c.mu.Unlock()
	return <-c.answers
}

// done says the outcome after everything else.
func (c *channel) done(o outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.held) > 0 {
		c.settled.Wait()
	}
	c.buffer = appendDone(c.buffer, o)
	c.flush()
}

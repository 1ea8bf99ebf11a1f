package runtime

import (
	"errors"
	"io"
	"sync"
	"time"
)

// A channel is the engine's end of the way to the host's half: its [upward].
//
// Frames leave as soon as they are made, but for calls, which nobody carries out
// before their release. At most as many calls are on their way as [remote]
// allows; the others are held back.
//
// What comes is read by the goroutine of the loop itself when it has nothing else
// to do: handing each frame from one goroutine to another would cost as much as
// the way between the processes. Until then it waits in the channel, and the
// host's half waits for it when that is full.
type channel struct {
	tools   map[string]int
	settled func(id uint64, r Result)

	frames  *frameReader
	reading chan incoming // of the read under way on another goroutine, or nil
	answer  *answer       // to the last question, when it has come

	mu       sync.Mutex
	out      io.Writer
	buffer   []byte // frames that have not left
	inFlight map[uint64]int
	bytes    int
	open     int // calls announced and not released
	failed   bool
	held     []heldCall
}

// A heldCall has not been announced yet.
type heldCall struct {
	id       uint64
	call     Call
	released bool
}

// An answer is that to a store, a load or the question for a module.
type answer struct {
	value        []byte
	ok           bool
	name, source string
	refused      error
}

// incoming is a frame that came.
type incoming struct {
	kind    byte
	payload []byte
	err     error
}

func newChannel(frames *frameReader, out io.Writer) *channel {
	return &channel{frames: frames, out: out}
}

// begin readies the channel for a run.
func (c *channel) begin(tools []Tool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tools = make(map[string]int, len(tools))
	for i, tool := range tools {
		c.tools[tool.Name] = i
	}
	c.inFlight, c.bytes, c.open, c.failed = map[uint64]int{}, 0, 0, false
}

// nextJob waits for the next job and readies the channel for it. What comes
// before it was meant for the run before.
func (c *channel) nextJob() job {
	for {
		frame := c.next()
		if frame.err != nil {
			lost()
		}
		if frame.kind != frameJob {
			continue
		}
		j, err := readJob(frame.payload)
		if err != nil {
			lost()
		}
		c.begin(j.Tools)
		return j
	}
}

// next waits for the next frame.
func (c *channel) next() incoming {
	if c.reading != nil {
		frame := <-c.reading
		c.reading = nil
		return frame
	}
	kind, payload, err := c.frames.next()
	return incoming{kind, payload, err}
}

// pull takes one frame in. It gives up when wait, unless it is negative, is over,
// or when there is something in wake.
func (c *channel) pull(wait time.Duration, wake <-chan struct{}) {
	var frame incoming
	switch {
	case c.reading == nil && wait < 0:
		frame = c.next()
	default:
		if c.reading == nil {
			c.reading = make(chan incoming, 1)
			go func(to chan<- incoming) {
				kind, payload, err := c.frames.next()
				to <- incoming{kind, payload, err}
			}(c.reading)
		}
		var over <-chan time.Time
		if wait >= 0 {
			timer := time.NewTimer(wait)
			defer timer.Stop()
			over = timer.C
		}
		select {
		case <-over:
			return
		case <-wake:
			return
		case frame = <-c.reading:
			c.reading = nil
		}
	}
	if frame.err != nil {
		lost()
	}
	c.take(frame.kind, frame.payload)
}

func (c *channel) take(kind byte, payload []byte) {
	var (
		a   answer
		err error
	)
	switch kind {
	case frameSettle:
		var (
			id uint64
			r  Result
		)
		if id, r, err = readSettle(payload); err == nil && c.awaits(id) {
			c.settled(id, r)
			c.settle(id)
		}
	case frameStop: // control has said so before; this wakes who reads
	case frameStored:
		a.refused, err = readStored(payload)
		c.answer = &a
	case frameFound:
		a.name, a.source, a.refused, err = readFound(payload)
		c.answer = &a
	case frameLoaded:
		a.value, a.ok, err = readLoaded(payload)
		c.answer = &a
	default:
		lost()
	}
	if err != nil {
		lost()
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

func (c *channel) call(id uint64, call Call, alone bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(call.Problem) > maxProblem {
		call.Problem = shorten(call.Problem, maxProblem-8)
	}
	if len(c.held) > 0 || !c.room(call) {
		c.held = append(c.held, heldCall{id: id, call: call})
		return
	}
	c.announce(id, call, alone)
}

// seen tells the host that the script has had a result.
func (c *channel) seen(id uint64, _ bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buffer = appendSeen(c.buffer, id)
	if c.open == 0 { // else a release follows, and one write wakes the host once
		c.flush()
	}
}

// room reports whether one more call may be on its way.
func (c *channel) room(call Call) bool {
	return len(c.inFlight) == 0 || len(c.inFlight) < maxInFlight && c.bytes+len(call.Args) <= maxInFlightBytes
}

func (c *channel) announce(id uint64, call Call, alone bool) {
	c.inFlight[id] = len(call.Args)
	c.bytes += len(call.Args)
	c.open++
	c.buffer = appendCall(c.buffer, id, c.tools[call.Name], call, alone)
	if len(c.buffer) > frameKeep {
		c.flush()
	}
}

func (c *channel) release(bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.held {
		c.held[i].released = true
	}
	c.letGo()
	c.flush()
}

// awaits reports whether a call of this run is on its way. The result of one of
// the run before may come late.
func (c *channel) awaits(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.inFlight[id]
	return ok
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
		c.announce(next.id, next.call, false)
	}
	if released {
		c.letGo()
	}
	if released || c.failed {
		c.flush()
	}
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

func (c *channel) module(specifier, importer string) (name, source string, err error) {
	if len(specifier) > maxSpecifier || len(importer) > maxSpecifier {
		return "", "", errors.New("the name of the module is too long")
	}
	a := c.ask(func(dst []byte) []byte { return appendModule(dst, specifier, importer) })
	return a.name, a.source, a.refused
}

// ask says a question and waits for its answer.
func (c *channel) ask(question func(dst []byte) []byte) answer {
	c.mu.Lock()
	c.buffer = question(c.buffer)
	c.flush()
	c.mu.Unlock()
	c.answer = nil
	for c.answer == nil {
		c.pull(-1, nil)
	}
	return *c.answer
}

// done says the outcome after everything else.
func (c *channel) done(o outcome) {
	for len(c.held) > 0 { // only this goroutine changes it
		c.pull(-1, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buffer = appendDone(c.buffer, o)
	c.flush()
}

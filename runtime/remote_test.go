package runtime

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// A liar is a process that says what a test gives it, whatever it is told. It
// then waits to be killed, or ends.
type liar struct {
	says  io.Reader
	waits bool

	killed chan struct{}
	once   sync.Once
}

func (l *liar) Start(int64) (Process, error) {
	l.killed = make(chan struct{})
	return l, nil
}

func (l *liar) Read(b []byte) (int, error) {
	select {
	case <-l.killed:
		return 0, io.EOF
	default:
	}
	n, err := l.says.Read(b)
	if err == io.EOF && l.waits {
		<-l.killed
	}
	return n, err
}

func (l *liar) Write(b []byte) (int, error) { return len(b), nil }
func (l *liar) Interrupt(byte)              {}
func (l *liar) Kill()                       { l.once.Do(func() { close(l.killed) }) }
func (l *liar) Wait() Death {
	l.Kill()
	return Death{Kind: KindSandbox, Message: "it died"}
}

// A witness is a host that checks what reaches it.
type witness struct {
	t  *testing.T
	mu sync.Mutex

	calls, recorded int
	hold            chan struct{} // calls wait for it, where it is set
}

func (w *witness) Tools() []Tool { return []Tool{{Name: "first"}, {Name: "second"}} }
func (w *witness) Call(ctx context.Context, c Call) Result {
	w.mu.Lock()
	if ctx.Err() != nil {
		w.recorded++
	} else {
		w.calls++
	}
	w.mu.Unlock()
	if c.Name != "first" && c.Name != "second" || !json.Valid(c.Args) || len(c.Args) > maxArgBytes {
		w.t.Errorf("a call of %q with %.100q reached the host", c.Name, c.Args)
	}
	if w.hold != nil {
		select {
		case <-w.hold:
		case <-ctx.Done():
		}
	}
	return Result{Value: c.Args}
}

func (w *witness) Store(key string, value []byte) error {
	if !json.Valid(value) {
		w.t.Errorf("%q reached the store", value)
	}
	return nil
}
func (w *witness) Load(string) ([]byte, bool) { return nil, false }

// hear runs a script whose process says something.
func hear(t *testing.T, says []byte, waits bool) (Report, *witness) {
	w := &witness{t: t}
	r := Run(context.Background(), Script{}, w, Options{Engine: &liar{says: bytes.NewReader(says), waits: waits}, Deadline: NewDeadline(time.Minute)})
	return r, w
}

func frame(kind byte, payload ...byte) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(payload))), payload...)
}

func join(frames ...[]byte) []byte { return bytes.Join(frames, nil) }

func callFrame(id uint64, tool int, args string) []byte {
	return appendCall(nil, id, tool, Call{Args: []byte(args)}, false)
}

var (
	doneFrame    = appendDone(nil, outcome{Value: []byte("1")})
	releaseFrame = appendEmpty(nil, frameRelease)
	failFrame    = appendEmpty(nil, frameFail)
)

// TestViolations holds that a process which says what it must not is ended, that
// the run fails, and that no call begins after it.
func TestViolations(t *testing.T) {
	many := []byte{}
	for id := range uint64(maxInFlight + 1) {
		many = append(many, callFrame(id+1, 0, "{}")...)
	}
	large := []byte{}
	for id := range uint64(6) {
		large = append(large, callFrame(id+1, 0, `"`+strings.Repeat("x", maxArgBytes-2)+`"`)...)
	}
	for name, says := range map[string][]byte{
		"no frame":                {0, 0, 0, 0, 0},
		"a frame of the parent's": frame(frameJob),
		"an unknown type":         frame(200),
		"a type between":          frame(frameDone + 1),
		"a long release":          frame(frameRelease, 1),
		"an endless frame":        {frameOutput, 255, 255, 255, 255},
		"a frame just too long":   binary.LittleEndian.AppendUint32([]byte{frameCall}, uint32(maxFrame[frameCall]+1)),
		"a call without fields":   frame(frameCall),
		"a call with more":        frame(frameCall, append(callFrame(1, 0, "{}")[frameHeader:], 0)...),
		"a length beyond":         frame(frameLoad, 255, 255, 255, 255, 'a'),
		"an early call":           callFrame(2, 0, "{}"),
		"call zero":               callFrame(0, 0, "{}"),
		"a call twice":            join(callFrame(1, 0, "{}"), callFrame(1, 0, "{}")),
		"a call left out":         join(callFrame(1, 0, "{}"), callFrame(3, 0, "{}")),
		"an unknown tool":         callFrame(1, 2, "{}"),
		"a tool far out":          callFrame(1, -1, "{}"),
		"no argument":             callFrame(1, 0, ""),
		"half an argument":        callFrame(1, 0, "{"),
		"an argument and more":    callFrame(1, 0, "{} {}"),
		"an argument in Latin 1":  callFrame(1, 0, "\"\xe9\""),
		"too many calls":          many,
		"too large calls":         large,
		"a release of nothing":    releaseFrame,
		"a second release":        join(callFrame(1, 0, "{}"), releaseFrame, releaseFrame),
		"two failures":            join(failFrame, failFrame),
		"an unknown stream":       appendOutput(nil, Output{Type: OutputText, Stream: "stdin", Text: "x"}),
		"an image of nothing":     appendOutput(nil, Output{Type: OutputImage, MimeType: "image/png"}),
		"an image that is none":   appendOutput(nil, Output{Type: OutputImage, MimeType: "image/png", Data: "*"}),
		"an image of text":        appendOutput(nil, Output{Type: OutputImage, MimeType: "text/html", Data: "AAAA"}),
		"a store of no JSON":      appendStore(nil, "k", []byte("x")),
		"a long key":              appendLoad(nil, strings.Repeat("k", maxStoreKey+1)),
		"a value of no JSON":      appendDone(nil, outcome{Value: []byte("{")}),
		"a timeout":               appendDone(nil, outcome{Err: &Error{Kind: KindTimeout}}),
		"a stop":                  appendDone(nil, outcome{Err: &Error{Kind: KindAborted}}),
		"an unknown kind":         appendDone(nil, outcome{Err: &Error{Kind: "nice"}}),
		"something after the end": join(doneFrame, callFrame(1, 0, "{}")),
		"two ends":                join(doneFrame, doneFrame),
	} {
		started := time.Now()
		r, w := hear(t, says, true)
		if r.OK || r.Error.Kind != KindSandbox || !strings.Contains(r.Error.Message, "broke its protocol") {
			t.Errorf("%s: %s %+v", name, r.Value, r.Error)
		}
		if w.calls > 1 || name != "a second release" && w.calls > 0 {
			t.Errorf("%s: %d calls", name, w.calls)
		}
		if took := time.Since(started); took > 30*time.Second { // checking megabytes takes the race detector its time, on a busy machine more
			t.Errorf("%s: took %v", name, took)
		}
	}
	for name, says := range map[string][]byte{
		"nothing":        nil,
		"half a header":  {frameDone, 1},
		"half a frame":   doneFrame[:len(doneFrame)-1],
		"a call, no end": join(callFrame(1, 0, "{}"), releaseFrame),
	} {
		if r, _ := hear(t, says, false); r.OK || r.Error.Message != "it died" {
			t.Errorf("%s: %s %+v", name, r.Value, r.Error)
		}
	}
	if r, _ := hear(t, doneFrame, true); !r.OK || string(r.Value) != "1" {
		t.Errorf("the truth: %+v", r.Error)
	}
}

// TestTwoQuestions: the second comes before the first was answered.
func TestTwoQuestions(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	host := &slowStore{witness{t: t}, hold}
	says := join(appendStore(nil, "a", []byte("1")), appendLoad(nil, "a"))
	r := Run(context.Background(), Script{}, host, Options{Engine: &liar{says: bytes.NewReader(says), waits: true}})
	if r.OK || !strings.Contains(r.Error.Message, "a question before") {
		t.Errorf("%+v", r.Error)
	}
}

type slowStore struct {
	witness
	hold chan struct{}
}

func (s *slowStore) Store(string, []byte) error {
	<-s.hold
	return nil
}

// An endless process says the same again and again.
type endless struct {
	start, again []byte
	at           int
}

func (e *endless) Read(b []byte) (n int, err error) {
	if len(e.start) > 0 {
		n = copy(b, e.start)
		e.start = e.start[n:]
		return n, nil
	}
	for n < len(b) {
		m := copy(b[n:], e.again[e.at:])
		n += m
		e.at = (e.at + m) % len(e.again)
	}
	return n, nil
}

// TestFloods holds that a process which never stops talking is ended, and what is
// kept of it is bounded.
func TestFloods(t *testing.T) {
	for name, tt := range map[string]struct {
		again []byte
		kind  string
	}{
		"text":    {appendOutput(nil, Output{Type: OutputText, Text: strings.Repeat("x", 1<<20)}), KindOutput},
		"nothing": {appendOutput(nil, Output{Type: OutputText}), KindOutput},
		"images":  {appendOutput(nil, Output{Type: OutputImage, MimeType: "image/png", Data: strings.Repeat("A", 1<<20)}), KindOutput},
		"loads":   {appendLoad(nil, "k"), KindSandbox},
		"zeros":   {make([]byte, 100), KindSandbox},
	} {
		r := Run(context.Background(), Script{}, &witness{t: t}, Options{Engine: &liar{says: &endless{again: tt.again}}, Deadline: NewDeadline(20 * time.Second)})
		kept := 0
		for _, o := range r.Output {
			kept += len(o.Text) + len(o.Data)
		}
		if r.OK || r.Error.Kind != tt.kind || kept > 20<<20 {
			t.Errorf("%s: %d bytes kept, %+v", name, kept, r.Error)
		}
	}
}

// FuzzHostileProcess holds that nothing which a process may say gets past the
// rules: no call without a name and JSON, no report that cannot be written.
func FuzzHostileProcess(f *testing.F) {
	f.Add(join(callFrame(1, 0, "{}"), releaseFrame, appendOutput(nil, Output{Type: OutputText, Text: "x"}), doneFrame))
	f.Add(join(callFrame(1, 1, `{"a":[1]}`), failFrame, appendDone(nil, outcome{Err: &Error{Kind: KindScript, Message: "m", Stack: "s"}})))
	f.Add(join(appendStore(nil, "k", []byte("1")), appendLoad(nil, "k")))
	f.Add(join(appendOutput(nil, Output{Type: OutputImage, MimeType: "image/png", Data: "AAAA"}), doneFrame))
	f.Add([]byte{frameOutput, 255, 255, 255, 0})
	f.Fuzz(func(t *testing.T, says []byte) {
		r, _ := hear(t, says, false)
		if _, err := json.Marshal(r.Output); err != nil {
			t.Error(err)
		}
		if !json.Valid(r.Value) {
			t.Errorf("value %q", r.Value)
		}
		if r.OK == (r.Error != nil) {
			t.Errorf("%v %+v", r.OK, r.Error)
		}
	})
}

// TestFramesDown holds that what the host's half says arrives as it was.
func TestFramesDown(t *testing.T) {
	j := job{
		Script: Script{Name: "n", Source: "s\x00\xff", Args: []string{"", "a"}, Globals: map[string]json.RawMessage{"g": json.RawMessage("1")}},
		Tools:  []Tool{{"t", "d"}, {"u", ""}}, Memory: 5,
	}
	if got, err := readJob(appendJob(nil, j)[frameHeader:]); err != nil || !reflect.DeepEqual(got, j) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := readJob(appendJob(nil, job{})[frameHeader:]); err != nil || !reflect.DeepEqual(got, job{}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, want := range []Result{{}, {Value: []byte("1")}, {Err: &CallError{Message: "m", Props: []byte("{}")}}, {Err: &CallError{}}} {
		if id, got, err := readSettle(appendSettle(nil, 7, want)[frameHeader:]); err != nil || id != 7 || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if refused, err := readStored(appendStored(nil, fmt.Errorf("no"))[frameHeader:]); err != nil || refused.Error() != "no" {
		t.Error(refused, err)
	}
	if value, ok, err := readLoaded(appendLoaded(nil, []byte("1"), true)[frameHeader:]); err != nil || !ok || string(value) != "1" {
		t.Error(value, ok, err)
	}
}

// TestDiscardedAtTheEnd holds that somebody waits for the death of a process
// that is discarded when its run ends just then, whichever comes first.
func TestDiscardedAtTheEnd(t *testing.T) {
	t.Parallel()
	for _, discardedFirst := range []bool{true, false} {
		p := &mourned{waited: make(chan struct{})}
		_, _ = p.Start(0)
		r := newRemote(p, job{Keep: true}, nil)
		if discardedFirst {
			r.discard()
			r.finish(outcome{}, nil)
		} else {
			r.finish(outcome{}, nil)
			r.discard()
		}
		select {
		case <-p.waited:
		case <-time.After(time.Minute):
			t.Errorf("discarded first: %t: nobody waits for its death", discardedFirst)
		}
	}
}

// mourned is a process that tells when somebody waits for its death.
type mourned struct {
	liar
	waited chan struct{}
}

func (m *mourned) Wait() Death {
	close(m.waited)
	return Death{}
}

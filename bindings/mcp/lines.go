package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/ops/plain"
)

// maxLine bounds one message of a client.
const maxLine = 16 << 20

// lines is the transport over two streams, a message a line. Other than the
// SDK's it outlives what is no message, answering it with an error, and after
// the end of input it holds the connection open until every call that came has
// its answer.
type lines struct {
	in    io.Reader
	out   io.Writer
	turns turns

	ended  chan struct{} // closed when the input has ended
	broken chan struct{} // closed when nothing can be written any more
	closed chan struct{}
	came   chan message

	queue []jsonrpc.Message // of a batch; Read's alone

	writing sync.Mutex

	mu      sync.Mutex
	pending map[jsonrpc.ID]func() // what to do when a call has its answer
	idle    chan struct{}         // closed when nothing is pending, after the last call that matters
	over    bool
	once    struct{ ended, broken, closed, idle sync.Once }
}

// message is a line, or what is wrong with it, or with the stream.
type message struct {
	text []byte
	err  error
	end  bool
}

func newLines(in io.Reader, out io.Writer) *lines {
	return &lines{
		in: in, out: out,
		ended: make(chan struct{}), broken: make(chan struct{}), closed: make(chan struct{}), idle: make(chan struct{}),
		came: make(chan message), pending: map[jsonrpc.ID]func(){},
	}
}

// Connect implements [sdk.Transport].
func (l *lines) Connect(context.Context) (sdk.Connection, error) {
	go l.receive()
	return l, nil
}

// SessionID implements [sdk.Connection].
func (l *lines) SessionID() string { return "" }

// Close implements [sdk.Connection]. The streams stay open: they are the
// caller's.
func (l *lines) Close() error {
	l.once.closed.Do(func() { close(l.closed) })
	return nil
}

var errLong = errors.New("the message is larger than 16 MiB")

// receive reads lines until the input ends.
func (l *lines) receive() {
	r := bufio.NewReaderSize(l.in, 64<<10)
	for {
		text, err := readLine(r)
		m := message{text: bytes.TrimSpace(text), err: err}
		if err != nil && !errors.Is(err, errLong) {
			m.end = true
		}
		if len(m.text) > 0 || m.err != nil {
			if !l.hand(m) {
				return
			}
		}
		if m.end {
			return
		}
	}
}

func (l *lines) hand(m message) bool {
	select {
	case l.came <- m:
		return true
	case <-l.closed:
		return false
	}
}

// readLine reads one line, and passes over the rest of one that is too long. A
// last line without an end is one, too: a client may close its side right
// behind it.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		piece, err := r.ReadSlice('\n')
		if long = long || len(line)+len(piece) > maxLine; long {
			line = nil
		} else {
			line = append(line, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && err == nil:
			return nil, errLong
		case errors.Is(err, io.EOF) && len(bytes.TrimSpace(line)) > 0:
			return line, nil // the end comes again
		default:
			return line, err
		}
	}
}

// Read implements [sdk.Connection].
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(l.queue) > 0 {
			next := l.queue[0]
			l.queue = l.queue[1:]
			if l.accept(next) {
				return next, nil
			}
			continue
		}
		var m message
		select {
		case m = <-l.came:
		case <-l.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case m.end:
			l.drain()
			return nil, io.EOF
		case m.err != nil:
			l.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, m.err.Error())
		default:
			l.queue = l.decode(m.text)
		}
	}
}

// decode reads the messages of a line: one, or, as an old revision has it, a
// batch, whose answers come one by one.
func (l *lines) decode(text []byte) []jsonrpc.Message {
	if !json.Valid(text) {
		l.refuse(jsonrpc.ID{}, jsonrpc.CodeParseError, "this is not JSON; every line must be one message")
		return nil
	}
	batch := []json.RawMessage{text}
	if text[0] == '[' {
		if err := json.Unmarshal(text, &batch); err != nil || len(batch) == 0 {
			l.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "the batch is empty")
			return nil
		}
	}
	var list []jsonrpc.Message
	for _, one := range batch {
		m, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			l.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "this is no JSON-RPC 2.0 message: "+err.Error())
			continue
		}
		list = append(list, unambiguous(m))
	}
	return list
}

// unambiguous makes an error of an answer that says a thing twice: of two answers
// to one question nobody can tell which is meant.
func unambiguous(m jsonrpc.Message) jsonrpc.Message {
	if r, ok := m.(*jsonrpc.Response); ok && len(r.Result) > 0 {
		if _, err := plain.Parse(r.Result); err != nil {
			r.Result, r.Error = nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the answer is ambiguous: " + err.Error()}
		}
	}
	return m
}

// accept notes a call that will have an answer. One with the number of another
// that has none yet is refused: nobody could tell their answers apart.
func (l *lines) accept(m jsonrpc.Message) bool {
	req, ok := m.(*jsonrpc.Request)
	if !ok || !req.ID.IsValid() {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, twice := l.pending[req.ID]; twice {
		go l.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "the id of this request is that of one that has no answer yet")
		return false
	}
	extra := &sdk.RequestExtra{}
	req.Extra = extra
	l.pending[req.ID] = l.turns.join(extra, req)
	return true
}

// drain waits, after the end of input, until all calls have their answers, or
// none can be given any more.
func (l *lines) drain() {
	l.once.ended.Do(func() { close(l.ended) })
	l.last()
	select {
	case <-l.idle:
	case <-l.broken:
	case <-l.closed:
	}
}

// settle waits for the same, but not for long.
func (l *lines) settle(most time.Duration) {
	l.last()
	select {
	case <-l.idle:
	case <-l.broken:
	case <-l.closed:
	case <-time.After(most):
	}
}

// last says that no further call matters.
func (l *lines) last() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	if len(l.pending) == 0 {
		l.once.idle.Do(func() { close(l.idle) })
	}
}

// Write implements [sdk.Connection].
func (l *lines) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(m)
	if err == nil {
		err = l.put(data)
	}
	if resp, ok := m.(*jsonrpc.Response); ok {
		l.answered(resp.ID)
	}
	return err
}

func (l *lines) put(data []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, err := l.out.Write(append(data, '\n'))
	if err != nil {
		l.once.broken.Do(func() { close(l.broken) })
	}
	return err
}

func (l *lines) answered(id jsonrpc.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if done, ok := l.pending[id]; ok {
		done()
		delete(l.pending, id)
	}
	if l.over && len(l.pending) == 0 {
		l.once.idle.Do(func() { close(l.idle) })
	}
}

// refuse answers what is no call.
func (l *lines) refuse(id jsonrpc.ID, code int64, message string) {
	answer := struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Error   any    `json:"error"`
	}{"2.0", id.Raw(), map[string]any{"code": code, "message": message}}
	data, err := json.Marshal(answer)
	if err == nil {
		_ = l.put(data) // a client that cannot be answered is noticed with the next answer
	}
}

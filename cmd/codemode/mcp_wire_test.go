//go:build linux

package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode/ops"
)

// wire is a client of the built server that sees every byte: a line that is no
// message fails the test.
type wire struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	stderr bytes.Buffer // to be read when the server has ended
	exited chan struct{}

	// answer is what the person does with a question; nil: nothing, ever.
	answer func(question string) any

	mu      sync.Mutex
	next    int
	answers map[int]chan message
	notes   []message
	strays  []message // answers to what nobody asked
	roots   any       // what is said when the server asks for roots
}

// message is anything that comes from the server.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int
		Message string
	} `json:"error"`
}

// answers of a person.
func accepting(content any) func(string) any {
	return func(string) any { return map[string]any{"action": "accept", "content": content} }
}

func acting(action string) func(string) any {
	return func(string) any { return map[string]any{"action": action} }
}

var (
	yes = accepting(map[string]any{"approve": true})
	no  = accepting(map[string]any{"approve": false})
)

// speak starts the server and shakes hands. Capabilities are JSON.
func (c command) speak(t *testing.T, capabilities string, answer func(string) any, flags ...string) *wire {
	t.Helper()
	v := c.start(t, answer, flags...)
	v.greet(capabilities)
	return v
}

// offering does the same as a client that offers roots.
func (c command) offering(t *testing.T, uris []string, flags ...string) *wire {
	t.Helper()
	roots := []any{}
	for _, uri := range uris {
		roots = append(roots, map[string]any{"uri": uri})
	}
	v := c.start(t, nil, flags...)
	v.mu.Lock()
	v.roots = map[string]any{"roots": roots}
	v.mu.Unlock()
	v.greet(`{"roots":{}}`)
	return v
}

func (v *wire) greet(capabilities string) {
	v.t.Helper()
	v.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"wire","version":"1"},"capabilities":` + capabilities + `}}`)
	v.await(0)
	v.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

const (
	canAsk    = `{"elicitation":{}}`
	cannotAsk = `{}`
)

// start starts the server only.
func (c command) start(t *testing.T, answer func(string) any, flags ...string) *wire {
	t.Helper()
	v := &wire{t: t, answer: answer, answers: map[int]chan message{0: make(chan message, 1)}, exited: make(chan struct{})}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	v.cmd = c.prepare(ctx, append([]string{"mcp"}, flags...)...)
	v.cmd.Stderr = &v.stderr
	var err error
	if v.in, err = v.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(v.exited)
		v.listen(out)
		_ = v.cmd.Wait() // how it ended, tests ask
	}()
	t.Cleanup(func() {
		defer cancel()
		v.in.Close()
		select {
		case <-v.exited:
		case <-time.After(20 * time.Second):
			t.Errorf("the server did not end")
			cancel()
			<-v.exited
		}
	})
	return v
}

// listen takes what the server says.
func (v *wire) listen(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			v.take(line)
		}
		if err != nil {
			return
		}
	}
}

func (v *wire) take(line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
		v.t.Errorf("standard output has a line that is no message: %q", line)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	var id int
	isNumber := json.Unmarshal(m.ID, &id) == nil && string(m.ID) != "null" && len(m.ID) > 0
	switch {
	case m.Method == "elicitation/create":
		var params struct {
			Message         string
			RequestedSchema json.RawMessage
		}
		_ = json.Unmarshal(m.Params, &params) // a question without them shows in the test
		v.notes = append(v.notes, m)
		if v.answer == nil {
			return
		}
		go func() { // the person may do something first
			if result := v.answer(params.Message); result != nil {
				data, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
				v.send(string(data))
			}
		}()
	case m.Method == "roots/list" && v.roots != nil:
		data, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": v.roots})
		go v.send(string(data))
	case m.Method != "":
		v.notes = append(v.notes, m)
	case isNumber && v.answers[id] != nil:
		v.answers[id] <- m
	default:
		v.strays = append(v.strays, m)
	}
}

// send writes a line.
func (v *wire) send(line string) {
	_, _ = io.WriteString(v.in, line+"\n") // a server that is gone shows in what it does not answer
}

// begin calls a tool without waiting for the answer.
func (v *wire) begin(tool, args string) (id int) {
	v.mu.Lock()
	v.next++
	id = v.next
	v.answers[id] = make(chan message, 1)
	v.mu.Unlock()
	data, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{
		"name": tool, "arguments": json.RawMessage(args), "_meta": map[string]any{"progressToken": id},
	}})
	v.send(string(data))
	return id
}

// await waits for an answer.
func (v *wire) await(id int) message {
	v.t.Helper()
	v.mu.Lock()
	answer := v.answers[id]
	v.mu.Unlock()
	select {
	case m := <-answer:
		return m
	case <-v.exited:
		select {
		case m := <-answer:
			return m
		default:
		}
		v.t.Fatalf("the server ended without an answer to %d\n%s", id, v.stderr.String())
	case <-time.After(time.Minute):
		v.t.Fatalf("no answer to %d", id)
	}
	return message{}
}

// cancel withdraws a call.
func (v *wire) cancel(id int) {
	data, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": id}})
	v.send(string(data))
}

// result is a tool's.
type result struct {
	Content []struct {
		Type, Text string
	} `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
	IsError           bool            `json:"isError"`
}

func (r result) text() string {
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text + "\n")
	}
	return b.String()
}

// call calls a tool and waits.
func (v *wire) call(tool, args string) result {
	v.t.Helper()
	return v.result(v.begin(tool, args))
}

// result waits for that of a call.
func (v *wire) result(id int) result {
	v.t.Helper()
	m := v.await(id)
	if m.Error != nil {
		v.t.Fatalf("call %d: %+v", id, m.Error)
	}
	var r result
	if err := json.Unmarshal(m.Result, &r); err != nil {
		v.t.Fatal(err)
	}
	return r
}

// receipt calls an operation and waits.
func (v *wire) receipt(tool, args string) ops.Receipt {
	v.t.Helper()
	return v.receiptOf(v.begin(tool, args))
}

func (v *wire) receiptOf(id int) ops.Receipt {
	v.t.Helper()
	r := v.result(id)
	var receipt ops.Receipt
	if err := json.Unmarshal(r.StructuredContent, &receipt); err != nil {
		v.t.Fatalf("%v: %s", err, r.text())
	}
	if r.IsError == receipt.OK {
		v.t.Errorf("isError %t with %+v", r.IsError, receipt)
	}
	return receipt
}

// run runs a script and waits.
func (v *wire) run(code string) report {
	v.t.Helper()
	args, _ := json.Marshal(map[string]string{"code": code})
	return v.reportOf(v.call("codemode", string(args)))
}

// reportOf reads a report.
func (v *wire) reportOf(r result) (rep report) {
	v.t.Helper()
	if err := json.Unmarshal(r.StructuredContent, &rep); err != nil {
		v.t.Fatalf("%v: %s", err, r.text())
	}
	return rep
}

// questions are those that were asked so far.
func (v *wire) questions() (list []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, m := range v.notes {
		if m.Method == "elicitation/create" {
			list = append(list, string(m.Params))
		}
	}
	return list
}

// asked waits for the n-th question.
func (v *wire) asked(n int) string {
	v.t.Helper()
	for range 3000 {
		if list := v.questions(); len(list) >= n {
			return list[n-1]
		}
		time.Sleep(10 * time.Millisecond)
	}
	v.t.Fatalf("there was no question %d", n)
	return ""
}

// end closes the server's input and waits for its end.
func (v *wire) end() (status int) {
	v.t.Helper()
	v.in.Close()
	select {
	case <-v.exited:
	case <-time.After(20 * time.Second):
		v.t.Fatal("the server did not end")
	}
	return v.cmd.ProcessState.ExitCode()
}

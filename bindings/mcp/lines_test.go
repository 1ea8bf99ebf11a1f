package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"codemode/bindings/mcp"
	"codemode/ops/opstest"
)

// raw is a client that writes and reads lines.
type raw struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *bufio.Reader
	served chan error
	cancel context.CancelFunc
}

func serveRaw(t *testing.T, w opstest.World) *raw {
	t.Helper()
	p := &peer{journal: w.W + "/../journal"}
	server := mcp.New(mcp.Config{Open: p.open(w, setting{})})
	theirIn, in := io.Pipe()
	out, theirOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	r := &raw{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20), served: make(chan error, 1), cancel: cancel}
	go func() {
		r.served <- server.Serve(ctx, theirIn, theirOut)
		theirOut.Close()
	}()
	t.Cleanup(func() {
		cancel()
		in.Close()
		out.Close()
		server.Close()
	})
	return r
}

func (r *raw) write(lines ...string) {
	r.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(r.in, line+"\n"); err != nil {
			r.t.Error(err)
			return
		}
	}
}

// read takes the next line, which must be a message.
func (r *raw) read() (m struct {
	JSONRPC string
	ID      any
	Method  string
	Result  json.RawMessage
	Error   *struct {
		Code    int
		Message string
	}
}) {
	r.t.Helper()
	line, err := r.out.ReadString('\n')
	if err != nil {
		r.t.Fatalf("%v after %q", err, line)
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
		r.t.Fatalf("no message: %q", line)
	}
	return m
}

const (
	hello  = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	ready  = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	pinged = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`
)

func (r *raw) greet() {
	r.t.Helper()
	r.write(hello)
	if m := r.read(); m.ID != "hello" || m.Error != nil {
		r.t.Fatalf("%+v", m)
	}
	r.write(ready)
}

// TestGarbage holds that what is no message gets an error for an answer, and
// that the connection lives on.
func TestGarbage(t *testing.T) {
	t.Parallel()
	r := serveRaw(t, worldOf(t, "mkdir proj"))
	go r.write("this is not JSON") // also before anything else
	if m := r.read(); m.Error == nil || m.Error.Code != -32700 || m.ID != nil {
		t.Errorf("%+v", m)
	}
	go r.write(hello, ready)
	if m := r.read(); m.ID != "hello" {
		t.Fatalf("%+v", m)
	}
	for name, tt := range map[string]struct {
		line string
		code int
	}{
		"half a message":          {`{"jsonrpc":"2.0","id":1,`, -32700},
		"two on a line":           {pinged + pinged, -32700},
		"a number":                {`7`, -32600},
		"no version":              {`{"id":1,"method":"ping"}`, -32600},
		"another version":         {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
		"an object as id":         {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
		"an empty batch":          {`[]`, -32600},
		"bytes":                   {"\x00\xff\xfe", -32700},
		"deep":                    {strings.Repeat("[", 100_000), -32700},
		"deep and closed":         {`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, -32600},
		"larger than any message": {strings.Repeat("x", 17<<20), -32600},
	} {
		go r.write(tt.line, pinged)
		m := r.read()
		if m.Error == nil || m.Error.Code != tt.code {
			t.Errorf("%s: %+v, want %d", name, m, tt.code)
		}
		if m := r.read(); m.ID != "ping" || m.Error != nil {
			t.Errorf("after %s: %+v", name, m)
		}
	}
	// What is a message and makes no sense.
	for name, line := range map[string]string{
		"an unknown method": `{"jsonrpc":"2.0","id":2,"method":"no/such"}`,
		"an unknown tool":   `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"rm","arguments":{}}}`,
		"no parameters":     `{"jsonrpc":"2.0","id":2,"method":"tools/call"}`,
		"wrong parameters":  `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":[1]}`,
		"hello again":       `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`,
	} {
		go r.write(line)
		if m := r.read(); m.Error == nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
	// What needs no answer and gets none.
	go r.write(
		`{"jsonrpc":"2.0","id":77,"result":{}}`, `{"jsonrpc":"2.0","method":"no/such"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, `{"jsonrpc":"2.0","method":"notifications/progress","params":7}`, "", "   ", pinged)
	if m := r.read(); m.ID != "ping" || m.Error != nil {
		t.Errorf("%+v", m)
	}
}

// TestBatch holds that a batch, as an old revision has it, is served.
func TestBatch(t *testing.T) {
	t.Parallel()
	r := serveRaw(t, worldOf(t, "mkdir proj"))
	r.greet()
	go r.write(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"},7]`)
	seen := map[any]bool{}
	for range 3 {
		seen[r.read().ID] = true
	}
	if !seen[1.0] || !seen[2.0] || !seen[nil] {
		t.Errorf("%v", seen)
	}
}

// TestTwiceTheSameID holds that a request with the id of another that has no
// answer yet is refused, and disturbs nothing.
func TestTwiceTheSameID(t *testing.T) {
	t.Parallel()
	r := serveRaw(t, worldOf(t, "mkdir proj"))
	r.greet()
	slow := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"await new Promise(r => setTimeout(r, 300)); return 1"}}}`
	go r.write(slow, slow)
	if m := r.read(); m.ID != nil || m.Error == nil || !strings.Contains(m.Error.Message, "no answer yet") {
		t.Errorf("%+v", m)
	}
	if m := r.read(); m.ID != 1.0 || !strings.Contains(string(m.Result), `"value":1`) {
		t.Errorf("%+v %s", m, m.Result)
	}
}

// TestOrder holds that operations which a client sends without waiting are
// carried out in the order in which they came.
func TestOrder(t *testing.T) {
	t.Parallel()
	const n = 100
	w := worldOf(t, "mkdir proj; printf a > proj/f0")
	r := serveRaw(t, w)
	r.greet()
	go func() {
		for i := range n {
			r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"move","arguments":{"path":"f%d","target":"f%d"}}}`, i, i, i+1))
		}
	}()
	for range n {
		if m := r.read(); m.Error != nil || !strings.Contains(string(m.Result), `"ok":true`) {
			t.Fatalf("%+v %s", m, m.Result)
		}
	}
	w.Check(t, fmt.Sprintf("test -f proj/f%d", n))
}

// TestEnd holds that calls which came before the end of input get their answers.
func TestEnd(t *testing.T) {
	t.Parallel()
	r := serveRaw(t, worldOf(t, "mkdir proj"))
	go func() {
		r.write(hello, ready, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		io.WriteString(r.in, pinged) // without an end of line
		r.in.Close()
	}()
	seen := map[any]bool{}
	for range 3 {
		m := r.read()
		if m.Error != nil {
			t.Errorf("%+v", m)
		}
		seen[m.ID] = true
	}
	if len(seen) != 3 {
		t.Errorf("%v", seen)
	}
	if err := <-r.served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// TestDeafClient holds that a client which does not read holds nothing up when
// the server is to end, and that what was done is recorded.
func TestDeafClient(t *testing.T) {
	t.Parallel()
	w := worldOf(t, "mkdir proj; printf a > proj/a; printf b > proj/b")
	r := serveRaw(t, w)
	r.greet()
	r.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","arguments":{"path":"a"}}}`)
	for range 500 {
		if out, err := w.Bash("! test -e proj/a"); err == nil {
			break
		} else if len(out) > 0 {
			t.Fatal(string(out))
		}
		time.Sleep(10 * time.Millisecond)
	}
	began := time.Now()
	r.cancel()
	select {
	case <-r.served:
	case <-time.After(20 * time.Second):
		t.Fatal("it did not end")
	}
	t.Logf("ended after %s", time.Since(began))
	logged := (&peer{journal: w.W + "/../journal"}).logged(t)
	if logged.Status != "finished" || len(logged.Operations) != 1 || !logged.Operations[0].OK {
		t.Errorf("%+v", logged)
	}
}

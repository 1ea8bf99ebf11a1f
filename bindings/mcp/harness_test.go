//lint:file-ignore SA1019 The revisions of the protocol that are served have roots and logging, see versions.

package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings"
	"codemode/bindings/mcp"
	"codemode/ops"
	"codemode/ops/journal"
	"codemode/ops/opstest"
	"codemode/ops/policy"
	"codemode/runtime/worker"
)

func TestMain(m *testing.M) {
	worker.Main() // the sandbox of a script under test is this binary, too
	os.Exit(m.Run())
}

// worldOf makes a world.
func worldOf(t testing.TB, setup string) opstest.World {
	t.Helper()
	w := opstest.NewWorld(t)
	w.Setup(t, setup, false)
	return w
}

// setting is what a test decides about server, host and client.
type setting struct {
	server mcp.Config
	host   opstest.Host
	client sdk.ClientOptions
	roots  []*sdk.Root
	// middleware changes how the client answers.
	middleware sdk.Middleware
	// opened may change what the host opens.
	opened func(*mcp.Run, mcp.Client) error
	// decided answers instead of the client; nil: the client is asked.
	decided func(context.Context, policy.Question) (bool, error)
}

// peer is a client that is connected to a server over a pipe, as over standard
// input and output.
type peer struct {
	*sdk.ClientSession
	client  *sdk.Client
	tap     *tap
	server  *mcp.Server
	journal string        // where the journal of the connection lies
	served  chan struct{} // closed when the server has ended
	near    net.Conn
}

// connect starts a server in a world and connects a client of the Go SDK.
func connect(t testing.TB, w opstest.World, o setting) *peer {
	t.Helper()
	p := &peer{journal: filepath.Join(filepath.Dir(w.W), "journal"), served: make(chan struct{})}
	o.server.Open = p.open(w, o)
	p.server = mcp.New(o.server)
	far, near := net.Pipe()
	p.near = near
	go func() {
		defer close(p.served)
		_ = p.server.Serve(context.Background(), far, far) // a client that is gone is no error of the server's
		far.Close()
	}()
	if o.client.Capabilities == nil {
		o.client.Capabilities = &sdk.ClientCapabilities{}
		if o.roots != nil {
			o.client.Capabilities.RootsV2 = &sdk.RootCapabilities{ListChanged: true}
		}
	}
	p.client = sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &o.client)
	p.client.AddRoots(o.roots...)
	if o.middleware != nil {
		p.client.AddReceivingMiddleware(o.middleware)
	}
	p.tap = &tap{Transport: &sdk.IOTransport{Reader: near, Writer: near}}
	var err error
	if p.ClientSession, err = p.client.Connect(t.Context(), p.tap, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.ClientSession.Close()
		near.Close()
		select {
		case <-p.served:
		case <-time.After(20 * time.Second):
			t.Error("the server did not end")
		}
		p.server.Close()
	})
	return p
}

// open is how the host opens a connection's run.
func (p *peer) open(w opstest.World, o setting) func(context.Context, mcp.Client) (*mcp.Run, error) {
	return func(_ context.Context, c mcp.Client) (*mcp.Run, error) {
		cfg := w.Config(o.host)
		if cfg.Approve == nil {
			cfg.Approve = c.Ask
		}
		if o.decided != nil {
			cfg.Approve = o.decided
		}
		if len(c.Roots) > 0 {
			cfg.Root, cfg.RootAsks = c.Roots[0], true
		}
		kept, err := journal.Create(p.journal, journal.Options{})
		if err != nil {
			return nil, err
		}
		cfg.Journal, cfg.JournalDir = kept, p.journal
		if err := kept.Append(bindings.NewRunStarted(kept.ID(), cfg.Dir, "mcp", "", nil)); err != nil {
			return nil, err
		}
		s, err := ops.Open(cfg)
		if err != nil {
			return nil, err
		}
		run := &mcp.Run{ID: kept.ID(), Session: s, Record: kept.Append, End: func(r bindings.Report) {
			_ = kept.Append(bindings.NewRunFinished(r)) // what is missing, the test finds
			kept.Close()
			s.Close()
		}}
		if o.opened != nil {
			err = o.opened(run, c)
		}
		return run, err
	}
}

// logged is what the journal of the connection says.
func (p *peer) logged(t *testing.T) bindings.Rebuilt {
	t.Helper()
	ids, err := journal.IDs(p.journal)
	if err != nil || len(ids) != 1 {
		t.Fatalf("%d journals of one connection, %v", len(ids), err)
	}
	record, err := journal.Read(p.journal, ids[0])
	if err != nil {
		t.Fatal(err)
	}
	return bindings.Rebuild(record.Lines, record.Running)
}

// call calls a tool with arguments in JSON, which reach the server as they are.
func (p *peer) call(t testing.TB, tool, args string) *sdk.CallToolResult {
	t.Helper()
	r, err := p.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	return r
}

// receipt calls an operation.
func (p *peer) receipt(t *testing.T, op ops.Operation, args string) ops.Receipt {
	t.Helper()
	if op == ops.Mkdir { // only scripts have it
		rep, _ := p.run(t, fmt.Sprintf(`{"code": %q}`, "try { await tools.mkdir("+args+") } catch (e) { if (!(e instanceof OperationError)) throw e }"))
		if len(rep.Operations) != 1 {
			t.Fatalf("%d operations: %+v", len(rep.Operations), rep)
		}
		return rep.Operations[0]
	}
	r := p.call(t, string(op), args)
	var receipt ops.Receipt
	p.structured(t, &receipt)
	if r.IsError == receipt.OK {
		t.Errorf("isError %t with %+v", r.IsError, receipt)
	}
	return receipt
}

// run runs a script.
func (p *peer) run(t *testing.T, args string) (report, *sdk.CallToolResult) {
	t.Helper()
	r := p.call(t, "codemode", args)
	var rep report
	p.structured(t, &rep)
	if r.IsError == rep.OK {
		t.Errorf("isError %t with %+v", r.IsError, rep)
	}
	return rep, r
}

// report is a run report as a client sees it.
type report struct {
	OK         bool
	RunID      string
	Value      json.RawMessage
	Output     []struct{ Type, Text, Data, MimeType string }
	Operations []ops.Receipt
	Error      *struct{ Kind, Message, Stack string }
}

// structured reads the structured content of the last result from the bytes
// that came, since the SDK's client does not keep every name.
func (p *peer) structured(t *testing.T, into any) {
	t.Helper()
	var r struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(p.tap.result(t), &r); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(r.StructuredContent, into); err != nil {
		t.Fatalf("%v in %s", err, r.StructuredContent)
	}
}

func text(r *sdk.CallToolResult) string {
	s := ""
	for _, c := range r.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			s += t.Text + "\n"
		}
	}
	return s
}

// tap is a client's transport that keeps the result of the last call as it came.
type tap struct {
	sdk.Transport
	mu   sync.Mutex
	call jsonrpc.ID
	last json.RawMessage
}

func (t *tap) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &tapped{c, t}, err
}

func (t *tap) result(tb testing.TB) json.RawMessage {
	tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil {
		tb.Fatal("no result came")
	}
	return t.last
}

type tapped struct {
	sdk.Connection
	tap *tap
}

func (c *tapped) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Response); ok && err == nil {
		c.tap.mu.Lock()
		if r.ID == c.tap.call {
			c.tap.last = r.Result
		}
		c.tap.mu.Unlock()
	}
	return m, err
}

func (c *tapped) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.tap.mu.Lock()
		c.tap.call = r.ID
		c.tap.mu.Unlock()
	}
	return c.Connection.Write(ctx, m)
}

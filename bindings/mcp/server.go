//lint:file-ignore SA1019 The revisions of the protocol that are served have roots and logging, see versions.

package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
)

// Config is what the program that serves decides.
type Config struct {
	// Version is the program's, as clients show it.
	Version string
	// Open begins the run of a connection, when its first tool is called.
	Open func(ctx context.Context, c Client) (*Run, error)

	// Engine is where scripts run; nil: in this process.
	Engine runtime.Engine
	// Timeout is how long a script may take; 0: [DefaultTimeout], less: for ever. A
	// call can ask for less.
	Timeout time.Duration
	// Memory is what a script may use in bytes; 0: no limit.
	Memory int64
	// Abandon, once closed, ends the waiting for what is changing the disk. The
	// sessions should have the same.
	Abandon <-chan struct{}

	// AskTimeout is how long a question waits for an answer before it counts as
	// no; 0: [DefaultAskTimeout].
	AskTimeout time.Duration
	// GlobalsIdle is how long the globals of a script session are kept without
	// being used; 0: [DefaultGlobalsIdle].
	GlobalsIdle time.Duration
	// MaxGlobals is how many script sessions a connection keeps; 0:
	// [DefaultMaxGlobals]. The one that was not used for the longest makes room.
	MaxGlobals int
}

// The defaults of [Config].
const (
	DefaultTimeout     = 5 * time.Minute
	DefaultAskTimeout  = 10 * time.Minute
	DefaultGlobalsIdle = 30 * time.Minute
	DefaultMaxGlobals  = 8
)

// What one server does at once. More scripts wait; more calls are refused.
const (
	maxScripts    = 4 // of a connection
	maxAllScripts = 16
	maxCalls      = 1024
)

// Client is what is known of whoever connects.
type Client struct {
	Name string
	// Roots are the directories that the client offers, absolute and cleaned.
	// None: it offers none, which confines nothing.
	Roots []string
	// Ask puts a question to the person in front of the client; nil when it
	// cannot.
	Ask func(ctx context.Context, q policy.Question) (bool, error)
	// Log tells the client something that a person may want to know.
	Log func(message string)
}

// Run is one connection's.
type Run struct {
	ID      string
	Session *ops.Session
	// Note is shown with the result of the first call, if it is not empty.
	Note string
	// Record appends a line to the run's journal; nil: none is kept.
	Record func(line any) error
	// Confirm is asked when the client has other roots than before: an error
	// refuses all further calls.
	Confirm func(roots []string) error
	// End ends the run. It is called once, when no call is in flight.
	End func(bindings.Report)
}

// Server serves any number of connections.
type Server struct {
	cfg     Config
	sdk     *sdk.Server
	ctx     context.Context // of all calls
	cancel  context.CancelFunc
	scripts chan struct{} // held by each script that runs

	mu          sync.Mutex
	closed      bool
	calls       int
	connections map[*sdk.ServerSession]*connection
}

// versions are the revisions of the protocol that are served: those in which a
// server can ask its client while a call runs. Later ones end the call with a
// question and repeat it with the answer, which a script in the middle of its
// work cannot.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

const instructions = "codemode deletes, copies and moves files safely. Use the tool codemode for anything with a loop or a condition, the others for single steps. " +
	"Paths are relative to the working directory. What could be lost for good is asked of the person; no argument can approve it, so do not retry what was refused."

// New makes a server. Close must be called.
func New(cfg Config) *Server {
	for _, d := range []struct {
		value     *time.Duration
		otherwise time.Duration
	}{{&cfg.Timeout, DefaultTimeout}, {&cfg.AskTimeout, DefaultAskTimeout}, {&cfg.GlobalsIdle, DefaultGlobalsIdle}} {
		if *d.value == 0 {
			*d.value = d.otherwise
		}
	}
	if cfg.MaxGlobals <= 0 {
		cfg.MaxGlobals = DefaultMaxGlobals
	}
	s := &Server{cfg: cfg, scripts: make(chan struct{}, maxAllScripts), connections: map[*sdk.ServerSession]*connection{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "codemode", Title: "codemode", Version: cfg.Version}, &sdk.ServerOptions{
		Instructions:              instructions,
		SupportedProtocolVersions: versions,
		RootsListChangedHandler:   s.rootsChanged,
		Capabilities:              &sdk.ServerCapabilities{Logging: &sdk.LoggingCapabilities{}, Tools: &sdk.ToolCapabilities{}},
	})
	for _, t := range tools() {
		s.sdk.AddTool(t, s.handler(t.Name))
	}
	return s
}

var errClosed = errors.New("the server is closed")

// Serve speaks with one client over two streams, a message a line. It returns
// when in has ended, or ctx: calls are then cancelled, what is changing the disk
// is finished and recorded, and answers that can still be written are.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	t := newLines(in, out)
	ss, c, err := s.connect(ctx, t)
	if err != nil {
		return err
	}
	over := make(chan error, 1)
	go func() { over <- ss.Wait() }()
	select {
	case err = <-over:
	case <-t.ended:
		err = s.windUp(c, over)
	case <-ctx.Done():
		c.finish()
		t.settle(lastWords) // the SDK sends no answer once it is closing
		go ss.Close()
		err = s.windUp(c, over)
	}
	c.end()
	return err
}

// connect begins a connection before its first call can.
func (s *Server) connect(ctx context.Context, t *lines) (*sdk.ServerSession, *connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errClosed
	}
	ss, err := s.sdk.Connect(context.WithoutCancel(ctx), t, nil)
	if err != nil {
		return nil, nil, err
	}
	c := s.add(ss)
	c.turns = &t.turns
	return ss, c, nil
}

// lastWords is how long a client that does not read may hold up the end.
const lastWords = 2 * time.Second

func (s *Server) windUp(c *connection, over <-chan error) error {
	c.finish()
	select {
	case err := <-over:
		return err
	case <-time.After(lastWords):
		return errors.New("the client does not take its answers")
	}
}

// Close cancels all calls, waits for what is changing the disk, and ends all
// runs.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	var open []*connection
	for _, c := range s.connections {
		open = append(open, c)
	}
	s.mu.Unlock()
	s.cancel()
	for _, c := range open {
		c.finish()
		go c.ss.Close()
		c.end()
	}
}

// connection finds what belongs to a session of the protocol.
func (s *Server) connection(ss *sdk.ServerSession) (*connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.connections[ss]; ok {
		return c, nil
	}
	if s.closed {
		return nil, errClosed
	}
	return s.add(ss), nil
}

// add begins a connection. The server is locked.
func (s *Server) add(ss *sdk.ServerSession) *connection {
	c := newConnection(s, ss)
	s.connections[ss] = c
	go func() {
		_ = ss.Wait() // why it ended changes nothing
		c.end()
		s.mu.Lock()
		delete(s.connections, ss)
		s.mu.Unlock()
	}()
	return c
}

// admit counts calls. A client that makes ever more of them without waiting for
// answers must not take all memory.
func (s *Server) admit() (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls >= maxCalls {
		return nil, fmt.Errorf("%d calls are waiting already; wait for some answers first", maxCalls)
	}
	s.calls++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls--
	}, nil
}

// rootsChanged has the roots looked at before the next call.
func (s *Server) rootsChanged(_ context.Context, req *sdk.RootsListChangedRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.connections[req.Session]; ok {
		c.moved.Store(true)
	}
}

// changes reports whether a tool is one operation.
func changes(tool string) bool { return slices.Contains(ops.Operations, ops.Operation(tool)) }

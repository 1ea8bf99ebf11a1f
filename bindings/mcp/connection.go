//lint:file-ignore SA1019 The revisions of the protocol that are served have roots and logging, see versions.

package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings"
	"codemode/runtime"
)

// connection is one client and its run.
type connection struct {
	s      *Server
	ss     *sdk.ServerSession
	ctx    context.Context // of its calls
	cancel context.CancelFunc
	turns  *turns // nil: calls come in an order that nobody knows
	store  bindings.Store

	globals globals

	scripts chan struct{} // held by each script that runs
	inputs  atomic.Int64  // scripts that were recorded
	opening chan struct{} // held by whoever opens the run, or looks at the roots
	moved   atomic.Bool   // the client's roots have changed

	mu      sync.Mutex
	run     *Run
	note    string
	began   time.Time
	closed  bool
	running sync.WaitGroup // calls
	ended   sync.Once
}

func newConnection(s *Server, ss *sdk.ServerSession) *connection {
	c := &connection{s: s, ss: ss, opening: make(chan struct{}, 1), scripts: make(chan struct{}, maxScripts)}
	c.globals.limit(s.cfg.MaxGlobals, s.cfg.GlobalsIdle)
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	return c
}

// enter begins a call, whose context also ends with the connection.
func (c *connection) enter(ctx context.Context) (context.Context, func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, errClosed
	}
	c.running.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.ctx, cancel)
	var once sync.Once
	return ctx, func() {
		once.Do(func() {
			stop()
			cancel()
			c.running.Done()
		})
	}, nil
}

// finish cancels all calls and waits until none is in flight. No other begins.
func (c *connection) finish() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.running.Wait()
}

// end ends the run.
func (c *connection) end() {
	c.finish()
	c.ended.Do(func() {
		c.globals.close()
		if c.run == nil {
			return
		}
		report := bindings.Report{
			OK: true, RunID: c.run.ID, Operations: c.run.Session.Receipts(),
			DurationMs: float64(time.Since(c.began).Microseconds()) / 1000,
		}
		if c.run.End != nil {
			c.run.End(report)
		}
	})
}

// begin returns the run, which the first call opens. The roots of the client
// are known then; until they are, and whenever they are in doubt, nothing is
// carried out.
func (c *connection) begin(ctx context.Context) (*Run, error) {
	select {
	case c.opening <- struct{}{}:
		defer func() { <-c.opening }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c.mu.Lock()
	run := c.run
	c.mu.Unlock()
	moved := c.moved.Swap(false)
	if run != nil && !moved {
		return run, nil
	}
	roots, err := c.roots(ctx)
	if err == nil && run != nil && run.Confirm != nil {
		err = run.Confirm(roots)
	}
	if err != nil {
		c.moved.Store(moved)
		return nil, err
	}
	if run != nil {
		return run, nil
	}
	return c.open(ctx, roots)
}

func (c *connection) open(ctx context.Context, roots []string) (*Run, error) {
	client := Client{Name: "an unnamed client", Roots: roots, Log: c.log}
	params := c.ss.InitializeParams()
	if params != nil && params.ClientInfo != nil {
		client.Name = params.ClientInfo.Name + " " + params.ClientInfo.Version
	}
	if params != nil && canAsk(params.Capabilities) {
		client.Ask = c.ask
	}
	run, err := c.s.cfg.Open(ctx, client)
	if err != nil {
		return nil, fmt.Errorf("nothing can be done for this client: %w", err)
	}
	if run == nil || run.Session == nil {
		return nil, errors.New("nothing can be done for this client: it has no session")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run, c.note, c.began = run, run.Note, time.Now()
	return run, nil
}

// takeNote returns what is to be said once.
func (c *connection) takeNote() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	note := c.note
	c.note = ""
	return note
}

// log tells the client something, if it wants to hear it.
func (c *connection) log(message string) {
	params := &sdk.LoggingMessageParams{Level: "info", Logger: "codemode", Data: message}
	go func() {
		_ = c.ss.Log(c.ctx, params) // a client that does not listen misses nothing that it needs
	}()
}

// options are those of one script of this connection.
func (c *connection) options(run *Run, script runtime.Script) bindings.Options {
	cfg := c.s.cfg
	return bindings.Options{
		Script: script, Timeout: max(cfg.Timeout, 0), Memory: cfg.Memory, MaxOutput: maxOutput, Engine: cfg.Engine,
		Abandon: cfg.Abandon, Store: &c.store, RunID: run.ID,
	}
}

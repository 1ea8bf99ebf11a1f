package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"codemode/bindings"
	"codemode/bindings/mcp"
	"codemode/ops/gitstate"
	"codemode/ops/policy"
	"codemode/runtime/worker"
)

func newMCPCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Serve scripts and operations to an agent (Model Context Protocol)",
		Long: `Mcp serves the Model Context Protocol on standard input and output: the tool
codemode, which runs scripts, the operations delete, copy, move, write and edit, and read,
list, stat, glob and search.

A client starts it; --print-config says what to write where. What needs approval
is asked in the client's own dialog, if it has one, else refused. Where a client
offers roots, they confine the server. One connection is one run in the journal.`,
		Example: `  codemode mcp --print-config claude
  codemode mcp --root . --strict
  codemode mcp --http 127.0.0.1:7777`,
		Args: exactly(0, "no arguments"),
	}
	f := addFlags(cmd)
	f.memory, f.timeout = defaultMemory, span(mcp.DefaultTimeout)
	set := cmd.Flags()
	for name, value := range map[string]string{"memory": f.memory.String(), "timeout": f.timeout.String()} {
		set.Lookup(name).DefValue = value
	}
	set.Lookup("timeout").Usage = "stop a script after this long, 0 for never; the clock stands still while a person is asked"
	set.Lookup("approve").Usage = "how removals that need approval are answered: ask (in the client's dialog; without one they are refused), deny or allow"
	set.Lookup("quiet").Usage = "print errors only"
	set.Lookup("json").Hidden = true
	printConfig := set.String("print-config", "", "print what to write into the configuration of `CLIENT`, and where")
	complete(cmd, "print-config", clientNames()...)
	web := addHTTPFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check(cmd); err != nil {
			return err
		}
		switch given := cmd.Flags().Changed; {
		case given("json"):
			return misuse("codemode mcp takes no --json: its results are JSON anyway")
		case given("print-config"):
			return p.printConfig(cmd, *printConfig)
		}
		return p.serve(f, web)
	}
	return cmd
}

// spares is how many sandboxes wait for the next script.
const spares = 1

// serve serves until the client or a signal ends it.
func (p *program) serve(f *flags, web *httpFlags) error {
	base := &host{stop: listen()}
	base.ctx = base.stop.ctx
	base.closers = append(base.closers, base.stop.release)
	defer base.close()
	base.isolate(f, worker.Config{Spares: spares})
	if err := p.rehearse(base, f); err != nil {
		return err
	}
	version, _ := built()
	timeout := time.Duration(f.timeout)
	if timeout == 0 {
		timeout = -1
	}
	server := mcp.New(mcp.Config{
		Version: version, Engine: base.engine, Timeout: timeout, Memory: int64(f.memory), Abandon: base.stop.abandon,
		Open: func(_ context.Context, c mcp.Client) (*mcp.Run, error) {
			return p.openConnection(base, f, c, web.address != "" && !f.quiet)
		},
	})
	defer server.Close()
	var err error
	if web.address != "" {
		err = p.serveHTTP(base, server, web, f.quiet)
	} else {
		if isTerminal(p.in) {
			p.screen.note("codemode: waiting for an MCP client on standard input; codemode mcp --print-config CLIENT says how one starts this itself")
		}
		err = server.Serve(base.ctx, p.in, p.screen.out)
	}
	var ended *ended
	switch {
	case errors.As(err, &ended):
		return err
	case base.ctx.Err() != nil:
		return withStatus(statusCancelled)
	case err != nil && !isClosedPipe(err):
		return failure("the connection broke: %v", err)
	}
	return nil
}

// rehearse finds what is wrong with the flags and the configuration before a
// client connects, to whom it would be harder to tell.
func (p *program) rehearse(base *host, f *flags) error {
	_, resolved, err := workingDirectory(f)
	if err != nil {
		return err
	}
	var within gitstate.Options
	if f.rootGiven {
		within.Within = resolved
	}
	if _, err := p.loadSettings(base.ctx, f, resolved, gitstate.New(within), base.engine); err != nil {
		return err
	}
	if _, err := p.env.stateDir(); err != nil {
		return misuse("%v", err)
	}
	return nil
}

// openConnection begins the run of one client. Whoever serves several may want
// to read of it.
func (p *program) openConnection(base *host, f *flags, c mcp.Client, log bool) (*mcp.Run, error) {
	b, err := drawBoundary(f, c.Roots)
	if err != nil {
		return nil, err
	}
	own := *f
	served := &client{ask: c.Ask}
	if b.byClient {
		own.cwd, own.root, own.rootGiven = "", b.root, true
		served.dir, own.around = b.dir, b.around
	}
	h := &host{ctx: base.ctx, stop: base.stop, engine: base.engine}
	if err := p.furnish(h, &own, task{source: "mcp", client: served}); err != nil {
		h.close()
		return nil, err
	}
	run := &mcp.Run{
		ID: h.journal.id, Session: h.session,
		Confirm: func(roots []string) error {
			now, err := drawBoundary(f, roots)
			if err == nil && now != b {
				err = fmt.Errorf("the client's roots have changed, and with them what may be touched; connect again, or start the server anew")
			}
			return err
		},
		End: func(r bindings.Report) {
			h.end(p, r)
			h.close()
		},
	}
	if h.journal.run != nil {
		run.Record = h.journal.run.Append
	}
	if b.byClient {
		run.Note = "[confined to " + policy.Printable(b.root) + ", a root that the client offers; relative paths start there]"
		c.Log("confined to " + policy.Printable(b.root) + ", since the client offers it as a root")
	}
	if log {
		p.screen.note("codemode: run " + h.journal.id + " for " + policy.Printable(c.Name))
	}
	return run, nil
}

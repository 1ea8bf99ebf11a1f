package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"codemode/ops"
	"codemode/ops/gitstate"
	"codemode/ops/policy"
	"codemode/runtime"
	"codemode/runtime/worker"
)

// host is what one command lends to the engine: a session with everything that
// flags and configuration say about it, the journal, and the ways to stop.
type host struct {
	ctx     context.Context // ended by a signal, and by the deadline if there is a clock
	stop    *stopping
	session *ops.Session
	journal *runJournal
	engine  runtime.Engine // where scripts run; nil: in this process
	closers []func()
}

// task is what a run is, for its journal.
type task struct {
	source  string // "delete", a script's name, "-e" or "-"
	script  string // the script's text
	file    string // the script's file, absolute; empty if it has none
	modules fs.FS  // where the script lies, if it comes with the program; nil: on disk
	args    []string
	clocked bool // the command's own clock runs, since no script's does
	live    bool // each operation is shown when it has ended
	spares  int  // how many processes for scripts are started ahead

	stop    *stopping                         // how the command hears that it should end; nil: as usual
	applied func(ops.Activity) (ended func()) // told of each operation that begins; nil: whoever interrupts it is

	// approve answers questions instead of whoever the settings name.
	approve func(context.Context, policy.Question) (bool, error)

	client *client // who is served; nil: the person at the terminal
}

// client is somebody else than the person at the terminal.
type client struct {
	// ask is how the client's person is asked where the settings say ask; nil
	// when that cannot be.
	ask func(context.Context, policy.Question) (bool, error)
	// dir is the working directory where the root is the client's choice alone, ""
	// where the host's own holds it, or where there is none.
	dir string
}

// openHost prepares everything that an operation needs.
func (p *program) openHost(f *flags, t task) (*host, error) {
	h := &host{stop: t.stop}
	if h.stop == nil {
		h.stop = listen()
	}
	h.ctx = h.stop.ctx
	h.closers = append(h.closers, h.stop.release)
	h.isolate(f, worker.Config{Spares: t.spares})
	if err := p.furnish(h, f, t); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// isolate chooses where scripts run: those of this command and its hooks.
func (h *host) isolate(f *flags, config worker.Config) {
	if f.isolation.value == "none" {
		return
	}
	config.Memory = int64(f.memory)
	pool := worker.New(config)
	h.engine = pool
	h.closers = append(h.closers, pool.Close)
}

// furnish opens the session of a host.
func (p *program) furnish(h *host, f *flags, t task) error {
	given, resolved, err := workingDirectory(f)
	if err != nil {
		return err
	}
	var within gitstate.Options
	if f.rootGiven {
		within.Within = resolved
	}
	git := gitstate.New(within)
	set, err := p.loadSettings(h.ctx, f, resolved, git, h.engine)
	if err != nil {
		return err
	}
	homes, err := p.env.homes()
	if err != nil {
		return misuse("%v", err)
	}
	if t.clocked {
		var release func()
		h.ctx, release = withClock(h.ctx, time.Duration(f.timeout))
		h.closers = append(h.closers, release)
	}
	cfg := ops.Config{
		Dir: given, Homes: homes, Protected: set.protected, Sealed: set.sealed, Temporary: set.temporary,
		Ask: set.ask, Hooks: set.hooks, Git: git, Abandon: h.stop.abandon,
	}
	if f.rootGiven {
		cfg.Root = given
	}
	if t.client != nil && t.client.dir != "" {
		cfg.Dir, cfg.RootAsks = t.client.dir, true
	}
	if cfg.Approve = t.approve; cfg.Approve == nil {
		cfg.Approve = p.approver(h, set, t.client)
	}
	applied := t.applied
	if applied == nil && p.screen.errTTY && t.client == nil {
		var release func()
		applied, release = p.screen.announce(h.stop.ctx)
		h.closers = append(h.closers, release)
	}
	if applied != nil {
		cfg.OnApply = watchers(applied, p.watcher(f))
	}
	if t.live {
		cfg.OnReceipt = func(r ops.Receipt) { p.screen.receipt(p.screen.stderr(), r, given, p.screen.errTTY) }
	}
	if err := h.openJournal(p, f, &cfg, t, set); err != nil {
		return err
	}
	if h.session, err = ops.Open(cfg); err != nil {
		return misuse("%v", err)
	}
	h.closers = append(h.closers, func() { h.session.Close() })
	return nil
}

// close undoes what openHost did, the last first.
func (h *host) close() {
	for i := len(h.closers) - 1; i >= 0; i-- {
		h.closers[i]()
	}
	h.closers = nil
}

// workingDirectory is the directory of the session, or its root: absolute as
// it was given, and resolved.
func workingDirectory(f *flags) (given, resolved string, err error) {
	dir, flag := f.cwd, "--cwd"
	if f.rootGiven {
		dir, flag = f.root, "--root"
	}
	if dir == "" {
		dir, flag = ".", "the current directory"
	}
	if given, err = filepath.Abs(dir); err != nil {
		return "", "", misuse("%s: %v", flag, err)
	}
	info, err := os.Stat(given)
	switch {
	case err != nil:
		return "", "", misuse("%s %s: %v", flag, policy.Printable(given), reason(err))
	case !info.IsDir():
		return "", "", misuse("%s %s is not a directory", flag, policy.Printable(given))
	}
	if resolved, err = filepath.EvalSymlinks(given); err != nil {
		return "", "", misuse("%s %s: %v", flag, policy.Printable(given), reason(err))
	}
	return given, resolved, nil
}

// approver answers the engine's questions the way the host wants it; nil says
// that nobody can be asked.
func (p *program) approver(h *host, set settings, c *client) func(context.Context, policy.Question) (bool, error) {
	switch set.approve {
	case "allow":
		return func(context.Context, policy.Question) (bool, error) { return true, nil }
	case "deny":
		denied := errors.New(set.approveBy + " refuses whatever needs approval, without asking anybody")
		return func(context.Context, policy.Question) (bool, error) { return false, denied }
	}
	if c != nil {
		return c.ask
	}
	tty, err := openTerminal()
	if err != nil {
		return nil
	}
	h.closers = append(h.closers, tty.close)
	return func(ctx context.Context, q policy.Question) (bool, error) {
		defer p.screen.ask()()
		return askAt(ctx, tty, dialog(q, p.screen.colours, tty.width()))
	}
}

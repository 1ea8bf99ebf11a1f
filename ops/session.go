package ops

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codemode/ops/fsys"
	"codemode/ops/gitstate"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

// Session carries out the calls of one run: one script, one REPL, one MCP
// connection or one command. It is safe for concurrent use; calls are carried
// out one at a time, in the order in which they come.
type Session struct {
	cfg  Config
	root *fsys.Root
	dir  string // absolute and cleaned, as it was given
	cwd  string // the same, resolved
	// inner is the project of the host inside a root that is not the host's, or
	// "", see [Config.RootAsks].
	inner string
	git   *gitstate.Inspector

	tag string // in the names of anything unfinished

	fixed     []policy.Guarded // protected whatever the project
	temporary []string

	// turn is held by the call that is being carried out. Whoever waits for it
	// does so in the order in which they came, and can be cancelled meanwhile: a
	// call may stand still for as long as a person thinks about a question.
	turn    chan struct{}
	results *results // the turn's
	reads   reads

	mu       sync.Mutex
	seq      int
	receipts []Receipt
	closed   atomic.Bool
}

// Open starts a session.
func Open(cfg Config) (*Session, error) {
	s := &Session{cfg: cfg, git: cfg.Git, turn: make(chan struct{}, 1), results: newResults()}
	if cfg.Homes == nil {
		s.cfg.Homes = homes()
	}
	for _, glob := range cfg.Protected {
		if err := policy.CheckGlob(glob); err != nil {
			return nil, fmt.Errorf("protected: %w", err)
		}
	}
	dir := cfg.Dir
	if cfg.Root != "" {
		dir = cfg.Root
	}
	var err error
	if s.dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if s.cwd, err = filepath.EvalSymlinks(s.dir); err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	if st, err := os.Stat(s.cwd); err != nil || !st.IsDir() {
		return nil, fmt.Errorf("working directory %s is not a directory", show(s.dir))
	}
	if s.root, err = fsys.OpenRoot(cfg.Root); err != nil {
		return nil, err
	}
	if s.git == nil {
		var o gitstate.Options
		if cfg.Root != "" {
			o.Within = s.root.Path()
		}
		s.git = gitstate.New(o)
	}
	var random [4]byte
	rand.Read(random[:])
	s.tag = hex.EncodeToString(random[:])
	if cfg.Root != "" && cfg.RootAsks && cfg.Dir != "" {
		s.inner = s.projectInside(cfg.Dir)
	}
	s.protectFixed()
	for _, t := range cfg.Temporary {
		s.temporary = append(s.temporary, resolveLoosely(t))
	}
	return s, nil
}

// projectInside is the project around a directory inside the root; "" if the
// directory is not strictly inside.
func (s *Session) projectInside(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	real := resolveLoosely(abs)
	if !fsys.Contains(s.root.Path(), real) {
		return ""
	}
	if project := s.git.Project(context.Background(), real).Root; fsys.Contains(s.root.Path(), project) {
		return project
	}
	return real
}

// homes are the home directories of the user who runs the process.
func homes() []string {
	var list []string
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		list = append(list, home)
	}
	if account, err := user.Current(); err == nil && filepath.IsAbs(account.HomeDir) {
		list = append(list, account.HomeDir)
	}
	return list
}

// Close ends the session; later calls are refused. The journal stays its
// owner's to close.
func (s *Session) Close() error {
	s.turn <- struct{}{}
	defer s.pass()
	if s.closed.Swap(true) {
		return nil
	}
	return s.root.Close()
}

// open refuses what comes after the end.
func (s *Session) open() error {
	if s.closed.Load() {
		return refuse(Aborted, "the session is closed")
	}
	return nil
}

// Dir is the working directory, absolute and cleaned.
func (s *Session) Dir() string { return s.dir }

// maxReceipts bounds what a long session remembers.
const maxReceipts = 10_000

// Receipts returns the receipts so far, in call order; of a long session at
// least the last 10,000.
func (s *Session) Receipts() []Receipt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.receipts)
}

// Do carries out one request. The receipt is the whole truth about it, also
// when it is not ok; [Receipt.Err] is its error.
//
// A context that is done stops the call anywhere before it begins to change
// the disk, and nothing after that.
func (s *Session) Do(ctx context.Context, req Request) Receipt {
	return s.do(ctx, req, req.check())
}

// Call is [Session.Do] for arguments in JSON, see [Decode]. A problem that the
// caller already found with the arguments, if any, refuses the call.
func (s *Session) Call(ctx context.Context, op Operation, args []byte, problem string) Receipt {
	req, err := Decode(op, args)
	if problem != "" {
		err = refuse(InvalidArguments, "%s", problem)
	}
	return s.do(ctx, req, err)
}

func (s *Session) do(ctx context.Context, req Request, invalid error) Receipt {
	waited := s.wait(ctx)
	if waited == nil {
		defer s.pass()
	}
	c := &call{s: s, req: req, began: time.Now(), receipt: Receipt{
		Kind: "file-operation", Seq: s.number(), Operation: req.Operation, Effect: NotApplied,
	}}
	c.receipt.StartedAt = c.began.UTC()
	c.receipt.Path = plain.Text(s.shown(req.Path))
	if req.transfer() {
		c.receipt.Target = plain.Text(s.shown(req.Target))
	}
	err := invalid
	if err == nil {
		err = waited
	}
	if err == nil {
		err = c.run(ctx)
	}
	c.finish(err)
	s.keep(c.receipt)
	return c.receipt
}

// wait lets a call wait for its turn, or for the end of its context. The clock
// that it is under stands still: others may be waiting for a person.
func (s *Session) wait(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	default:
	}
	defer pauseClock(ctx)()
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pass gives the turn to whoever waits.
func (s *Session) pass() { <-s.turn }

// number counts the calls: in the order in which they begin, or are given up
// while they wait.
func (s *Session) number() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	return s.seq
}

func (s *Session) keep(r Receipt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.receipts) == 2*maxReceipts {
		s.receipts = slices.Delete(s.receipts, 0, maxReceipts)
	}
	s.receipts = append(s.receipts, r)
	if s.cfg.OnReceipt != nil {
		s.cfg.OnReceipt(r)
	}
}

// shown is a path as it is written into receipts: absolute and cleaned.
func (s *Session) shown(path string) string {
	if path == "" || checkPath("path", path) != nil {
		return clipped(path)
	}
	if s.cfg.Root != "" {
		return filepath.Join(s.root.Path(), s.insideRoot(path))
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.dir, path)
}

// clipped is as much of a path that is none as a receipt keeps.
func clipped(path string) string {
	if len(path) <= maxPath {
		return path
	}
	return strings.ToValidUTF8(path[:maxPath], "") + "…"
}

// call is one request on its way down: plan, guard, intent, apply, receipt.
type call struct {
	s       *Session
	req     Request
	began   time.Time
	watch   func(Activity) (ended func()) // the caller's own, nil if it has none
	receipt Receipt
}

func (c *call) run(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = refuse("EIO", "the engine failed: %v; please report it", r)
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.s.open(); err != nil {
		return err
	}
	if err := c.recordable(); err != nil {
		return err
	}
	p, err := c.plan(ctx)
	if err != nil {
		return err
	}
	defer func() { p.close() }()
	c.note(p)
	if p, err = c.guard(ctx, p); err != nil {
		return err
	}
	c.note(p)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.intent(p); err != nil {
		return err
	}
	c.watch, _ = ctx.Value(watchKey{}).(func(Activity) func())
	return c.apply(p)
}

// note puts what a plan found into the receipt.
func (c *call) note(p *plan) {
	r := &c.receipt
	r.SourceKind = string(p.info.Kind)
	r.Entries, r.Bytes = p.survey.Entries, p.survey.Bytes
	if p.source.Path != string(r.Path) {
		r.ResolvedPath = plain.Text(p.source.Path)
	}
	if c.req.transfer() && p.target.Path != string(r.Target) {
		r.ResolvedTarget = plain.Text(p.target.Path)
	}
}

// finish completes the receipt and records it.
func (c *call) finish(err error) {
	r := &c.receipt
	if err == nil {
		r.OK, r.Effect = true, Applied
	} else {
		r.Error = asError(err)
		if r.Error.Code == TransferTargetChanged && c.req.Operation == Delete {
			r.Error.Code = DeleteTargetChanged
		}
		if r.Effect != Unknown {
			r.Replaced = nil
		}
	}
	r.DurationMs = float64(time.Since(c.began).Microseconds()) / 1000
	c.record(&finished{Type: typeFinished, Time: time.Now().UTC(), Receipt: r})
}

package bindings_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
)

const forever = `await new Promise(r => setTimeout(r, 30_000));`

// asking makes a session that asks about everything and answers with approve.
func asking(approve func(context.Context) bool) func(*ops.Config) {
	return func(cfg *ops.Config) {
		cfg.Ask = policy.Ask{Files: true, Untracked: true, Replace: true}
		cfg.Approve = func(ctx context.Context, _ policy.Question) (bool, error) { return approve(ctx), nil }
	}
}

// From the moment of a stop nothing is dispatched, and every call has a receipt.
func TestStops(t *testing.T) {
	for _, tt := range []struct {
		name, source, kind, effects, left string
		timeout                           time.Duration
		cancel                            time.Duration
	}{
		{"deadline between calls", `await tools.delete({path: 'a'});` + forever + `await tools.delete({path: 'b'})`, "timeout", "1 delete applied", "b", 100 * time.Millisecond, 0},
		{"context between calls", `await tools.delete({path: 'a'});` + forever + `await tools.delete({path: 'b'})`, "aborted", "1 delete applied", "b", 0, 100 * time.Millisecond},
		{"deadline in a loop", `await tools.delete({path: 'a'}); for (;;) {}`, "timeout", "1 delete applied", "b", 100 * time.Millisecond, 0},
		{"context in a loop that swallows everything", `await tools.delete({path: 'a'}); for (;;) try { for (;;) {} } catch {} finally { continue }`, "aborted", "1 delete applied", "b", 0, 100 * time.Millisecond},
		{"calls announced and never released", `tools.delete({path: 'a'}); for (;;) {}`, "timeout", "1 delete not-applied ABORTED", "a b", 100 * time.Millisecond, 0},
		{"calls made after the stop", `const p = new Promise(r => setTimeout(r, 50)); await p; for (;;) { tools.delete({path: 'a'}).catch(() => {}); await null; if (false) break; }`, "timeout", "", "", 20 * time.Millisecond, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, dir := newSession(t)
			write(t, dir, "a", "b")
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if tt.cancel > 0 {
				time.AfterFunc(tt.cancel, cancel)
			}
			start := time.Now()
			r := bindings.Run(ctx, s, bindings.Options{Script: runtime.Script{Source: tt.source}, Timeout: tt.timeout})
			if took := time.Since(start); took > tt.timeout+tt.cancel+2*time.Second {
				t.Errorf("took %v", took)
			}
			if r.OK || r.Error.Kind != tt.kind {
				t.Errorf("got %+v", r.Error)
			}
			if tt.left != "" && (effects(r) != tt.effects || names(t, dir) != tt.left) {
				t.Errorf("%s; left %q", effects(r), names(t, dir))
			}
			if len(s.Receipts()) != len(r.Operations) {
				t.Errorf("the report has %d of the session's %d receipts", len(r.Operations), len(s.Receipts()))
			}
		})
	}
}

// A stop during a dialog ends the call that asks and those that wait.
func TestStopsWhileAPersonIsAsked(t *testing.T) {
	const source = `await Promise.allSettled([tools.delete({path: 'a'}), tools.delete({path: 'b'})]);`
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, dir := newSession(t, asking(func(ctx context.Context) bool {
		cancel()
		<-ctx.Done()
		return true // too late
	}))
	write(t, dir, "a", "b")
	r := bindings.Run(ctx, s, bindings.Options{Script: runtime.Script{Source: source}})
	if r.OK || r.Error.Kind != "aborted" || effects(r) != "1 delete not-applied ABORTED, 2 delete not-applied ABORTED" || names(t, dir) != "a b" {
		t.Errorf("%+v: %s; left %q", r.Error, effects(r), names(t, dir))
	}
}

// The deadline stands still while a person is asked, also one that the script
// asked for itself.
func TestDeadlineWaitsForAPerson(t *testing.T) {
	const source = `await tools.delete({path: 'a'}); return 'done'`
	for _, tt := range []struct {
		name   string
		source string
		o      bindings.Options
		own    bool // the host pauses its own deadline
	}{
		{"made by Run", source, bindings.Options{Timeout: 150 * time.Millisecond}, false},
		{"made by the host", source, bindings.Options{Deadline: runtime.NewDeadline(150 * time.Millisecond)}, false},
		{"paused by the host", source, bindings.Options{Deadline: runtime.NewDeadline(150 * time.Millisecond)}, true},
		{"asked for by the script", "// @options: {\"timeout_ms\": 150}\n" + source, bindings.Options{Timeout: time.Minute}, false},
		{"asked for, below the host's", "// @options: {\"timeout_ms\": 150}\n" + source, bindings.Options{Timeout: time.Minute, Deadline: runtime.NewDeadline(time.Minute)}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, dir := newSession(t, asking(func(ctx context.Context) bool {
				if tt.own {
					tt.o.Deadline.Pause()
					defer tt.o.Deadline.Resume()
				} else {
				}
				select {
				case <-ctx.Done():
					return false
				case <-time.After(400 * time.Millisecond):
					return true
				}
			}))
			write(t, dir, "a")
			tt.o.Script.Source = tt.source
			r := bindings.Run(context.Background(), s, tt.o)
			want(t, r, `"done"`)
		})
	}
}

// After a second interrupt the run ends without waiting: what had begun is
// unknown and in the report, the rest never begins.
func TestAbandon(t *testing.T) {
	abandon := make(chan struct{})
	var began atomic.Int32
	s, dir := newSession(t, func(cfg *ops.Config) {
		cfg.Abandon = abandon
		cfg.OnApply = func(ops.Activity) func() {
			began.Add(1)
			close(abandon)
			return func() {}
		}
	})
	write(t, dir, "a", "b")
	start := time.Now()
	r := bindings.Run(context.Background(), s, bindings.Options{
		Script: runtime.Script{Source: `await Promise.allSettled([tools.copy({path: 'a', target: 'c'}), tools.delete({path: 'b'})])`}, Abandon: abandon,
	})
	if r.OK || r.Error.Kind != "aborted" || time.Since(start) > 2*time.Second {
		t.Errorf("got %+v after %v", r.Error, time.Since(start))
	}
	if began.Load() != 1 || !exists(dir, "b") || len(r.Operations) == 0 || !strings.HasPrefix(effects(r), "1 copy ") {
		t.Errorf("%d operations began: %s", began.Load(), effects(r))
	}
	// Nobody waits for the copy, but it goes on as long as the process does.
	for end := time.Now().Add(5 * time.Second); names(t, dir) != "a b c" && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
}

// A hook or dialog that hears nothing cannot hold an abandoned run up.
func TestAbandonWithADeafDialog(t *testing.T) {
	abandon, release := make(chan struct{}), make(chan struct{})
	s, dir := newSession(t, asking(func(context.Context) bool {
		close(abandon)
		<-release
		return true
	}))
	write(t, dir, "a")
	start := time.Now()
	r := bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{Source: `await tools.delete({path: 'a'})`}, Abandon: abandon})
	if r.OK || time.Since(start) > 2*time.Second {
		t.Errorf("took %v: %+v", time.Since(start), r.Error)
	}
	close(release)
	for len(s.Receipts()) == 0 {
		time.Sleep(time.Millisecond)
	}
	if got := s.Receipts()[0]; got.Effect != ops.NotApplied || !exists(dir, "a") {
		t.Errorf("it was carried out behind the report's back: %+v", got)
	}
}

// An operation that is changing the disk when the run is cancelled is finished
// and reported as what it was.
func TestOperationInFlightIsFinished(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, dir := newSession(t, func(cfg *ops.Config) {
		cfg.OnApply = func(ops.Activity) func() {
			cancel()
			time.Sleep(300 * time.Millisecond) // longer than the runtime waits for the engine
			return func() {}
		}
	})
	write(t, dir, "a", "b")
	r := bindings.Run(ctx, s, bindings.Options{Script: runtime.Script{
		Source: `await Promise.all([tools.move({path: 'a', target: 'c'}), tools.delete({path: 'b'})])`}})
	if r.OK || r.Error.Kind != "aborted" || effects(r) != "1 move applied, 2 delete not-applied ABORTED" || names(t, dir) != "b c" {
		t.Errorf("%+v: %s; left %q", r.Error, effects(r), names(t, dir))
	}
}

// A built-in that nothing can interrupt holds up neither the report nor the
// stop: when it ends at last, the script reaches nothing any more.
func TestBuiltInThatCannotBeInterrupted(t *testing.T) {
	t.Parallel()
	s, dir := newSession(t)
	write(t, dir, "a", "b")
	start := time.Now()
	r := bindings.Run(context.Background(), s, bindings.Options{
		Script: runtime.Script{Source: `
			tools.delete({path: 'a'});
			for (let i = 0; i < 3; i++) try { Array.prototype.indexOf.call({length: 5e6}, 1) } catch {}
			tools.delete({path: 'b'}); store('late', 1)`},
		Timeout: 50 * time.Millisecond,
	})
	if took := time.Since(start); r.OK || r.Error.Kind != "timeout" || took > time.Second {
		t.Errorf("got %+v after %v", r.Error, took)
	}
	if effects(r) != "1 delete not-applied ABORTED" {
		t.Errorf("got %s", effects(r))
	}
	time.Sleep(2 * time.Second) // the built-in ends in this time
	if names(t, dir) != "a b" || len(s.Receipts()) != len(r.Operations) {
		t.Errorf("after the report: left %q, %d receipts", names(t, dir), len(s.Receipts()))
	}
}

func TestHostLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 64 MiB of output, which takes long with the race detector")
	}
	s, dir := newSession(t)
	write(t, dir, "a")
	for _, tt := range []struct{ kind, source string }{
		{"memory", `const all = []; for (;;) all.push(new Array(1000).fill(1)); tools.delete({path: 'a'})`},
		{"output", `for (;;) text('x'.repeat(100_000)); tools.delete({path: 'a'})`},
	} {
		r := bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{Source: tt.source}, Timeout: time.Minute, Memory: 48 << 20, MaxOutput: 1000})
		size := 0
		for _, o := range r.Output {
			size += len(o.Text)
		}
		if r.OK || r.Error.Kind != tt.kind || size > 1100 || !exists(dir, "a") {
			t.Errorf("%s: got %+v and %d bytes of output", tt.kind, r.Error, size)
		}
	}
}

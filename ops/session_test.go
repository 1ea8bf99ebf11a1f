package ops_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/journal"
	"codemode/ops/opstest"
	"codemode/ops/policy"
)

// open makes a world and a session in it. Zero fields of cfg are filled in.
func open(t *testing.T, setup string, cfg ops.Config) (opstest.World, *ops.Session) {
	t.Helper()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir -p proj; "+setup, false)
	if cfg.Dir == "" {
		cfg.Dir = filepath.Join(w.W, "proj")
	}
	cfg.Homes = []string{filepath.Join(w.W, "home")}
	s, err := ops.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return w, s
}

func wantReceipt(t *testing.T, r ops.Receipt, effect ops.Effect, code ops.Code) {
	t.Helper()
	var got ops.Code
	if r.Error != nil {
		got = r.Error.Code
	}
	if r.Effect != effect || got != code {
		t.Errorf("%s %s: %s %s, want %s %s (%v)", r.Operation, r.Path, r.Effect, got, effect, code, r.Err())
	}
}

const tracked = "git init -q proj; mkdir proj/t; printf t > proj/t/t; git -C proj add -A; git -C proj commit -qm x; "

func TestCancelledBeforeDispatch(t *testing.T) {
	t.Parallel()
	remove := ops.Request{Operation: ops.Delete, Path: "t"}
	t.Run("before the call", func(t *testing.T) {
		w, s := open(t, tracked, ops.Config{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		wantReceipt(t, s.Do(ctx, remove), ops.NotApplied, ops.Aborted)
		w.Check(t, "test -f proj/t/t")
	})
	t.Run("in a hook", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		hook := ops.HookFunc("h", func(context.Context, policy.Event) (policy.Decision, error) { cancel(); return policy.Decision{}, nil })
		w, s := open(t, tracked, ops.Config{Hooks: []ops.Hook{hook}})
		wantReceipt(t, s.Do(ctx, remove), ops.NotApplied, ops.Aborted)
		w.Check(t, "test -f proj/t/t")
	})
	t.Run("in the dialog, although it then says yes", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, s := open(t, tracked, ops.Config{Approve: func(context.Context, policy.Question) (bool, error) { cancel(); return true, nil }})
		wantReceipt(t, s.Do(ctx, remove), ops.NotApplied, ops.Aborted)
		w.Check(t, "test -f proj/t/t")
	})
	t.Run("in a command hook that hangs", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		w, s := open(t, tracked, ops.Config{Hooks: []ops.Hook{ops.CommandHook("h", []string{"sleep", "60"}, time.Minute)}})
		began := time.Now()
		wantReceipt(t, s.Do(ctx, remove), ops.NotApplied, ops.Aborted)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("took %v", took)
		}
		w.Check(t, "test -f proj/t/t")
	})
}

func TestHookFailuresBlock(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]func(context.Context, policy.Event) (policy.Decision, error){
		"error": func(context.Context, policy.Event) (policy.Decision, error) {
			return policy.Decision{}, errors.New("broken")
		},
		"panic":               func(context.Context, policy.Event) (policy.Decision, error) { panic("boom") },
		"deny without reason": func(context.Context, policy.Event) (policy.Decision, error) { return policy.Decision{Deny: true}, nil },
	} {
		w, s := open(t, "printf u > proj/u", ops.Config{Hooks: []ops.Hook{ops.HookFunc(name, hook)}})
		r := s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "u"})
		wantReceipt(t, r, ops.NotApplied, ops.HookDenied)
		if r.Error == nil || r.Error.Hook != name {
			t.Errorf("%s: error %+v names no hook", name, r.Error)
		}
		w.Check(t, "test -f proj/u")
	}
}

func TestFirstDenialEndsTheChain(t *testing.T) {
	t.Parallel()
	var asked []string
	hook := func(id string, deny bool) ops.Hook {
		return ops.HookFunc(id, func(context.Context, policy.Event) (policy.Decision, error) {
			asked = append(asked, id)
			return policy.Decision{Deny: deny}, nil
		})
	}
	_, s := open(t, tracked, ops.Config{
		Hooks: []ops.Hook{hook("a", false), hook("b", true), hook("c", false)},
		Approve: func(context.Context, policy.Question) (bool, error) {
			t.Error("the host was asked after a denial")
			return true, nil
		},
	})
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "t"}), ops.NotApplied, ops.HookDenied)
	if fmt.Sprint(asked) != "[a b]" {
		t.Errorf("asked %v", asked)
	}
}

func TestQuestion(t *testing.T) {
	t.Parallel()
	var questions []policy.Question
	w, s := open(t, tracked+"mkdir proj/new; printf abcd > proj/new/f", ops.Config{Approve: func(_ context.Context, q policy.Question) (bool, error) {
		questions = append(questions, q)
		return true, nil
	}})
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Move, Path: "t", Target: "new"}), ops.Applied, "")
	if len(questions) != 1 {
		t.Fatalf("%d questions", len(questions))
	}
	q := questions[0]
	if string(q.Path) != w.W+"/proj/t" || q.Kind != "directory" || q.Entries != 2 || q.Bytes != 1 || q.Replaced == nil || q.Replaced.Bytes != 4 || string(q.Target) != w.W+"/proj/new" {
		t.Errorf("question %+v, replaced %+v", q, q.Replaced)
	}
}

func TestApprovalThatFailsIsNoYes(t *testing.T) {
	t.Parallel()
	for name, approve := range map[string]func(context.Context, policy.Question) (bool, error){
		"error beside a yes": func(context.Context, policy.Question) (bool, error) { return true, errors.New("line is dead") },
		"panic":              func(context.Context, policy.Question) (bool, error) { panic("boom") },
	} {
		w, s := open(t, tracked, ops.Config{Approve: approve})
		wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "t"}), ops.NotApplied, ops.NotApproved)
		w.Check(t, "test -f proj/t/t # "+name)
	}
}

func TestClocksStandStillInTheDialog(t *testing.T) {
	t.Parallel()
	var events []string
	clock := func(name string) func() func() {
		return func() func() {
			events = append(events, name+" stops")
			return func() { events = append(events, name+" goes on") }
		}
	}
	_, s := open(t, tracked, ops.Config{Approve: func(context.Context, policy.Question) (bool, error) {
		events = append(events, "asked")
		return true, nil
	}})
	ctx := ops.WithClock(ops.WithClock(t.Context(), clock("outer")), clock("inner"))
	wantReceipt(t, s.Do(ctx, ops.Request{Operation: ops.Delete, Path: "t"}), ops.Applied, "")
	if got := strings.Join(events, ", "); got != "outer stops, inner stops, asked, inner goes on, outer goes on" {
		t.Error(got)
	}
}

func TestSwappedDuringTheDialog(t *testing.T) {
	t.Parallel()
	var w opstest.World
	swap := ""
	yes := func(context.Context, policy.Question) (bool, error) {
		out, err := w.Bash(swap)
		if err != nil {
			t.Errorf("%v %s", err, out)
		}
		return true, nil
	}
	for name, tt := range map[string]struct {
		swap string
		req  ops.Request
		code ops.Code
	}{
		"object becomes a link":  {"mv proj/t proj/old; ln -s ../out proj/t", ops.Request{Operation: ops.Delete, Path: "t"}, ops.DeleteTargetChanged},
		"object is another one":  {"mv proj/t proj/old; cp -a proj/old proj/t", ops.Request{Operation: ops.Delete, Path: "t"}, ops.DeleteTargetChanged},
		"object is gone":         {"mv proj/t proj/old", ops.Request{Operation: ops.Delete, Path: "t"}, ops.DeleteTargetChanged},
		"content changes":        {"printf more >> proj/t/t", ops.Request{Operation: ops.Move, Path: "t", Target: "n"}, ops.TransferTargetChanged},
		"target appears":         {"mkdir proj/n", ops.Request{Operation: ops.Move, Path: "t", Target: "n"}, ops.TransferTargetChanged},
		"target's parent a link": {"ln -s ../out proj/p", ops.Request{Operation: ops.Move, Path: "t", Target: "p/n"}, ops.TransferTargetChanged},
	} {
		t.Run(name, func(t *testing.T) {
			var s *ops.Session
			w, s = open(t, tracked+"mkdir out; printf k > out/k", ops.Config{Approve: yes})
			swap = tt.swap
			wantReceipt(t, s.Do(t.Context(), tt.req), ops.NotApplied, tt.code)
			w.Check(t, "test \"$(ls -A out)\" = k\ntest \"$(cat proj/t/t proj/old/t 2>/dev/null | head -c1)\" = t")
		})
	}
}

func TestReadBeforeOverwrite(t *testing.T) {
	t.Parallel()
	w, s := open(t, "for f in a b c d; do printf $f > proj/$f; done", ops.Config{})
	move := func(src, dst string) ops.Receipt {
		return s.Call(t.Context(), ops.Move, fmt.Appendf(nil, `{"src":%q,"dst":%q,"overwrite":true}`, src, dst), "")
	}
	read := func(path string) {
		if _, err := s.Query(t.Context(), "read", fmt.Appendf(nil, `{"path":%q}`, path), ""); err != nil {
			t.Fatal(err)
		}
	}
	wantReceipt(t, move("a", "b"), ops.NotApplied, ops.NotRead)
	read("b")
	w.Bash("sleep 0.01; printf changed > proj/b")
	wantReceipt(t, move("a", "b"), ops.NotApplied, ops.StaleRead)
	read("b")
	wantReceipt(t, move("a", "b"), ops.Applied, "")
	// A file that was read, then moved, counts as read under its new name.
	read("c")
	wantReceipt(t, move("c", "e"), ops.Applied, "")
	wantReceipt(t, move("d", "e"), ops.Applied, "")
	w.Check(t, "test \"$(cat proj/b proj/e)\" = ad")
}

func TestJournal(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir proj; printf a > proj/a", false)
	dir := filepath.Join(w.W, "home/state")
	run, err := journal.Create(dir, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	var duringApply int
	s, err := ops.Open(ops.Config{Dir: filepath.Join(w.W, "proj"), Journal: run, JournalDir: dir, OnApply: func(ops.Activity) func() {
		rec, _ := journal.Read(dir, run.ID())
		duringApply = len(rec.Lines)
		return func() {}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Move, Path: "a", Target: "b"}), ops.Applied, "")
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "none"}), ops.NotApplied, "ENOENT")
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: dir}), ops.NotApplied, ops.ProtectedTarget)
	if duringApply != 1 {
		t.Errorf("%d lines were recorded before the disk was changed, want the start", duringApply)
	}
	rec, err := journal.Read(dir, run.ID())
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, line := range rec.Lines {
		var r struct {
			Type    string
			Receipt ops.Receipt
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		types = append(types, r.Type+" "+string(r.Receipt.Effect))
	}
	if got := strings.Join(types, ", "); got != "operation-started , operation-finished applied, operation-finished not-applied, operation-finished not-applied" {
		t.Errorf("recorded %s", got)
	}
	run.Close()
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "b"}), ops.NotApplied, ops.JournalUnavailable)
	w.Check(t, "test -f proj/b")
}

func TestNoRecordNoOperation(t *testing.T) {
	t.Parallel()
	w, s := open(t, "printf u > proj/u", ops.Config{JournalErr: errors.New("no room")})
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "u"}), ops.NotApplied, ops.JournalUnavailable)
	if _, err := s.Query(t.Context(), "read", []byte(`{"path":"u"}`), ""); err != nil {
		t.Errorf("reading needs no record: %v", err)
	}
	w.Check(t, "test -f proj/u")
}

func TestAbandoned(t *testing.T) {
	t.Parallel()
	abandon := make(chan struct{})
	w, s := open(t, "mkdir proj/d; for i in $(seq 200); do printf $i > proj/d/$i; done", ops.Config{
		Abandon: abandon, OnApply: func(ops.Activity) func() { close(abandon); return func() {} },
	})
	r := s.Do(t.Context(), ops.Request{Operation: ops.Copy, Path: "d", Target: "e"})
	if r.Effect == ops.Unknown {
		wantReceipt(t, r, ops.Unknown, ops.Aborted)
		if r.Evidence == nil {
			t.Error("no evidence")
		}
	} else {
		wantReceipt(t, r, ops.Applied, "") // it was faster
	}
	// The copy goes on, and must end before the world does.
	for range 500 {
		if entries, _ := os.ReadDir(filepath.Join(w.W, "proj/e")); len(entries) == 200 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.Check(t, "test $(ls proj/d | wc -l) = 200\ntest $(ls proj/e | wc -l) = 200")
}

func TestManyCallersAtOnce(t *testing.T) {
	t.Parallel()
	_, s := open(t, "for i in $(seq 50); do printf $i > proj/$i; done", ops.Config{})
	var wg sync.WaitGroup
	var numbers sync.Map
	for i := range 50 {
		wg.Go(func() {
			r := s.Do(t.Context(), ops.Request{Operation: ops.Move, Path: fmt.Sprint(i + 1), Target: fmt.Sprintf("new/%d", i)})
			if _, twice := numbers.LoadOrStore(r.Seq, true); twice || !r.OK || r.Seq > 50 {
				t.Errorf("seq %d (twice: %v), %v", r.Seq, twice, r.Err())
			}
		})
	}
	wg.Wait()
}

func TestNothingIsLeftOpen(t *testing.T) {
	w, s := open(t, tracked+"mkdir -p proj/a/b proj/s; printf x > proj/a/b/f; mkfifo proj/s/p", ops.Config{})
	descriptors := func() int {
		list, _ := os.ReadDir("/proc/self/fd")
		return len(list)
	}
	cycle := func() {
		for _, req := range []ops.Request{
			{Operation: ops.Copy, Path: "a", Target: "n/c"}, {Operation: ops.Move, Path: "n/c", Target: "m/c"}, {Operation: ops.Delete, Path: "m"}, {Operation: ops.Delete, Path: "n"},
			{Operation: ops.Delete, Path: "t"}, {Operation: ops.Copy, Path: "s", Target: "x"}, {Operation: ops.Delete, Path: "none"}, {Operation: ops.Move, Path: "a", Target: "a/b/c"},
			{Operation: ops.Copy, Path: "a", Target: "a"}, {Operation: ops.Delete, Path: "."},
		} {
			s.Do(t.Context(), req)
		}
		for _, q := range []string{`list {"path":".","recursive":true}`, `stat {"path":"a"}`, `read {"path":"a/b/f"}`, `glob {"pattern":"**"}`, `search {"pattern":"x"}`} {
			tool, args, _ := strings.Cut(q, " ")
			s.Query(t.Context(), tool, []byte(args), "")
		}
	}
	cycle()
	before := descriptors()
	for range 20 {
		cycle()
	}
	if after := descriptors(); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
	w.Check(t, "test -f proj/t/t")
}

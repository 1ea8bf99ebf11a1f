package ops_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/ops/policy"
)

// TestWaitingIsCancelled holds that a call which waits for another's question
// can be given up, is numbered and changes nothing, that reading does not
// wait, and that those behind it still come in order.
func TestWaitingIsCancelled(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir proj out; printf a > out/a; printf b > proj/b; printf c > proj/c", false)
	asked, answer := make(chan bool), make(chan bool)
	cfg := w.Config(opstest.Host{})
	cfg.Approve = func(ctx context.Context, _ policy.Question) (bool, error) {
		asked <- true
		return <-answer, nil
	}
	s, err := ops.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	first, second, third := make(chan ops.Receipt, 1), make(chan ops.Receipt, 1), make(chan ops.Receipt, 1)
	go func() { first <- s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "../out/a"}) }()
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	go func() { second <- s.Do(ctx, ops.Request{Operation: ops.Delete, Path: "b"}) }()
	if _, err := s.Query(t.Context(), "read", json.RawMessage(`{"path":"c"}`), ""); err != nil {
		t.Errorf("reading: %v", err)
	}
	select {
	case r := <-second:
		t.Errorf("it did not wait: %+v", r)
	case <-time.After(20 * time.Millisecond):
	}
	cancel()
	if r := <-second; r.Effect != ops.NotApplied || r.Error.Code != ops.Aborted || r.Seq != 2 {
		t.Errorf("the one that was given up: %+v %v", r, r.Error)
	}
	go func() { third <- s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "c"}) }()
	answer <- true
	if r := <-first; !r.OK || r.Seq != 1 {
		t.Errorf("the one that asked: %+v %v", r, r.Error)
	}
	if r := <-third; !r.OK || r.Seq != 3 {
		t.Errorf("the one behind: %+v %v", r, r.Error)
	}
	w.Check(t, "! test -e out/a\ntest -e proj/b\n! test -e proj/c")
}

// TestWatch holds that a caller follows its own calls only.
func TestWatch(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir proj; printf a > proj/a; printf b > proj/b", false)
	var everybody, own []string
	cfg := w.Config(opstest.Host{})
	cfg.OnApply = func(a ops.Activity) func() {
		everybody = append(everybody, a.Path)
		return func() {}
	}
	s, err := ops.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended := 0
	watched := ops.WithWatch(t.Context(), func(a ops.Activity) func() {
		own = append(own, a.Path)
		return func() { ended++ }
	})
	s.Do(watched, ops.Request{Operation: ops.Delete, Path: "a"})
	s.Do(watched, ops.Request{Operation: ops.Delete, Path: "missing"})
	s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "b"})
	if len(everybody) != 2 || len(own) != 1 || own[0] != w.W+"/proj/a" || ended != 1 {
		t.Errorf("everybody %q, own %q, %d ended", everybody, own, ended)
	}
}

// TestRootOfSomebodyElse holds that a boundary which the host did not draw
// confines and does not make anything ask less.
func TestRootOfSomebodyElse(t *testing.T) {
	t.Parallel()
	for _, asks := range []bool{false, true} {
		w := opstest.NewWorld(t)
		w.Setup(t, "mkdir -p box/d; printf a > box/d/a; printf o > outside", true)
		cfg := w.Config(opstest.Host{Root: "$W/box"})
		cfg.RootAsks = asks
		s, err := ops.Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		r := s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "d"})
		if r.OK == asks || asks && r.Error.Code != ops.ConfirmationRequired {
			t.Errorf("asks %t: %+v %v", asks, r, r.Error)
		}
		if r := s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "../outside"}); r.OK {
			t.Errorf("asks %t: left the root", asks)
		}
		s.Close()
	}
}

// TestProjectInsideRoot holds that a root around the host's project does not
// make the rest of it part of the project.
func TestProjectInsideRoot(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir -p box/proj/infra; git init -q box/proj; printf a > box/proj/a; printf i > box/proj/infra/i; printf o > box/other", true)
	cfg := w.Config(opstest.Host{Root: "$W/box", Cwd: "$W/box/proj", Protected: []string{"infra/**"}})
	cfg.RootAsks = true
	s, err := ops.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for path, want := range map[string]ops.Code{
		"proj/a": "", "other": ops.ConfirmationRequired, "proj": ops.ProtectedTarget, "proj/infra/i": ops.ProtectedTarget, "../x": ops.OutsideRoot,
	} {
		r := s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: path})
		var got ops.Code
		if r.Error != nil {
			got = r.Error.Code
		}
		if got != want {
			t.Errorf("%s: %s %v, want %s", path, got, r.Error, want)
		}
	}
}

package mcp

import (
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/fsys"
)

// TestNext holds what is told of operations: how far they have come, with a
// number that grows through all of a script's, and now and then a sign of life.
func TestNext(t *testing.T) {
	t.Parallel()
	now := time.Now()
	p := &progress{whole: true, at: now}
	if n := p.next(now); n == nil || n.Message != "working" {
		t.Errorf("at first: %+v", n)
	}
	if n := p.next(now.Add(time.Second)); n != nil {
		t.Errorf("nothing happened, and yet: %+v", n)
	}
	if n := p.next(now.Add(2 * sign)); n == nil || n.Progress <= 0 {
		t.Errorf("no sign of life: %+v", n)
	}
	a := ops.Activity{Operation: ops.Copy, Path: "/a", Total: fsys.Tally{Entries: 10, Bytes: 1000}, Done: &fsys.Progress{}}
	ended := p.watch(a)
	a.Done.Entries.Store(5)
	a.Done.Bytes.Store(500)
	n := p.next(now)
	if n == nil || n.Message != "copy: 5 of 10 entries, 500 bytes of 1,000 bytes" && n.Message != "copy: 5 of 10 entries, 500 bytes of 1000 bytes" || n.Progress <= 0 || n.Progress >= n.Total {
		t.Errorf("in the middle: %+v", n)
	}
	half := n.Progress
	a.Done.Entries.Store(10)
	a.Done.Bytes.Store(1000)
	if n := p.next(now); n == nil || n.Progress <= half || n.Progress >= n.Total {
		t.Errorf("at the end: %+v", n)
	}
	ended()
	p.whole = false
	defer p.watch(ops.Activity{Operation: ops.Delete, Path: "/b", Total: fsys.Tally{Entries: 1}, Done: &fsys.Progress{}})()
	if n := p.next(now); n == nil || n.Progress <= half || n.Total != 0 || n.Message != "delete: 0 of 1 entry, 0 bytes of 0 bytes" {
		t.Errorf("the next operation: %+v", n)
	}
}

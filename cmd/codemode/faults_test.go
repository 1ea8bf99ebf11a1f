//go:build linux && amd64

package main_test

import (
	"encoding/json"
	"testing"

	"golang.org/x/sys/unix"

	"codemode/ops"
)

// faults are the errors that calls are made to fail with.
var faults = []unix.Errno{
	unix.EIO, unix.ENOSPC, unix.EACCES, unix.EINTR, unix.EPERM, unix.EDQUOT,
	unix.EROFS, unix.EMFILE, unix.ENAMETOOLONG, unix.EBUSY, unix.ESTALE,
}

// fault is one call that fails.
type fault struct {
	at    int // its number among those that concern the scene
	errno unix.Errno
	lost  bool // it is carried out all the same, as when the answer of a server is lost
	stays bool // and so does every later call of its kind
}

// TestFault lets each system call of each operation fail that changes something
// or looks at it, and compares what the command then says with the disk.
func TestFault(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			st := newStage(t, bin, s)
			var changing []int
			calls := 0
			points := st.rehearse(t, func(h *happening) bool {
				if h.changes {
					changing = append(changing, calls)
				}
				calls++
				return true
			})
			var list []fault
			for i, f := range st.sample(t, len(points), 3) {
				for j, errno := range faults {
					if *crashAll || j == (f+i)%len(faults) {
						list = append(list, fault{at: f, errno: errno})
					}
				}
			}
			for i, c := range st.sample(t, len(changing), 4) {
				for j, errno := range faults {
					if *crashAll || j == (c+i)%len(faults) {
						list = append(list, fault{at: changing[c], errno: errno, stays: errno != unix.EINTR}, fault{at: changing[c], errno: unix.EIO, lost: true})
					}
				}
			}
			for _, f := range list {
				st.reset(t)
				at, out := st.suffer(t, f)
				st.honest(t, out)
				if t.Failed() {
					t.Fatalf("call %d of %d, %s, failed with %s (carried out: %v, always: %v); status %d, %s%s",
						f.at, len(points), at, unix.ErrnoName(f.errno), f.lost, f.stays, out.status, out.stdout, out.stderr)
				}
			}
			t.Logf("%d faults injected into %d calls; 0 lost", len(list), len(points))
		})
	}
}

// suffer plays the scene with a fault.
func (st *stage) suffer(t *testing.T, f fault) (at string, out output) {
	t.Helper()
	n, name := 0, ""
	out = st.cmd.traced(t, func(h *happening) verdict {
		if h.over || !st.ours(h) {
			return verdict{}
		}
		n++
		switch {
		case n == f.at+1:
			at, name = h.String(), h.name
		case !f.stays || name != h.name || !h.changes || inside(h.path, st.state()):
			return verdict{}
		}
		return verdict{fails: f.errno, lost: f.lost}
	}, st.args()...)
	return at, out
}

// honest compares what a command said with the disk and its journal.
func (st *stage) honest(t *testing.T, out output) {
	t.Helper()
	disk := st.look(t)
	receipt, said := st.said(t, out)
	switch {
	case !said && out.status != 1 && out.status != 2:
		t.Errorf("status %d, and no receipt", out.status)
	case !said || receipt.Effect == ops.NotApplied:
		if said && (receipt.OK || receipt.Error == nil || out.status != 3) {
			t.Errorf("receipt %+v", receipt)
		}
		if diff := disk.difference(st.before); diff != "" {
			t.Errorf("not applied, but:%s", diff)
		}
	case receipt.Effect == ops.Applied:
		if !receipt.OK || receipt.Error != nil || out.status != 0 && out.status != 1 {
			t.Errorf("receipt %+v", receipt)
		}
		if diff := disk.difference(st.after); diff != "" {
			t.Errorf("applied, but:%s", diff)
		}
	case receipt.Effect != ops.Unknown || receipt.OK || receipt.Error == nil || receipt.Evidence == nil || out.status != 4:
		t.Errorf("receipt %+v", receipt)
	default:
		st.halfway(t, disk)
		st.named(t, disk, receipt.Evidence)
		defer st.treated(t)
	}
	st.agrees(t, receipt, said)
}

// said is the receipt that the command printed, if it did.
func (st *stage) said(t *testing.T, out output) (ops.Receipt, bool) {
	t.Helper()
	if len(out.stdout) == 0 {
		return ops.Receipt{}, false
	}
	if st.script == "" {
		var r ops.Receipt
		out.document(t, &r)
		return r, true
	}
	var r report
	out.document(t, &r)
	if len(r.Operations) == 0 {
		return ops.Receipt{}, false
	}
	return r.Operations[0], true
}

// agrees makes sure that the journal knows what the command said, or at least
// not less.
func (st *stage) agrees(t *testing.T, said ops.Receipt, any bool) {
	t.Helper()
	run, begun := st.journaled(t)
	if any && said.Effect != ops.NotApplied && !begun {
		t.Error("the disk was changed and no start was recorded")
	}
	if !any || len(run.Operations) == 0 {
		return
	}
	have, _ := json.Marshal(run.Operations[0])
	want, _ := json.Marshal(said)
	if run.Operations[0].Effect != ops.Unknown && string(have) != string(want) {
		t.Errorf("the journal says\n%s\nthe command\n%s", have, want)
	}
}

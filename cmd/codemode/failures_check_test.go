//go:build linux

package main_test

import (
	"slices"
	"testing"

	"codemode/ops"
	"codemode/ops/opstest/cases"
)

// decided are the cases in which the contract says otherwise, with what it says.
var decided = map[string]decision{
	"source-vanishes-a": {
		[]cases.Outcomes{{cases.OK, cases.Unknown, cases.Refused, cases.NotFound}},
		"what vanishes while the plan is made or rechecked stops the copy before it begins (contract, section 2, recheck); " +
			"the case knows of changes during the copy only",
	},
	"question-never-answered-a": {
		[]cases.Outcomes{{cases.NotRun}, {cases.OK}},
		"a call that its client cancels is ABORTED, not refused (contract, section 4.1)",
	},
}

type decision struct {
	outcomes []cases.Outcomes
	why      string
}

// accepted is what each operation of the case may come to.
func accepted(c cases.Case) []cases.Outcomes {
	if d, ok := decided[c.ID]; ok {
		return d.outcomes
	}
	return c.Expected.Operations()
}

// check compares what was attempted with what is accepted, and with the
// journal.
func (tr *trial) check(t *testing.T, want []cases.Outcomes, receipts []ops.Receipt, out output) {
	t.Helper()
	if !matches(want, receipts) {
		t.Errorf("want %v, got:", want)
		for _, r := range receipts {
			t.Errorf("  %d %s %q %q: %s %v", r.Seq, r.Operation, r.Path, r.Target, r.Effect, r.Error)
		}
		t.Errorf("%s\n%s", out.stdout, out.stderr)
	}
	for _, r := range receipts {
		t.Logf("%s %s %v", r.Operation, r.Effect, r.Error)
		if (r.Evidence != nil) != (r.Effect == ops.Unknown) {
			t.Errorf("effect %s with evidence %+v", r.Effect, r.Evidence)
		}
	}
	if kind := endsWith[tr.c.ID]; kind != "" {
		var r report
		if out.document(t, &r); r.Error == nil || r.Error.Kind != kind {
			t.Errorf("the run ended with %+v, want %s", r.Error, kind)
		}
	}
	if noJournal[tr.c.ID] {
		return
	}
	journal := tr.recorded(t)
	if journal.Status != "finished" {
		t.Errorf("the journal says %q of a run that has ended", journal.Status)
	}
	if len(journal.Operations) != len(receipts) {
		t.Fatalf("%d operations in the journal, %d attempted", len(journal.Operations), len(receipts))
	}
	for i, r := range receipts {
		j := journal.Operations[i]
		if r.Seq != i+1 || j.Seq != r.Seq || j.Effect != r.Effect || j.Path != r.Path || j.Target != r.Target || j.Operation != r.Operation || j.OK != r.OK {
			t.Errorf("operation %d is %+v, and %+v in the journal", i+1, r, j)
		}
	}
}

// matches reports whether receipts are what was expected, in order. What may
// not have been run may also be missing.
func matches(want []cases.Outcomes, receipts []ops.Receipt) bool {
	if len(want) == 0 {
		return len(receipts) == 0
	}
	if len(receipts) > 0 && accepts(want[0], receipts[0]) && matches(want[1:], receipts[1:]) {
		return true
	}
	return slices.Contains(want[0], cases.NotRun) && matches(want[1:], receipts)
}

func accepts(want cases.Outcomes, r ops.Receipt) bool {
	var code ops.Code
	if r.Error != nil {
		code = r.Error.Code
	}
	return slices.ContainsFunc(want, func(o cases.Outcome) bool {
		switch o {
		case cases.OK:
			return r.OK && r.Effect == ops.Applied
		case cases.Unknown:
			return r.Effect == ops.Unknown
		case cases.NotFound:
			return r.Effect == ops.NotApplied && code == "ENOENT"
		case cases.NotRun:
			return r.Effect == ops.NotApplied && code == ops.Aborted
		}
		return r.Effect == ops.NotApplied && code != "ENOENT" && code != ops.Aborted && code != ""
	})
}

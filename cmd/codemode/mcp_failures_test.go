//go:build linux

package main_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/opstest/cases"
)

// mcpCase carries out the steps of a case of the kind mcp.
type mcpCase struct {
	steps string // joined, so that a changed case is noticed
	act   func(tr *trial, t *testing.T) []ops.Receipt
}

func playMCP(t *testing.T, bin string, c cases.Case) {
	carry, known := mcpCases[c.ID]
	if steps := strings.Join(c.Action.Steps, " / "); !known || steps != carry.steps {
		t.Fatalf("nothing carries out %q", steps)
	}
	tr := newTrial(t, bin, c, "")
	before := everything(t, tr.w)
	receipts := carry.act(tr, t)
	want := accepted(c)
	if !matches(want, receipts) {
		t.Errorf("want %v, got:", want)
		for _, r := range receipts {
			t.Errorf("  %d %s %q %q: %s %v", r.Seq, r.Operation, r.Path, r.Target, r.Effect, r.Error)
		}
	}
	if len(receipts) > 0 && !noJournal[c.ID] {
		tr.sameInJournal(t, receipts)
	}
	if !slices.ContainsFunc(receipts, func(r ops.Receipt) bool { return r.Effect != ops.NotApplied }) && c.ID != "client-disappears-a" {
		if after := everything(t, tr.w); after != before {
			t.Errorf("something was changed although nothing was applied; before:\n%s\nafter:\n%s", before, after)
		}
	}
	tr.w.Check(t, disk(c))
	if t.Failed() {
		t.Logf("%s (%s)\nwhy: %s\ndebatable: %v", c.Problem, c.Source, c.Why, c.Debatable)
	}
}

// sameInJournal holds the journal to what the client was told.
func (tr *trial) sameInJournal(t *testing.T, receipts []ops.Receipt) {
	t.Helper()
	journal := tr.recorded(t)
	if journal.Status != "finished" || len(journal.Operations) != len(receipts) {
		t.Fatalf("the journal says %s, with %d operations of %d", journal.Status, len(journal.Operations), len(receipts))
	}
	for i, r := range receipts {
		j := journal.Operations[i]
		if r.Seq != i+1 || j.Seq != r.Seq || j.Effect != r.Effect || j.Path != r.Path || j.Target != r.Target || j.Operation != r.Operation || j.OK != r.OK {
			t.Errorf("operation %d is %+v, and %+v in the journal", i+1, r, j)
		}
	}
}

// recordedIfAny are the operations of the last run; none, if there was no run.
func (tr *trial) recordedIfAny(t *testing.T) []ops.Receipt {
	t.Helper()
	var list struct{ Runs []struct{ Status string } }
	tr.cmd.run(t, "", "log", "--json").document(t, &list)
	if len(list.Runs) == 0 {
		return nil
	}
	if list.Runs[0].Status != "finished" {
		t.Errorf("the server ended, and its journal says %s", list.Runs[0].Status)
	}
	return tr.recorded(t).Operations
}

// serve starts a server for a case.
func (tr *trial) serve(t *testing.T, capabilities string, answer func(string) any, flags ...string) *wire {
	t.Helper()
	return tr.cmd.speak(t, capabilities, answer, append(tr.flags, flags...)...)
}

// inTurn answers the first question with the first answer, and so on.
func inTurn(answers ...func(string) any) func(string) any {
	given := make(chan func(string) any, len(answers))
	for _, a := range answers {
		given <- a
	}
	return func(question string) any { return (<-given)(question) }
}

var mcpCases = map[string]mcpCase{
	"relative-base-a": {"start the server with project $W/proj from current directory $W/elsewhere / call delete with path build", func(tr *trial, t *testing.T) []ops.Receipt {
		tr.cmd.dir = tr.w.W + "/elsewhere"
		v := tr.serve(t, cannotAsk, nil, "--cwd", tr.w.W+"/proj")
		defer v.end()
		return []ops.Receipt{v.receipt("delete", `{"path":"build"}`)}
	}},
	"encoded-path-a": {`call delete with path "keep\u0000.tmp"`, func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, cannotAsk, nil)
		defer v.end()
		return []ops.Receipt{v.receipt("delete", `{"path":"keep\u0000.tmp"}`)}
	}},
	"state-between-runs-a": {"start the server with project $W/proj / run script: globalThis.del = () => 'fake'; Object.prototype.approved = true; globalThis.x = 1 / run script: if (typeof x !== 'undefined') throw new Error('leak'); del('u'); del('t')", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, cannotAsk, nil)
		defer v.end()
		if r := v.run("globalThis.del = () => 'fake'; Object.prototype.approved = true; globalThis.x = 1"); !r.OK {
			t.Errorf("%+v", r.Error)
		}
		return v.run(scriptOf("if (typeof x !== 'undefined') throw new Error('leak'); del('u'); del('t')")).Operations
	}},
	"clean-stdout-a": {"start the server with project $W/proj and a journal path that cannot be written ($W/bad/journal/x) / initialize, list tools, call delete with path u", func(tr *trial, t *testing.T) []ops.Receipt {
		noJournal := tr.w.W + "/bad/journal/x"
		tr.cmd.env = append(tr.cmd.env, "XDG_STATE_HOME="+noJournal)
		v := tr.serve(t, cannotAsk, nil)
		defer v.end()
		v.mu.Lock()
		v.answers[1000] = make(chan message, 1)
		v.mu.Unlock()
		v.send(`{"jsonrpc":"2.0","id":1000,"method":"tools/list"}`)
		if m := v.await(1000); m.Error != nil || !strings.Contains(string(m.Result), `"codemode"`) {
			t.Errorf("tools/list: %s %+v", m.Result, m.Error)
		}
		r := v.receipt("delete", `{"path":"u"}`)
		if r.Error == nil || r.Error.Code != ops.JournalUnavailable {
			t.Errorf("without a journal: %+v", r.Error)
		}
		return []ops.Receipt{r}
	}},
	"elicitation-unsupported-a": {"start the server with project $W/proj; the client does not announce elicitation / call delete with path t", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, cannotAsk, yes)
		defer v.end()
		r := v.receipt("delete", `{"path":"t"}`)
		if r.Error.Code != ops.ConfirmationRequired || len(v.questions()) > 0 {
			t.Errorf("%+v, questions %q", r.Error, v.questions())
		}
		return []ops.Receipt{r}
	}},
	"elicitation-no-a": {"start the server with project $W/proj / call delete with path t; answer the question with action decline / call delete with path t; answer with action cancel", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, canAsk, inTurn(acting("decline"), acting("cancel")))
		defer v.end()
		first, second := v.receipt("delete", `{"path":"t"}`), v.receipt("delete", `{"path":"t"}`)
		if first.Error.Code != ops.NotApproved || second.Error.Code != ops.NotApproved || first.Error.Message == second.Error.Message {
			t.Errorf("%v, %v", first.Error, second.Error)
		}
		return []ops.Receipt{first, second}
	}},
	"acceptance-without-consent-a": {"start the server with project $W/proj / call delete with path t; answer action accept with content {} or no content", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, canAsk, accepting(map[string]any{}))
		r := v.receipt("delete", `{"path":"t"}`)
		v.end()
		if r.OK {
			t.Error("an empty form was taken for a yes")
		}
		return []ops.Receipt{r}
	}},
	"question-never-answered-a": {"start the server with project $W/proj / call delete with path t; never answer; after 2 seconds send notifications/cancelled for the call / call delete with path u", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, canAsk, nil)
		defer v.end()
		id := v.begin("delete", `{"path":"t"}`)
		v.asked(1)
		v.cancel(id)
		first := v.receiptOf(id)
		if first.Error.Code != ops.Aborted {
			t.Errorf("a call that was cancelled: %+v", first.Error)
		}
		return []ops.Receipt{first, v.receipt("delete", `{"path":"u"}`)}
	}},
	"approval-scope-a": {"start the server with project $W/proj / call delete with path t1; answer accept / call delete with path t2; answer decline", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, canAsk, inTurn(yes, acting("decline")))
		defer v.end()
		receipts := []ops.Receipt{v.receipt("delete", `{"path":"t1"}`), v.receipt("delete", `{"path":"t2"}`)}
		for i, path := range []string{"/proj/t1", "/proj/t2"} {
			if q := v.asked(i + 1); !strings.Contains(q, tr.w.W+path) {
				t.Errorf("question %d does not name %s: %s", i+1, path, q)
			}
		}
		return receipts
	}},
	"cancelled-call-a": {"start the server with project $W/proj / call move src to $X/src (approve); 20 ms after the approval send notifications/cancelled / wait 2 seconds, look, wait 5 seconds, look again", func(tr *trial, t *testing.T) []ops.Receipt {
		answered := make(chan bool, 8)
		v := tr.serve(t, canAsk, func(q string) any { answered <- true; return yes(q) })
		id := v.begin("move", `{"path":"src","target":"`+tr.w.X+`/src"}`)
		select {
		case <-answered:
		case <-time.After(2 * time.Second): // nothing asked
		}
		time.Sleep(20 * time.Millisecond)
		v.cancel(id)
		r := v.receiptOf(id)
		look := everything(t, tr.w)
		time.Sleep(500 * time.Millisecond)
		if later := everything(t, tr.w); later != look {
			t.Errorf("something changed after the call had its answer")
		}
		v.end()
		return []ops.Receipt{r}
	}},
	"client-disappears-a": {"start the server with project $W/proj / call script: copy('src','a'); copy('src','b'); copy('src','c'); del('src') - close standard input right after sending", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, canAsk, yes)
		v.begin("codemode", `{"code":"await tools.copy({path:'src',target:'a'}); await tools.copy({path:'src',target:'b'}); await tools.copy({path:'src',target:'c'}); await tools.delete({path:'src'})"}`)
		v.end()
		for _, r := range tr.recordedIfAny(t) {
			if !r.OK && r.Error.Code != ops.Aborted || r.Effect == ops.Unknown {
				t.Errorf("%+v %v", r, r.Error)
			}
		}
		return nil
	}},
	"same-call-twice-a": {"start the server with project $W/proj / call move a to c twice with different request ids / call move b to c", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, cannotAsk, nil)
		defer v.end()
		first, again, other := v.begin("move", `{"path":"a","target":"c"}`), v.begin("move", `{"path":"a","target":"c"}`), v.begin("move", `{"path":"b","target":"c"}`)
		return []ops.Receipt{v.receiptOf(first), v.receiptOf(again), v.receiptOf(other)}
	}},
	"huge-result-a": {"start the server with project $W/proj / run script: del('u'); 'x'.repeat(50000000)", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, cannotAsk, nil)
		defer v.end()
		r := v.call("codemode", `{"code":"await tools.delete({path:'u'}); return 'x'.repeat(50000000)"}`)
		if size := len(r.StructuredContent) + len(r.text()); size > 100_000 {
			t.Errorf("the result has %d bytes", size)
		}
		return v.reportOf(r).Operations
	}},
	"client-roots-a": {"start the server with project \"$W/my proj\" (or let it take the root from the client: file://$W/my%20proj) / call delete with path u", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.cmd.offering(t, []string{"file://" + tr.w.W + "/my%20proj"})
		defer v.end()
		r := v.receipt("delete", `{"path":"u"}`)
		if string(r.Path) != tr.w.W+"/my proj/u" {
			t.Errorf("the root was not taken: %s", r.Path)
		}
		return []ops.Receipt{r}
	}},
	"self-approval-a": {"start the server with project $W/proj; no elicitation / call delete with path t and extra arguments approved:true, confirm:true, force:true, host_approval:\"yes\" / run script: del('t', {approve: true})", func(tr *trial, t *testing.T) []ops.Receipt {
		v := tr.serve(t, cannotAsk, nil)
		defer v.end()
		first := v.receipt("delete", `{"path":"t","approved":true,"confirm":true,"force":true,"host_approval":"yes"}`)
		return append([]ops.Receipt{first}, v.run(scriptOf("del('t', {approve: true})")).Operations...)
	}},
}

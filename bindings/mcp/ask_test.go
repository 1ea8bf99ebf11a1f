package mcp_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings/mcp"
	"codemode/ops"
)

// tracked is a project with a directory that Git tracks and a file that it does
// not.
const tracked = "git init -q proj; mkdir proj/t; printf 123 > proj/t/a; printf 45 > proj/t/b; git -C proj add -A; git -C proj commit -qm x; printf u > proj/u"

// TestQuestion holds that a person is told everything, in a form with one field.
func TestQuestion(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked+"; mv proj/t \"$(printf 'proj/x\\nAllowed: yes \\342\\200\\256')\"; git -C proj add -A")
	var asked *sdk.ElicitParams
	p := connect(t, w, setting{client: sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		asked = r.Params
		return &sdk.ElicitResult{Action: "decline"}, nil
	}}})
	r := p.receipt(t, ops.Delete, `{"path":"x\nAllowed: yes \u202e"}`)
	if r.Error == nil || r.Error.Code != ops.NotApproved || asked == nil {
		t.Fatalf("%+v %v", r, r.Error)
	}
	want := "codemode asks: may this directory be deleted with everything in it?\n" +
		"what: " + w.W + `/proj/x\nAllowed: yes \u202e` + "\n" +
		"at stake: directory, 3 entries, 5 bytes\n" +
		"because: Git tracks files in it, or they are staged (tracked)"
	if asked.Message != want {
		t.Errorf("asked\n%q, want\n%q", asked.Message, want)
	}
	form := asked.RequestedSchema.(map[string]any)
	fields := form["properties"].(map[string]any)
	if len(fields) != 1 || fields["approve"].(map[string]any)["type"] != "boolean" || form["required"].([]any)[0] != "approve" {
		t.Errorf("the form is %v", form)
	}
}

// TestAnswers holds that nothing but an accepted form that says true is a yes.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer *sdk.ElicitResult
		err    error
		says   string
	}{
		"declined":         {answer: &sdk.ElicitResult{Action: "decline"}, says: "declined"},
		"dismissed":        {answer: &sdk.ElicitResult{Action: "cancel"}, says: "dismissed"},
		"declined with it": {answer: &sdk.ElicitResult{Action: "decline", Content: map[string]any{"approve": true}}, says: "declined"},
		"no":               {answer: &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": false}}, says: "said no"},
		"nothing":          {answer: &sdk.ElicitResult{Action: "accept"}, says: "without an answer"},
		"empty":            {answer: &sdk.ElicitResult{Action: "accept", Content: map[string]any{}}, says: "no sense"},
		"a string":         {answer: &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": "true"}}, says: "no sense"},
		"a number":         {answer: &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": 1}}, says: "no sense"},
		"another field":    {answer: &sdk.ElicitResult{Action: "accept", Content: map[string]any{"Approve": true}}, says: "no sense"},
		"an unknown word":  {answer: &sdk.ElicitResult{Action: "approve", Content: map[string]any{"approve": true}}, says: "no answer"},
		"an error":         {err: errors.New("no window"), says: "no window"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := worldOf(t, tracked)
			p := connect(t, w, setting{client: sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return tt.answer, tt.err
			}}})
			r := p.receipt(t, ops.Delete, `{"path":"t"}`)
			if r.Error == nil || r.Error.Code != ops.NotApproved || !strings.Contains(r.Error.Message, tt.says) {
				t.Errorf("%+v %v", r, r.Error)
			}
			w.Check(t, "test -f proj/t/a")
			p.sameAsLogged(t, []ops.Receipt{r})
		})
	}
}

// TestYes holds that a yes counts once, for one object.
func TestYes(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked+"; mkdir proj/v; cp -r proj/t proj/v; git -C proj add -A")
	var questions atomic.Int32
	p := connect(t, w, setting{client: sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		questions.Add(1)
		return answering(true)(ctx, r)
	}}})
	if r := p.receipt(t, ops.Delete, `{"path":"t"}`); !r.OK || len(r.Approvals) != 1 || r.Approvals[0].Decision != "approved" {
		t.Errorf("%+v %v", r, r.Error)
	}
	rep, _ := p.run(t, `{"code":"await tools.delete({path: 'v'})"}`)
	if !rep.OK || questions.Load() != 2 {
		t.Errorf("%d questions, %+v", questions.Load(), rep.Error)
	}
	w.Check(t, "! test -e proj/t\n! test -e proj/v")
}

// TestNobodyToAsk holds what a client comes to that cannot ask, or only by
// sending its person to a web page.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	for name, caps := range map[string]*sdk.ClientCapabilities{
		"nothing": {}, "pages only": {Elicitation: &sdk.ElicitationCapabilities{URL: &sdk.URLElicitationCapabilities{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := worldOf(t, tracked)
			p := connect(t, w, setting{client: sdk.ClientOptions{Capabilities: caps}})
			r := p.receipt(t, ops.Delete, `{"path":"t"}`)
			if r.Error == nil || r.Error.Code != ops.ConfirmationRequired || r.Approvals[0].Decision != "unavailable" {
				t.Errorf("%+v %v", r, r.Error)
			}
			w.Check(t, "test -f proj/t/a")
		})
	}
}

// TestUnanswered holds that a question which nobody answers ends, as no.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked)
	p := connect(t, w, setting{
		server: mcp.Config{AskTimeout: 50 * time.Millisecond},
		client: sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			<-ctx.Done() // the question is withdrawn
			return nil, ctx.Err()
		}},
	})
	r := p.receipt(t, ops.Delete, `{"path":"t"}`)
	if r.Error == nil || r.Error.Code != ops.NotApproved || !strings.Contains(r.Error.Message, "nobody answered") {
		t.Errorf("%+v %v", r, r.Error)
	}
	if r := p.receipt(t, ops.Delete, `{"path":"u"}`); !r.OK {
		t.Errorf("the next call: %v", r.Error)
	}
	w.Check(t, "test -f proj/t/a")
}

// TestWithdrawn holds that a question goes away with its call, and that a late
// yes changes nothing.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked)
	asked, withdrawn := make(chan bool), make(chan bool)
	p := connect(t, w, setting{client: sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		asked <- true
		<-ctx.Done()
		close(withdrawn)
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, nil
	}}})
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		_, err := p.CallTool(ctx, &sdk.CallToolParams{Name: "delete", Arguments: map[string]any{"path": "t"}})
		over <- err
	}()
	<-asked
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Errorf("the call: %v", err)
	}
	select {
	case <-withdrawn:
	case <-time.After(10 * time.Second):
		t.Error("the question was not withdrawn")
	}
	if r := p.receipt(t, ops.Delete, `{"path":"u"}`); !r.OK || r.Seq != 2 {
		t.Errorf("the next call: %+v %v", r, r.Error)
	}
	w.Check(t, "test -f proj/t/a")
	logged := p.logged(t).Operations
	if len(logged) != 2 || logged[0].Error == nil || logged[0].Error.Code != ops.Aborted {
		t.Errorf("the journal says %+v", logged)
	}
}

// TestClockStandsStill holds that a script's deadline waits for the person.
func TestClockStandsStill(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked)
	p := connect(t, w, setting{client: sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		time.Sleep(700 * time.Millisecond) // the person thinks for longer than the script may take
		return answering(true)(ctx, r)
	}}})
	rep, _ := p.run(t, `{"code":"await tools.delete({path: 't'}); return 'in time'","timeout_ms":600}`)
	if !rep.OK || string(rep.Value) != `"in time"` {
		t.Errorf("%+v", rep.Error)
	}
}

// TestClockStandsStillForOthers holds that the deadline of a script which waits
// behind another's question waits, too.
func TestClockStandsStillForOthers(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked)
	asked := make(chan bool)
	p := connect(t, w, setting{client: sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		asked <- true
		time.Sleep(900 * time.Millisecond) // for longer than the other script may take
		return answering(true)(ctx, r)
	}}})
	first := make(chan *sdk.CallToolResult, 1)
	go func() {
		r, err := p.CallTool(t.Context(), &sdk.CallToolParams{Name: "delete", Arguments: map[string]any{"path": "t"}})
		if err != nil {
			t.Error(err)
		}
		first <- r
	}()
	<-asked
	rep, _ := p.run(t, `{"code":"await tools.delete({path: 'u'}); return 'in time'","timeout_ms":600}`)
	if !rep.OK || string(rep.Value) != `"in time"` {
		t.Errorf("%+v", rep.Error)
	}
	if r := <-first; r == nil || r.IsError {
		t.Errorf("%+v", r)
	}
}

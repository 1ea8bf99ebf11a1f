package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings/mcp"
	"codemode/ops"
)

// quoted is a text as JSON.
func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// code are the arguments for a script.
func code(source, session string) string {
	if session == "" {
		return `{"code":` + quoted(source) + `}`
	}
	return `{"code":` + quoted(source) + `,"session":` + quoted(session) + `}`
}

// TestScript holds what a script's result is: the report, and a text that says
// what it showed, returned and did.
func TestScript(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj; printf a > proj/a"), setting{})
	rep, r := p.run(t, code(`console.log("shown"); await tools.copy({path: "a", target: "b"}); return {n: 1}`, ""))
	if string(rep.Value) != `{"n":1}` || len(rep.Operations) != 1 || rep.Output[0].Text != "shown" || rep.RunID != p.logged(t).RunID {
		t.Errorf("%+v", rep)
	}
	if got, want := text(r), "shown\nreturned: {\"n\":1}\n1 operation: 1 applied\n"; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	rep, r = p.run(t, code(`await tools.delete({path: "b"}); await tools.delete({path: "gone"})`, ""))
	if rep.OK || rep.Error.Kind != "script" || len(rep.Operations) != 2 || rep.Operations[1].Seq != 3 {
		t.Errorf("%+v %+v", rep, rep.Error)
	}
	for _, want := range []string{"2 operations: 1 applied, 1 not applied", "not-applied: delete ", "ENOENT", "failed (script)", "script.js:1:"} {
		if !strings.Contains(text(r), want) {
			t.Errorf("the text lacks %q: %s", want, text(r))
		}
	}
	if logged := p.logged(t); len(logged.Operations) != 3 || logged.Operations[2].Error == nil {
		t.Errorf("the journal says %+v", logged.Operations)
	}
}

// TestScriptArguments holds that the arguments of a script are read as strictly
// as those of an operation.
func TestScriptArguments(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	for args, want := range map[string]string{
		`{}`:                                 "needs code",
		`{"code":1}`:                         "code must be a string, got a number",
		`{"code":"1","Code":"2"}`:            "no argument Code",
		`{"code":"1","session":""}`:          "session must be",
		`{"code":"1","session":7}`:           "session must be",
		`{"code":"1","timeout_ms":"5"}`:      "timeout_ms must be",
		`{"code":"1","timeout_ms":0}`:        "timeout_ms must be",
		`{"code":"1","timeout_ms":1.5}`:      "timeout_ms must be",
		`{"code":"1","approve":true}`:        "no argument approve",
		`["return 1"]`:                       "takes one object",
		`{"code":"1","code":"2"}`:            "duplicate",
		`{"code":"return 1\ud800"}`:          "lone surrogate",
		`{"code":"return 1\udcff"}`:          "with an escape",
		`{"code":"return","timeout_ms":1e3}`: "",
	} {
		rep, _ := p.run(t, args)
		if rep.OK != (want == "") || !rep.OK && !strings.Contains(rep.Error.Message, want) {
			t.Errorf("%s: %+v, want %q", args, rep.Error, want)
		}
	}
}

// TestTimeout holds that a call can ask for less time than the host gives, and
// not for more.
func TestTimeout(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{server: mcp.Config{Timeout: 200 * time.Millisecond}})
	for _, ms := range []string{"50", "3600000"} {
		rep, _ := p.run(t, `{"code":"for (;;) {}","timeout_ms":`+ms+`}`)
		if rep.OK || rep.Error.Kind != "timeout" {
			t.Errorf("%s: %+v", ms, rep.Error)
		}
	}
}

// TestGlobals holds that a session keeps globals, that others do not see them,
// and that a call without a session starts fresh.
func TestGlobals(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	for _, step := range []struct{ code, session, value string }{
		{`globalThis.n = 1; const c = 2; function f() { return 3 } store("k", 4)`, "one", "null"},
		{`return [n, c, f(), load("k")]`, "one", "[1,2,3,4]"},
		{`return [typeof n, typeof c, load("k")]`, "two", `["undefined","undefined",4]`},
		{`return [typeof n, load("k")]`, "", `["undefined",4]`},
		{`throw new Error("on purpose")`, "one", "null"},
		{`return n`, "one", "1"},
	} {
		if rep, _ := p.run(t, code(step.code, step.session)); string(rep.Value) != step.value {
			t.Errorf("%s in %q: %s, want %s: %+v", step.code, step.session, rep.Value, step.value, rep.Error)
		}
	}
}

// TestGlobalsAreDropped holds that idle sessions go away, those beyond the
// greatest number, too, and that the next call says so.
func TestGlobalsAreDropped(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{server: mcp.Config{GlobalsIdle: 50 * time.Millisecond}})
	p.run(t, code(`globalThis.n = 1`, "s"))
	var rep report
	for range 200 {
		time.Sleep(60 * time.Millisecond)
		if rep, _ = p.run(t, code(`return typeof n`, "s")); string(rep.Value) == `"undefined"` {
			break
		}
	}
	if len(rep.Output) != 1 || !strings.Contains(rep.Output[0].Text, "begins anew, its globals are gone: it was not used for 50ms") {
		t.Errorf("%s %+v", rep.Value, rep.Output)
	}

	p = connect(t, worldOf(t, "mkdir proj"), setting{server: mcp.Config{MaxGlobals: 2}})
	for i, name := range []string{"a", "b", "a", "c"} { // b was not used for the longest
		p.run(t, code(fmt.Sprintf("globalThis.n ??= %d", i), name))
	}
	if rep, _ := p.run(t, code(`return n`, "a")); string(rep.Value) != "0" {
		t.Errorf("a: %s", rep.Value)
	}
	rep, r := p.run(t, code(`return typeof n`, "b"))
	if string(rep.Value) != `"undefined"` || !strings.Contains(text(r), "at most 2 sessions are kept") {
		t.Errorf("b: %s %s", rep.Value, text(r))
	}
	if rep, r := p.run(t, code(`return typeof n`, "b")); strings.Contains(text(r), "gone") || !rep.OK {
		t.Errorf("it says so twice: %s", text(r))
	}
}

// TestGlobalsAreLost holds that a session whose engine had to be given up says
// so.
func TestGlobalsAreLost(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	p.run(t, code(`globalThis.n = 1`, "s"))
	_, r := p.run(t, `{"code":"let a = []; a.length = 2**32 - 1; a.indexOf(1)","session":"s","timeout_ms":50}`)
	if !strings.Contains(text(r), "its globals are gone") {
		t.Errorf("%s", text(r))
	}
	if rep, _ := p.run(t, code(`return typeof n`, "s")); string(rep.Value) != `"undefined"` {
		t.Errorf("%s %+v", rep.Value, rep.Error)
	}
}

// TestSessionsFollowAndOverlap holds that scripts of one session run one after
// the other, and those of different ones at once.
func TestSessionsFollowAndOverlap(t *testing.T) {
	t.Parallel()
	w := worldOf(t, "mkdir proj out; printf a > out/a; printf b > out/b")
	asked, release := make(chan bool), make(chan bool)
	p := connect(t, w, setting{client: sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		asked <- true
		<-release
		return answering(true)(ctx, r)
	}}})
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			// In one session: n is read, and written after something else could have run.
			_, err := p.CallTool(t.Context(), &sdk.CallToolParams{Name: "codemode", Arguments: json.RawMessage(code(
				`globalThis.n ??= 0; const before = n; await tools.list({path: "."}); globalThis.n = before + 1`, "same"))})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if rep, _ := p.run(t, code("return n", "same")); string(rep.Value) != "3" {
		t.Errorf("three scripts of one session counted to %s", rep.Value)
	}
	// One script waits for a person; another one ends meanwhile.
	stuck := make(chan *sdk.CallToolResult, 1)
	go func() {
		r, err := p.CallTool(t.Context(), &sdk.CallToolParams{Name: "codemode", Arguments: json.RawMessage(code(`await tools.delete({path: "../out/a"})`, "stuck"))})
		if err != nil {
			t.Error(err)
		}
		stuck <- r
	}()
	<-asked
	if rep, _ := p.run(t, code(`return (await tools.list({path: "../out"})).entries.length`, "other")); string(rep.Value) != "2" {
		t.Errorf("%s %+v", rep.Value, rep.Error)
	}
	close(release)
	if r := <-stuck; r == nil || r.IsError {
		t.Errorf("%+v", r)
	}
}

// TestConnectionsAreApart holds that each connection has a run of its own.
func TestConnectionsAreApart(t *testing.T) {
	t.Parallel()
	w := worldOf(t, "mkdir proj; printf a > proj/a")
	w2 := worldOf(t, "mkdir proj; printf a > proj/a")
	one, two := connect(t, w, setting{}), connect(t, w2, setting{})
	one.run(t, code(`store("k", 1); globalThis.n = 1`, "s"))
	rep, _ := two.run(t, code(`return [load("k"), typeof n]`, "s"))
	if string(rep.Value) != `[null,"undefined"]` {
		t.Errorf("%s", rep.Value)
	}
	if r := one.receipt(t, ops.Copy, `{"path":"a","target":"b"}`); r.Seq != 1 {
		t.Errorf("%+v", r)
	}
	if r := two.receipt(t, ops.Copy, `{"path":"a","target":"b"}`); r.Seq != 1 {
		t.Errorf("%+v", r)
	}
}

// TestOwnResults holds that the guard against destroying one's own results spans
// a connection, scripts and single calls alike.
func TestOwnResults(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj; printf a > proj/a; printf b > proj/b; printf c > proj/c"), setting{})
	if r := p.receipt(t, ops.Move, `{"path":"a","target":"d"}`); !r.OK {
		t.Fatal(r.Error)
	}
	rep, _ := p.run(t, code(`await tools.move({path: "b", target: "d"})`, ""))
	if len(rep.Operations) != 1 || rep.Operations[0].Error == nil || rep.Operations[0].Error.Code != ops.OverwritesOwnResult {
		t.Errorf("%+v", rep.Operations)
	}
	if r := p.receipt(t, ops.Move, `{"path":"c","target":"d","overwrite":true}`); !r.OK || r.Seq != 3 {
		t.Errorf("%+v %v", r, r.Error)
	}
}

package bindings_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
)

func TestScriptHook(t *testing.T) {
	event := policy.Event{Operation: "delete", Path: "/w/caf\xe9", ResolvedPath: "/r/caf\xe9", Cwd: "/w", Kind: "directory", Recursive: true}
	for _, tt := range []struct{ name, source, deny, err string }{
		{"nothing", ``, "", ""},
		{"undefined", `return`, "", ""},
		{"null", `return null`, "", ""},
		{"allow", `return {decision: 'allow'}`, "", ""},
		{"allow, awaited", `await null; return Promise.resolve({decision: 'allow'})`, "", ""},
		{"exit", `exit()`, "", ""},
		{"deny", `return {decision: 'deny', reason: 'kept: ' + event.path.length}`, "kept: 7", ""},
		{"deny without a reason", `return {decision: 'deny'}`, "-", ""},
		{"the event", `return {decision: 'deny', reason: Object.entries(event).map(e => e.join('=')).join()}`,
			"operation=delete,path=/w/caf\xe9,resolvedPath=/r/caf\xe9,cwd=/w,kind=directory,recursive=true", ""},
		{"the event is frozen", `event.path = 'x'; return {decision: 'deny', reason: Object.isFrozen(event) + event.path}`, "true/w/caf\xe9", ""},
		{"no tools", `return {decision: 'deny', reason: Object.keys(tools).join() + ALL_TOOLS.length + typeof tools.delete}`, "0undefined", ""},
		{"no store", `try { store('a', 1) } catch (e) { return {decision: 'deny', reason: e.message} }`, "store: a hook has no tools and no store", ""},
		{"a comment on the first line", "// keep it\nreturn {decision: 'deny', reason: 'x'}", "x", ""},
		{"a hash-bang line", "#!/usr/bin/env codemode\nreturn {decision: 'deny', reason: 'x'}", "x", ""},
		{"throws", `throw new Error('broken')`, "", "broken"},
		{"throws later", `Promise.reject(new Error('lost'))`, "", "lost"},
		{"syntax error", `let x = ;`, "", "Unexpected token"},
		{"never settles", `await new Promise(() => {})`, "", "never happen"},
		{"does not answer in time", `for (;;) {}`, "", "gave no answer within 300ms"},
		{"sleeps", `await new Promise(r => setTimeout(r, 60_000))`, "", "gave no answer within 300ms"},
		{"cannot give itself more time", "// @options: {\"timeout_ms\": 60000}\nfor (;;) {}", "", "gave no answer within 300ms"},
		{"false", `return false`, "", "returned a boolean"},
		{"a string", `return 'deny'`, "", "returned a string"},
		{"an array", `return ['deny']`, "", "returned an array"},
		{"another decision", `return {decision: 'DENY'}`, "", "an unknown decision"},
		{"no string", `return {decision: ['deny']}`, "", "an unknown decision"},
		{"no decision", `return {reason: 'x'}`, "", "without a decision"},
		{"empty object", `return {}`, "", "without a decision"},
		{"an unknown member", `return {decision: 'allow', force: true}`, "", `unknown member "force"`},
		{"a reason that is no text", `return {decision: 'deny', reason: {}}`, "", "an unknown reason"},
		{"a function", `return () => ({decision: 'allow'})`, "", ""},
		{"toJSON throws", `return {toJSON() { throw new Error('no JSON') }}`, "", "no JSON"},
		{"require", `require('fs')`, "", "no module"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := bindings.ScriptHook("keep", "keep.js", tt.source, 300*time.Millisecond, nil)
			got, err := h.BeforeDelete(context.Background(), event)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got %+v, %v; want the error %q", got, err, tt.err)
				}
				return
			}
			if err != nil || got.Deny != (tt.deny != "") || strings.Trim(tt.deny, "-") != got.Reason {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestScriptHookInASession(t *testing.T) {
	hook := bindings.ScriptHook("keep", "keep.js", "if (event.path.endsWith('/keep'))\n  return {decision: 'deny', reason: 'it is kept'};\nif (event.path.endsWith('/bad')) null.x;", 0, nil)
	s, dir := newSession(t, func(cfg *ops.Config) { cfg.Hooks = []ops.Hook{hook} })
	write(t, dir, "keep", "bad", "a")
	r := run(t, s, `const out = []; for (const path of ['keep', 'bad', 'a']) out.push(await tools.delete({path}).then(r => r.effect, e => [e.code, e.receipt.error.hook])); return out`)
	want(t, r, `[["HOOK_DENIED","keep"],["HOOK_DENIED","keep"],"applied"]`)
	if r.Operations[0].Error.Reason != "it is kept" || !strings.Contains(r.Operations[1].Error.Reason, "keep.js:3:") {
		t.Errorf("got the reasons %q and %q", r.Operations[0].Error.Reason, r.Operations[1].Error.Reason)
	}
}

func TestScriptHookIsCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := bindings.ScriptHook("slow", "slow.js", `for (;;) {}`, time.Minute, nil).BeforeDelete(ctx, policy.Event{})
	if err != context.DeadlineExceeded || time.Since(start) > 5*time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
}

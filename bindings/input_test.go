package bindings_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/journal"
	"codemode/runtime"
)

// The journal of a prompt tells what each input was and what it did.
func TestRebuildsInputs(t *testing.T) {
	log, err := journal.Create(filepath.Join(t.TempDir(), "journal"), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, dir := newSession(t, func(cfg *ops.Config) { cfg.Journal = log })
	write(t, dir, "a", "b")
	session := runtime.NewSession()
	defer session.Close()
	say := func(record any) {
		if err := log.Append(record); err != nil {
			t.Fatal(err)
		}
	}
	say(bindings.NewRunStarted(log.ID(), dir, "repl", "", nil))
	inputs := []string{
		"const a = 1",
		"await tools.delete({path: 'a'}); await tools.delete({path: 'no'})",
		"throw new Error('caf\\udce9')",
		"await tools.copy({path: 'b', target: 'c'})",
	}
	for i, source := range inputs {
		say(bindings.NewInputStarted(i+1, "", source))
		r := bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{Source: source, Interactive: true}, Session: session})
		if i < len(inputs)-1 {
			say(bindings.NewInputFinished(i+1, r))
		}
	}
	log.Close()
	rec, err := journal.Read(filepath.Dir(log.Path()), log.ID())
	if err != nil {
		t.Fatal(err)
	}
	got := bindings.Rebuild(rec.Lines, false)
	if len(got.Inputs) != len(inputs) || len(got.Operations) != 3 {
		t.Fatalf("%d inputs, %d operations", len(got.Inputs), len(got.Operations))
	}
	for i, want := range []struct {
		status, error string
		ok            bool
		operations    []int
	}{
		{"finished", "", true, []int{}},
		{"finished", got.Operations[1].Error.Message, false, []int{1, 2}},
		{"finished", "caf\xe9", false, []int{}},
		{"interrupted", "", false, []int{3}},
	} {
		in, message := got.Inputs[i], ""
		if in.Error != nil {
			message = in.Error.Message
		}
		if in.Input != i+1 || string(in.Script) != inputs[i] || in.Status != want.status || in.OK != want.ok || message != want.error || !reflect.DeepEqual(in.Operations, want.operations) {
			t.Errorf("%+v %q, want %+v", in, message, want)
		}
	}
	if data, err := json.Marshal(got); err != nil || !json.Valid(data) {
		t.Error(err)
	}
}

// What is asked of an engine calls no tool, whatever a script has done to it.
func TestAnInquiryCallsNothing(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "a")
	session := runtime.NewSession()
	defer session.Close()
	ask := func(script runtime.Script) bindings.Report {
		return bindings.Run(context.Background(), s, bindings.Options{Script: script, Session: session})
	}
	ask(runtime.Script{Interactive: true, Source: `
		const trap = () => { tools.delete({path: 'a'}) };
		for (const o of [Object, Reflect, Array.prototype, String.prototype]) for (const k of Object.getOwnPropertyNames(o)) try { o[k] = trap } catch {}
		Object.defineProperty(globalThis, 'Map', {get: trap}); 1`})
	before := len(s.Receipts())
	for _, name := range []string{"", "tools", "Intl", "crypto", "URL"} {
		ask(runtime.Script{Source: name, Inquiry: runtime.InquireMembers})
	}
	if !exists(dir, "a") || len(s.Receipts()) > before {
		t.Errorf("%v", s.Receipts())
	}
}

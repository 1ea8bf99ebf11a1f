package bindings_test

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
)

// What really happens has the form that the schemas promise.
func TestRealReportsValidate(t *testing.T) {
	receipts, reports := resolved(t, schema(t, "receipt")), resolved(t, schema(t, "report"))
	check := func(r bindings.Report) {
		t.Helper()
		if err := reports.Validate(asClient(t, r)); err != nil {
			t.Errorf("report: %v", err)
		}
		for _, op := range r.Operations {
			if err := receipts.Validate(asClient(t, op)); err != nil {
				t.Errorf("receipt %d: %v", op.Seq, err)
			}
		}
	}
	no := func(context.Context, policy.Question) (bool, error) { return false, nil }
	hook := bindings.ScriptHook("keep", "keep.js", `if (event.path.endsWith('kept')) return {decision: 'deny', reason: 'kept'}`, 0, nil)
	s, dir := newSession(t, func(cfg *ops.Config) {
		cfg.Ask, cfg.Approve, cfg.Hooks = policy.Ask{Files: true, Untracked: true}, no, []ops.Hook{hook}
	})
	write(t, dir, "a", "caf\xe9", "kept/x", "tree/x", "old/y")
	if err := os.Symlink(dir, dir+"/alias"); err != nil {
		t.Fatal(err)
	}
	check(run(t, s, `
		console.log('x'); text({}); console.warn(1); image('iVBORw0KGgo=');
		for (const call of [
			() => tools.copy({path: 'a', target: 'new/a'}), () => tools.copy({path: 'alias/caf\udce9', target: 'alias/z'}),
			() => tools.move({path: 'tree', target: 'old'}), () => tools.delete({path: 'tree'}), () => tools.delete({path: 'kept'}),
			() => tools.delete({path: 'none'}), () => tools.delete({}), () => tools.move({src: 'a', dst: 'b'}), () => tools.copy({path: 'a', target: 'a'}),
		]) await call().catch(e => e);
		return {deep: [null, 1.5, 'caf\udce9']}`))
	check(run(t, s, `throw new Error('x')`))
	check(run(t, s, `let x = ;`))
	check(run(t, s, `exit()`))
	check(bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{Source: `tools.delete({path: 'a'}); for (;;) {}`}, Timeout: 30 * time.Millisecond}))
	yes, dir := newSession(t)
	write(t, dir, "tree/x", "old/y")
	check(run(t, yes, `await tools.move({path: 'tree', target: 'old'})`))

	full := filled(reflect.TypeFor[ops.Receipt]()).Interface().(ops.Receipt)
	full.Kind, full.Operation, full.Effect, full.SourceKind = "file-operation", ops.Move, ops.Unknown, "directory"
	full.Approvals[0].Decision = "approved"
	if err := receipts.Validate(asClient(t, full)); err != nil {
		t.Errorf("a receipt with every field: %v", err)
	}
	check(bindings.Report{RunID: "r", Value: json.RawMessage("null"), Output: []runtime.Output{}, Operations: []ops.Receipt{full}})
}

// What the reading tools answer has the form that their schemas promise.
func TestRealResultsValidate(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "a", "d/caf\xe9", "d/raw")
	if err := os.WriteFile(dir+"/d/raw", []byte("\xff"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", dir+"/d/link"); err != nil {
		t.Fatal(err)
	}
	for _, call := range []struct{ tool, args string }{
		{"list", `{"path":"d"}`}, {"list", `{"path":".","recursive":true,"limit":2}`}, {"stat", `{"path":"d/link"}`}, {"stat", `{"path":"d"}`},
		{"read", `{"path":"a"}`}, {"read", `{"path":"a","limit":2}`}, {"read", `{"path":"d/raw"}`}, {"read", `{"path":"a","encoding":"base64"}`},
		{"glob", `{"pattern":"**"}`}, {"glob", `{"pattern":"none*"}`}, {"search", `{"pattern":"content"}`}, {"search", `{"pattern":"no such text"}`},
	} {
		value, err := s.Query(context.Background(), call.tool, []byte(call.args), "")
		if err != nil {
			t.Errorf("%s %s: %v", call.tool, call.args, err)
			continue
		}
		if err := resolved(t, resultSchema(t, call.tool)).Validate(asClient(t, value)); err != nil {
			t.Errorf("%s %s: %v\n%s", call.tool, call.args, err, value)
		}
	}
	if _, ok := bindings.ResultSchema("MoveParams"); ok {
		t.Error("MoveParams is no tool")
	}
}

// asClient is a value as a client reads it.
func asClient(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// filled makes a value in which nothing is empty.
func filled(typ reflect.Type) reflect.Value {
	v := reflect.New(typ).Elem()
	switch typ.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(typ.Elem()))
		v.Elem().Set(filled(typ.Elem()))
	case reflect.Slice:
		v.Set(reflect.Append(v, filled(typ.Elem())))
	case reflect.Struct:
		if typ == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Now()))
			break
		}
		for i := range typ.NumField() {
			if typ.Field(i).IsExported() {
				v.Field(i).Set(filled(typ.Field(i).Type))
			}
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	}
	return v
}

// Everything that tools.d.ts declares exists in a script, and every tool is
// declared.
func TestDeclaredNamesExist(t *testing.T) {
	s, _ := newSession(t)
	var names []string
	for _, line := range strings.Split(bindings.Types(), "\n") {
		for _, kind := range []string{"declare const ", "declare function ", "declare class "} {
			if rest, ok := strings.CutPrefix(line, kind); ok {
				names = append(names, rest[:strings.IndexFunc(rest, func(r rune) bool { return r != '_' && (r < 'A' || r > 'z') })])
			}
		}
	}
	if len(names) < 15 {
		t.Fatalf("read only %v", names)
	}
	for _, name := range names {
		if r := run(t, s, `return typeof `+name); string(r.Value) == `"undefined"` || !r.OK {
			t.Errorf("%s is declared and does not exist: %s %v", name, r.Value, r.Error)
		}
	}
	d := readDeclarations(t)
	for _, name := range bindings.SchemaNames() {
		_, declared := d.tools[name]
		if isTool := string(run(t, s, `return typeof tools.`+name).Value) == `"function"`; isTool != declared {
			t.Errorf("%s is a tool %v, declared %v", name, isTool, declared)
		}
	}
	want(t, run(t, s, `return [typeof require('util').inspect, typeof require('node:util').format, typeof require('buffer').Buffer.from]`), `["function","function","function"]`)
	want(t, run(t, s, `return ['log', 'info', 'debug', 'warn', 'error', 'dir', 'table', 'group', 'count', 'time', 'assert', 'trace'].filter(m => typeof console[m] !== 'function')`), `[]`)
	want(t, run(t, s, `return ['child_process', 'net', 'process', 'http'].filter(m => { try { require(m); return true } catch { return false } })`), `[]`)
	if n := len(bindings.Types()); n > 11_000 {
		t.Errorf("the declarations have %d bytes, about %d tokens; an agent reads them each time", n, n/4)
	}
}

package runtime_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// TestArguments says what the host receives for each argument of a call.
func TestArguments(t *testing.T) {
	for _, tt := range []struct{ call, want string }{
		{`{path: 'a', target: 'b'}`, `{"path":"a","target":"b"}`},
		{`{}`, `{}`},
		{`null`, `null`},
		{`'a'`, `"a"`},
		{`{a: 1, b: -0, c: 1.5, d: 1e21, e: true, f: null, g: [1, ['x']]}`, `{"a":1,"b":0,"c":1.5,"d":1e+21,"e":true,"f":null,"g":[1,["x"]]}`},
		{`{a: undefined, b: 1}`, `{"b":1}`},
		{`{'\udcff': 'caf\udce9 é 😀'}`, `{"\udcff":"caf\udce9 é 😀"}`},
		{`{z: 1, a: 2, 1: 3}`, `{"1":3,"z":1,"a":2}`},
		{`{['__proto__']: 1}`, `{"__proto__":1}`},
		{`Object.create({path: 'inherited'})`, `{}`},
		{`Object.assign(Object.create(null), {a: 1})`, `{"a":1}`},
		{`new (class { constructor() { this.a = 1 } get b() { return 2 } })`, `{"a":1}`},
		{`Object.defineProperty({a: 1}, 'hidden', {value: 2})`, `{"a":1}`},
		{`{[Symbol('s')]: 1, a: 2}`, `{"a":2}`},
		{`{a: 1, toJSON() { return {a: 2} }}`, `{"a":1,"toJSON":null} (toJSON is a function; pass plain data)`},

		{``, `null (the argument is missing; pass one object with named members, such as {path: "a"})`},
		{`undefined`, `null (the argument is undefined)`},
		{`{path: 'a'}, {overwrite: true}`, `{"path":"a"} (2 arguments were given; pass one object with named members, such as {path: "a", target: "b"})`},
		{`{path: () => 1}`, `{"path":null} (path is a function; pass plain data)`},
		{`{path: async () => 1}`, `{"path":null} (path is a function; pass plain data)`},
		{`{path: class {}}`, `{"path":null} (path is a function; pass plain data)`},
		{`{path: Symbol('x'), target: 't'}`, `{"path":null,"target":"t"} (path is a symbol; pass plain data)`},
		{`{path: new String('x')}`, `{"path":null} (path is a String object; pass a plain string)`},
		{`{path: Object(1)}`, `{"path":null} (path is a Number object; pass a plain number)`},
		{`{path: Object(Symbol())}`, `{"path":null} (path is a Symbol object; pass plain data)`},
		{`{path: 1n}`, `{"path":null} (path is a BigInt; pass a number)`},
		{`{path: Object(1n)}`, `{"path":null} (path is a BigInt object; pass plain data)`},
		{`{path: new Date()}`, `{"path":null} (path is a Date; pass plain data)`},
		{`{path: /x/}`, `{"path":null} (path is a RegExp; pass its source as a string, with regex: true where there is such an argument)`},
		{`{path: new Map()}`, `{"path":null} (path is a Map; pass plain data)`},
		{`{path: new Set()}`, `{"path":null} (path is a Set; pass plain data)`},
		{`{path: new WeakMap()}`, `{"path":null} (path is a WeakMap; pass plain data)`},
		{`{path: [].values()}`, `{"path":null} (path is an Array Iterator; pass plain data)`},
		{`{path: new Uint8Array(3)}`, `{"path":null} (path is a typed array; pass plain data)`},
		{`{path: new ArrayBuffer(3)}`, `{"path":null} (path is an ArrayBuffer; pass plain data)`},
		{`{path: new Error('x')}`, `{"path":null} (path is an Error object; pass plain data)`},
		{`{path: tools.echo({})}`, `{"path":null} (path is a Promise; pass its awaited value (is an await missing?))`},
		{`{path: NaN}`, `{"path":null} (path is NaN; pass a finite number)`},
		{`{path: -Infinity}`, `{"path":null} (path is -Infinity; pass a finite number)`},
		{`{paths: ['a', , 'b']}`, `{"paths":["a",null,"b"]} (paths[1] is undefined)`},
		{`{paths: [undefined]}`, `{"paths":[null]} (paths[0] is undefined)`},
		{`new Proxy({path: 'a'}, {})`, `null (the argument is a Proxy; pass plain data)`},
		{`{o: {list: [1, {p: new Proxy([], {})}]}}`, `{"o":{"list":[1,{"p":null}]}} (o.list[1].p is a Proxy; pass plain data)`},
		{`(() => { const r = Proxy.revocable({}, {}); r.revoke(); return {path: r.proxy} })()`, `{"path":null} (path is a Proxy; pass plain data)`},
		{`{get path() { throw 1 }}`, `{"path":null} (path is a getter; pass plain data)`},
		{`Object.defineProperty([], 0, {get() { throw 1 }, enumerable: true})`, `[null] ([0] is a getter; pass plain data)`},
		{`(() => { const o = {}; o.self = o; return o })()`, `{"self":null} (self is cyclic: it contains itself)`},
		{`{path: '\ud800'}`, `{"path":null} (path has a lone surrogate that spells no byte of a file name)`},
		{`{path: '\udc7f'}`, `{"path":null} (path has a lone surrogate that spells no byte of a file name)`},
		{`{path: '\udcc3\udca9'}`, `{"path":null} (path has a lone surrogate that spells no byte of a file name)`},
		{`{'\ud800': 1, b: 2}`, `{"b":2} (['�'] has a name with a lone surrogate that spells no byte of a file name)`},
		{`{'a\n\x1b': () => 1}`, `{"a\n\u001b":null} (['a\n\x1B'] is a function; pass plain data)`},
		{`(function () { return arguments })('a')`, `null (the argument is an arguments object; pass plain data)`},
		{`{a: ` + strings.Repeat("[", 16) + strings.Repeat("]", 16) + `}`, `null (a` + strings.Repeat("[0]", 15) + ` is nested deeper than 16 levels)`},
		{`{a: 'x'.repeat(5 << 20)}`, `null (a has more than 4194304 characters)`},
		{`{a: Array(50).fill('x'.repeat(100000))}`, `null (the argument has more than 4194304 bytes)`},
		{`{a: Array(100001).fill(0)}`, `null (a has more than 100000 members)`},
		{`(() => { const a = []; a.length = 2**32 - 1; return {a} })()`, `null (a has more than 100000 members)`},
		{`(() => { let a = [1]; for (let i = 0; i < 14; i++) a = [a, a, a, a, a, a, a, a]; return a })()`, `null (`},
	} {
		_, h := run(t, "try { await tools.echo("+tt.call+") } catch (e) {}")
		if len(h.calls) == 0 || !strings.HasPrefix(h.calls[len(h.calls)-1], "echo "+tt.want) {
			t.Errorf("tools.echo(%s)\n got %.300q\nwant %q", tt.call, h.calls, tt.want)
		}
	}
}

// TestArgumentsAreTakenOnce holds that nothing done after a call changes it, and
// that taking it runs nothing of the script.
func TestArgumentsAreTakenOnce(t *testing.T) {
	_, h := run(t, `
		let ran = 0
		for (const p of [Object.prototype, Array.prototype]) for (const name of ['path', 'toJSON', 'length', '0']) {
			if (name !== 'length' || p === Object.prototype) Object.defineProperty(p, name, {get() { ran++ }, set() { ran++ }, configurable: true})
		}
		JSON.stringify = Reflect.getOwnPropertyDescriptor = Reflect.ownKeys = Object.keys = () => { ran++ }
		const o = {target: 'before'}
		const p = tools.echo(o)
		o.target = 'after'; delete o.target
		await p
		const seen = ran
		await tools.echo({seen, list: [[]]})
		Object.defineProperty(Object.prototype, 'value', {set() { ran++ }, configurable: true})
		await tools.echo({ran}).catch(() => {})`)
	want := []string{`echo {"target":"before"}`, `echo {"seen":0,"list":[[]]}`,
		"echo null (the argument cannot be read safely: Object.prototype was given a member named value, get, set, writable, enumerable or configurable; remove it)"}
	if !slices.Equal(h.calls, want) {
		t.Errorf("got %q, want %q", h.calls, want)
	}
}

// TestCallOrder says which calls reach the host, in which order, and which of
// them only to be recorded ("!").
func TestCallOrder(t *testing.T) {
	for name, tt := range map[string]struct {
		source string
		ok     bool
		calls  string
	}{
		"all at once":                 {"await Promise.all([tools.slow({n:1}), tools.echo({n:2}), tools.slow({n:3})])", true, `slow {"n":1}, echo {"n":2}, slow {"n":3}`},
		"not awaited":                 {"tools.slow({n:1}); tools.echo({n:2})", true, `slow {"n":1}, echo {"n":2}`},
		"not awaited, in a function":  {"async function f() { await null; tools.echo(1); await null; await tools.echo(2); tools.echo(3) } f()", true, `echo 1, echo 2, echo 3`},
		"not awaited and failed":      {"tools.fail({}); tools.echo(1)", false, `fail {}, !echo 1`},
		"the first failure stops all": {"await Promise.all([tools.echo(0), tools.fail({}), tools.echo(1), tools.slow(2), tools.echo(3)])", false, `echo 0, fail {}, !echo 1, !slow 2, !echo 3`},
		"settled one by one":          {"await Promise.allSettled([tools.fail({}), tools.echo(1), tools.fail({}), tools.slow(2)])", true, `fail {}, echo 1, fail {}, slow 2`},
		"failed, the rest is stopped": {"tools.fail({}); await tools.echo(1); tools.echo(2); tools.echo(3)", false, `fail {}, echo 1, !echo 2, !echo 3`},
		"caught":                      {"tools.fail({}).catch(() => {}); await tools.echo(1)", true, `fail {}, echo 1`},
		"caught late":                 {"const p = tools.fail({}); await tools.echo(1); await p.catch(() => {}); tools.echo(2)", true, `fail {}, echo 1, echo 2`},
		"thrown":                      {"await tools.echo(1); tools.echo(2); tools.echo(3); throw new Error('x')", false, `echo 1, !echo 2, !echo 3`},
		"thrown after a call failed":  {"await tools.fail({}); tools.echo(1)", false, `fail {}`},
		"thrown in a timer":           {"setTimeout(() => { tools.echo(1); throw 1 }, 1); await new Promise(() => {})", false, `!echo 1`},
		"exit":                        {"tools.echo(1); tools.echo(2); exit(); tools.echo(3)", true, `echo 1, echo 2`},
		"exit in a microtask":         {"Promise.resolve().then(exit); tools.echo(1); await new Promise(() => {})", true, `echo 1`},
		"exit in a timer":             {"setTimeout(exit, 1); await new Promise(() => {})", true, ``},
		"exit cannot be caught":       {"try { [1].forEach(() => exit()) } catch (e) { tools.echo('caught') } finally { tools.echo('finally') } tools.echo('after')", true, ``},
		"timers do not hold a run":    {"setTimeout(() => tools.echo(1), 60000); setInterval(() => tools.echo(2), 60000)", true, ``},
		"calls hold a run":            {"tools.slow(1).then(() => tools.echo(2))", true, `slow 1, echo 2`},
	} {
		r, h := run(t, tt.source)
		if got := strings.Join(h.calls, ", "); got != tt.calls || r.OK != tt.ok {
			t.Errorf("%s:\n got %v %s\nwant %v %s\n%+v", name, r.OK, got, tt.ok, tt.calls, r.Error)
		}
		if r.Duration > 5*time.Second {
			t.Errorf("%s took %v", name, r.Duration)
		}
	}
}

func TestManyCalls(t *testing.T) {
	r, h := run(t, "let n = 0; for (let i = 0; i < 10000; i++) n += (await tools.echo({i})).i; return n")
	if string(r.Value) != "49995000" || len(h.calls) != 10000 || h.calls[9999] != `echo {"i":9999}` {
		t.Errorf("got %s after %d calls: %+v", r.Value, len(h.calls), r.Error)
	}
}

func TestResultsReachTheScript(t *testing.T) {
	for _, tt := range []struct{ result, script, want string }{
		{`{"a":[1,-0,2.5,1e400,"x",null,true,{}]}`, "return [r.a[0], Object.is(r.a[1], -0), r.a[2], r.a[3] === Infinity, r.a[4], r.a[5], r.a[6], Object.keys(r.a[7])]", `[1,true,2.5,true,"x",null,true,[]]`},
		{`{"name":"caf\udce9","\udcff":1}`, "return [r.name.charCodeAt(3), Object.keys(r)[1].charCodeAt(0), r]", `[56553,56575,{"name":"caf\udce9","\udcff":1}]`},
		{`{"__proto__":{"x":1}}`, "return [r.x === undefined, Object.getPrototypeOf(r) === Object.prototype, Object.keys(r)]", `[true,true,["__proto__"]]`},
		{``, "return r === undefined", `true`},
		{`9007199254740993`, "return r", `9007199254740992`},
	} {
		h := &fakeHost{answer: func(context.Context, runtime.Call) runtime.Result { return runtime.Result{Value: []byte(tt.result)} }}
		r := execute(context.Background(), runtime.Script{Source: "const r = await tools.echo({}); " + tt.script}, h, runtime.Options{})
		if string(r.Value) != tt.want {
			t.Errorf("%s: got %s, want %s (%+v)", tt.result, r.Value, tt.want, r.Error)
		}
	}
	h := &fakeHost{answer: func(context.Context, runtime.Call) runtime.Result { return runtime.Result{Value: []byte("{")} }}
	if r := execute(context.Background(), runtime.Script{Source: "await tools.echo({})"}, h, runtime.Options{}); r.OK || r.Error.Kind != "sandbox" {
		t.Errorf("malformed result: %+v", r.Error)
	}
}

func TestOperationError(t *testing.T) {
	h := &fakeHost{answer: func(context.Context, runtime.Call) runtime.Result {
		return runtime.Result{Err: &runtime.CallError{Message: "no caf\xe9", Props: []byte(`{"code":"ENOENT","path":"/caf\udce9","receipt":{"seq":1,"message":"m"},"message":"ignored?"}`)}}
	}}
	r := execute(context.Background(), runtime.Script{Name: "s.js", Source: `
		async function step() {
			await tools.delete({path: 'x'})
		}
		try { await step() } catch (e) {
			text(e.stack); console.log(Object.keys(e).join())
			return [e.message, e.code, e.path.charCodeAt(4), e.receipt.seq, e instanceof OperationError, String(e)]
		}`}, h, runtime.Options{})
	if want := `["no caf\udce9","ENOENT",56553,1,true,"OperationError: no caf\udce9"]`; string(r.Value) != want {
		t.Errorf("got %s, want %s (%+v)", r.Value, want, r.Error)
	}
	if got := texts(r); !strings.Contains(got, "    at step (s.js:3:") || !strings.HasSuffix(got, "\ncode,path") {
		t.Errorf("got %s", got)
	}
}

func TestToolsCannotBeChanged(t *testing.T) {
	got := value(t, `
		'use strict'
		const tried = []
		const refuses = f => { try { f(); tried.push('no') } catch { tried.push('yes') } }
		refuses(() => { tools.echo = 1 })
		refuses(() => { tools.more = 1 })
		refuses(() => { delete tools.echo })
		refuses(() => { tools.echo.x = 1 })
		refuses(() => { args.push(1) })
		refuses(() => { ALL_TOOLS[0].name = 'x' })
		refuses(() => { Object.setPrototypeOf(OperationError, null) })
		return [tried.join(), Object.getPrototypeOf(tools), tools.echo.name, tools.echo.length, tools.toString === undefined]`)
	if want := `["yes,yes,yes,yes,yes,yes,yes",null,"echo",1,true]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTampering holds that a script which changes the built-ins gets at most an
// error for itself: the calls that reach the host are those that it made.
func TestTampering(t *testing.T) {
	for _, prelude := range []string{
		"for (const k of ['path', 'target', 'then', 'code', 'stack', 'message', 'n', '0', 'length']) Object.defineProperty(Object.prototype, k, {set() { throw new Error('set ' + k) }, get() { return undefined }, configurable: true})",
		"Object.prototype.overwrite = true; Object.prototype.recursive = true",
		"JSON.stringify = () => '{\"path\":\"evil\"}'; JSON.parse = () => ({path: 'evil'})",
		"globalThis.Promise = class {}; globalThis.Reflect = null; globalThis.Object = null; globalThis.Error = null",
		"Promise.prototype.then = function (f) { return f({path: 'evil'}) }",
		"Promise.resolve = () => { throw 1 }; Promise.prototype.constructor = null",
		"Array.prototype[Symbol.iterator] = null; Array.prototype.map = null; Function.prototype.call = null; Function.prototype.apply = null",
		"Object.prototype[Symbol.toPrimitive] = () => 'evil'; String.prototype.toString = () => 'evil'",
		"Object.setPrototypeOf(Object.prototype, null); Map.prototype.forEach = Set.prototype.forEach = Date.prototype.toISOString = null",
		"Error.prototype.name = 'x'; Object.defineProperty(Error.prototype, 'stack', {get() { throw 1 }}); OperationError.prototype.name = 7",
		"Error.stackTraceLimit = -1; Error.captureStackTrace = null; Error.prepareStackTrace = () => { throw 1 }",
	} {
		r, h := run(t, prelude+`
			let a = await tools.echo({path: 'a', n: [1]})
			try { await tools.fail({path: 'b'}) } catch (e) { }
			await tools.echo({path: a.path, n: a.n})
			return 'end'`)
		for i, call := range h.calls {
			h.calls[i] = strings.TrimPrefix(call, "!") // made when the script failed
		}
		want := []string{`echo {"path":"a","n":[1]}`, `fail {"path":"b"}`, `echo {"path":"a","n":[1]}`}
		if !r.OK && r.Error.Kind != "script" || len(h.calls) == 0 || !slices.Equal(h.calls, want[:min(len(h.calls), 3)]) {
			t.Errorf("%s\n got %q %+v", prelude, h.calls, r.Error)
		}
		if r.OK && len(h.calls) != 3 {
			t.Errorf("%s\n stopped after %q", prelude, h.calls)
		}
	}
}

func TestNothingReachesTheHost(t *testing.T) {
	got := value(t, `
		const tries = [() => this.constructor.constructor('return process')(), () => tools.delete.constructor('return globalThis.process.env')(),
			() => (0, eval)('process'), () => Deno, () => Bun, () => fetch('http://127.0.0.1'), () => require('fs'), () => new WebSocket('ws://127.0.0.1'), () => module, () => __dirname, () => arguments]
		return tries.filter(f => { try { f(); return true } catch { return false } }).map(String)`)
	if got != "[]" {
		t.Errorf("these worked: %s", got)
	}
	// Source maps make goja read files; they are off everywhere.
	for _, source := range []string{
		"return 1 //# sourceMappingURL=file:///etc/passwd",
		"return eval('1 //# sourceMappingURL=file:///dev/zero')",
		"return new Function('return 1 //# sourceMappingURL=/etc/passwd')()",
		"return 1\n//# sourceMappingURL=data:application/json,{",
	} {
		if got := value(t, source); got != "1" {
			t.Errorf("%s: %s", source, got)
		}
	}
}

func TestGlobals(t *testing.T) {
	r := execute(context.Background(), runtime.Script{
		Source:  "return [args, event.path.charCodeAt(1), Object.isFrozen(args)]",
		Args:    []string{"one", "tw\xff"},
		Globals: map[string]json.RawMessage{"event": json.RawMessage(`{"path":"a\udcfe"}`)},
	}, &fakeHost{}, runtime.Options{})
	if want := `[["one","tw\udcff"],56574,true]`; string(r.Value) != want {
		t.Errorf("got %s, want %s: %+v", r.Value, want, r.Error)
	}
}

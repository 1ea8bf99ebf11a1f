package bindings_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Arguments that are not plain data are refused, with a receipt, and nothing of
// the script runs while they are read.
func TestArgumentsMustBePlainData(t *testing.T) {
	for _, tt := range []struct{ name, args string }{
		{"nothing", ``},
		{"null", `null`},
		{"a bare path", `'a'`},
		{"two arguments", `{path: 'a'}, {path: 'b'}`},
		{"an array of arguments", `[{path: 'a'}]`},
		{"an array of paths", `{path: ['a']}`},
		{"a listing", `{path: await tools.stat({path: 'a'})}`},
		{"a read result", `{path: await tools.read({path: 'a'})}`},
		{"a receipt-like object", `{path: {path: 'a'}}`},
		{"a String object", `{path: new String('a')}`},
		{"toString", `{path: {toString: () => 'a'}}`},
		{"toJSON", `{path: {toJSON: () => 'a'}}`},
		{"toJSON of the whole", `{toJSON: () => ({path: 'a'})}`},
		{"a getter", `{get path() { ran = true; return 'a'; }}`},
		{"a Proxy", `new Proxy({path: 'a'}, {get() { ran = true; return 'a'; }, ownKeys() { ran = true; return ['path']; }})`},
		{"a Proxy as path", `{path: new Proxy({}, {get() { ran = true; return 'a'; }})}`},
		{"a function", `() => ({path: 'a'})`},
		{"a function as path", `{path: () => 'a'}`},
		{"a class instance", `{path: new (class { valueOf() { ran = true; return 'a'; } })()}`},
		{"a Map", `new Map([['path', 'a']])`},
		{"a promise", `Promise.resolve({path: 'a'})`},
		{"a symbol", `{path: Symbol('a')}`},
		{"a number", `{path: 1}`},
		{"undefined", `{path: undefined}`},
		{"an inherited path", `Object.create({path: 'a'})`},
		{"an unknown field", `{path: 'a', recursive: true}`},
		{"another case", `{Path: 'a'}`},
		{"an empty string", `{path: ''}`},
		{"a NUL byte", `{path: 'a\0'}`},
		{"a lone surrogate", `{path: '\ud83d'}`},
		{"a surrogate that spells no byte", `{path: '\udc7f'}`},
		{"a cycle", `(() => { const o = {path: 'a'}; o.self = o; return o; })()`},
		{"BigInt", `{path: 1n}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, dir := newSession(t)
			write(t, dir, "a", "b")
			r := run(t, s, fmt.Sprintf(`let ran = false;
				const e = await tools.delete(%s).then(r => ({code: 'done'}), e => e);
				await tools.copy({path: 'b', target: 'c'});
				return [e.code, e.effect, e.receipt?.seq, e.message.length > 0, ran]`, tt.args))
			want(t, r, `["INVALID_ARGUMENTS","not-applied",1,true,false]`)
			if effects(r) != "1 delete not-applied INVALID_ARGUMENTS, 2 copy applied" || !exists(dir, "a") {
				t.Errorf("got %s", effects(r))
			}
		})
	}
}

// What a script does to the language itself changes at most its own view.
func TestTamperingChangesNoOperation(t *testing.T) {
	for _, tt := range []struct{ name, source, value string }{
		{"inherited overwrite", `Object.prototype.overwrite = true;
			return await tools.move({path: 'a', target: 'b', overwrite: false}).catch(e => e.code)`, `"TARGET_EXISTS"`},
		{"inherited fields", `Object.prototype.delete = true; Object.prototype.dst = 'c'; Object.prototype.target = 'c';
			return await tools.move({src: 'a'}).catch(e => e.code)`, `"INVALID_ARGUMENTS"`},
		{"inherited setter", `let seen = 0; for (const k of ['path', 'ok', 'effect', 'code', 'receipt']) Object.defineProperty(Object.prototype, k, {set() { seen++; }, get() { return 'x'; }, configurable: true});
			const r = await tools.copy({path: 'a', target: 'c'});
			return [r.ok, r.effect, seen]`, `[true,"applied",0]`},
		{"changed after the call", `const args = {path: 'a', target: 'c'}; const p = tools.copy(args); args.path = 'b'; args.target = 'a'; args.overwrite = true;
			const r = await p; return [r.path.endsWith('/a'), r.target.endsWith('/c')]`, `[true,true]`},
		{"JSON", `JSON.stringify = () => '{"path":"b"}'; JSON.parse = () => ({ok: 'lies'});
			const r = await tools.copy({path: 'a', target: 'c'}); return [r.ok, r.path.endsWith('/a')]`, `[true,true]`},
		{"Object and Array", `Object.keys = () => ['x']; Object.getOwnPropertyDescriptor = () => ({value: 'b'}); Array.isArray = () => true; Reflect.ownKeys = () => [];
			return (await tools.copy({path: 'a', target: 'c'})).path.endsWith('/a')`, `true`},
		{"Promise", `const Real = Promise; Promise = class { constructor() { throw 1 } }; Real.prototype.catch = () => 'mine';
			return (await tools.copy({path: 'a', target: 'c'})).ok`, `true`},
		{"a then of one's own", `let calls = 0; Object.prototype.then = undefined; Promise.prototype.then = new Proxy(Promise.prototype.then, {apply(f, self, a) { calls++; return Reflect.apply(f, self, a); }});
			return (await tools.copy({path: 'a', target: 'c'})).ok`, `true`},
		{"tools cannot be replaced", `'use strict'; const fails = [];
			for (const f of [() => { tools.delete = () => 'mine' }, () => { delete tools.copy }, () => { Object.setPrototypeOf(tools, {extra: 1}) }, () => { tools.delete.call = 1 }]) try { f(); } catch (e) { fails.push(e.name); }
			return fails`, `["TypeError","TypeError","TypeError","TypeError"]`},
		{"the constructor of a tool leads nowhere", `let e; try { e = tools.delete.constructor('return this')().process } catch (x) { e = 'thrown' } return e === undefined || e === 'thrown'`, `true`},
		{"another this", `return (await tools.copy.call(null, {path: 'a', target: 'c'})).ok`, `true`},
		{"Symbol.species and iterators", `Array.prototype[Symbol.iterator] = function* () { yield 'b'; }; return (await tools.copy({path: 'a', target: 'c'})).path.endsWith('/a')`, `true`},
		{"a result is the script's own copy", `const r = await tools.copy({path: 'a', target: 'c'}); r.ok = false; r.path = 'lie'; return 1`, `1`},
		{"OperationError", `OperationError.prototype.code = 'mine'; globalThis.OperationError = class {}; return await tools.delete({path: 'no'}).catch(e => [e.code, e instanceof Error])`, `["ENOENT",true]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, dir := newSession(t)
			write(t, dir, "a", "b")
			r := run(t, s, tt.source)
			want(t, r, tt.value)
			if !exists(dir, "a") || !exists(dir, "b") {
				t.Errorf("something was removed: %s", effects(r))
			}
			for _, op := range r.Operations {
				if op.OK && (!strings.HasSuffix(string(op.Path), "/a") || !strings.HasSuffix(string(op.Target), "/c")) {
					t.Errorf("%s %s %s was done instead", op.Operation, op.Path, op.Target)
				}
			}
		})
	}
}

// A report stays readable JSON whatever a script returns.
func TestHostileValues(t *testing.T) {
	s, _ := newSession(t)
	for _, source := range []string{
		`const a = []; a.push(a); return a`,
		`return {toJSON() { throw new Error('no') }}`,
		`return new Proxy({}, {ownKeys() { throw 1 }})`,
		`return '\ud800 \udc00 \udc80'`,
		`return {get x() { throw null }}`,
		`return 10n ** 30n`,
		`return NaN`,
		`return Symbol('x')`,
		`throw {toString() { throw 1 }}`,
		`throw new Proxy(new Error('x'), {get() { throw 2 }})`,
		`const e = new Error('x'); Object.defineProperty(e, 'message', {get() { throw 3 }}); throw e`,
		`const e = new Error('x'); e.stack = {}; throw e`,
		`let o = {}; for (let i = 0; i < 5000; i++) o = {o}; return o`,
	} {
		r := run(t, s, source)
		data, err := json.Marshal(r)
		if err != nil || !json.Valid(data) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

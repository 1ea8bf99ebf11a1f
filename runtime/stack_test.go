package runtime_test

import (
	"testing"
)

// TestPositions holds that lines and columns are the person's own, also on the
// first line, which the wrapper shares.
func TestPositions(t *testing.T) {
	for _, tt := range []struct{ source, message, stack string }{
		{"throw new Error('x')", "x", "    at script.js:1:7"},
		{"const f = () => { throw new RangeError('x') }\n  f()", "RangeError: x", "    at f (script.js:1:25)\n    at script.js:2:4"},
		{"await null\nawait (async function inner() { await null; null.a })()", "TypeError: Cannot read property 'a' of undefined", "    at inner (script.js:2:50)\n    at script.js:2:54"},
		{"[1].map(function each() { undefined() })", "TypeError: undefined is not a function", "    at each (script.js:1:36)\n    at script.js:1:8"},
		{"eval('\\n  throw new Error(1)')", "1", "    at <eval>:2:9\n    at script.js:1:5"},
		{"setTimeout(function later() { throw new Error('t') }, 1); await new Promise(() => {})", "t", "    at later (script.js:1:37)"},
		{"function deep(n) { n ? deep(n - 1) : x } deep(2)", "ReferenceError: x is not defined", "    at deep (script.js:1:38)\n    at deep (script.js:1:28)\n    at deep (script.js:1:28)\n    at script.js:1:46"},
		{"if (a) {\n  b(", "SyntaxError: Unexpected end of the script at script.js:2:5\n      b(\n        ^", "    at script.js:2:5"},
		{"let a = 1\nlet a = 2", "SyntaxError: Identifier 'a' has already been declared at script.js:2:5\n    let a = 2\n        ^", "    at script.js:2:5"},
		{"let a: number = 1\n\tthrow new Error(`${a}`)", "1", "    at script.js:2:8"},
		{"let a: number = 1; throw new Error(`${a}`)", "1", "    at script.js:1:26"},
		{"interface A { é: string }\nconst é = (x: A) => { throw new Error('x') }\n  é({é: 'a'})", "x", "    at é (script.js:2:29)\n    at script.js:3:3"},
		{"import {\n  basename,\n} from 'node:path'\nbasename.x.y", "TypeError: Cannot read property 'y' of undefined", "    at script.js:4:12"},
		{"const a = 1\n  import fs from 'fs'; fs()", "TypeError: require: there is no module 'fs'; a script has assert, assert/strict, buffer, console, events, os, path, path/posix, querystring, string_decoder, timers, timers/promises, url, util, util/types, and files by their relative path", "    at script.js:2:3"},
		{"const a: number = 1\nconst b: = 2", "SyntaxError: Unexpected token '=' at script.js:2:10\n    const b: = 2\n             ^", "    at script.js:2:10"},
		{"export const a = 1\nnull.b", "TypeError: Cannot read property 'b' of undefined", "    at script.js:2:6"},
		{"const o = {a: {}}\no.a.b(1)", "TypeError: o.a.b is not a function", "    at script.js:2:6"},
		{"const é = {}; é.f()", "TypeError: 'f' is not a function", "    at script.js:1:20"},
		{"const list: any = 5; list()", "TypeError: list is not a function: it is 5", "    at script.js:1:22"},
		{"[1].map(5)", "TypeError: Value is not an object: 5", "    at script.js:1:8"},
		{"+{valueOf: null, toString: null}", "TypeError: Cannot convert object to primitive value", "    at script.js:1:2"},
		{"late; let late = 1", "ReferenceError: Cannot access 'late' before initialization", "    at script.js:1:1"},
		{"eval('1 +')", "SyntaxError: <eval>: Line 1:4 Unexpected end of input", "    at script.js:1:5\n    at script.js:1:5"},
		{"throw {code: 5}", "uncaught { code: 5 }", ""},
		{"throw undefined", "uncaught undefined", ""},
		{"const e = new Error(''); e.name = ''; e.stack = ''; throw e", "Error", ""},
		{"const e = new Error('x'); e.stack = 'mine'; throw e", "x", ""},
	} {
		r, _ := run(t, tt.source)
		if r.OK || r.Error.Message != tt.message || r.Error.Stack != tt.stack {
			t.Errorf("%s\n got %q\n     %q\nwant %q\n     %q", tt.source, r.Error.Message, r.Error.Stack, tt.message, tt.stack)
		}
	}
}

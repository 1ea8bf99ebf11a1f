package runtime_test

import (
	"context"
	"fmt"
	stdruntime "runtime"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// conversation is a session with one host, whose runs are numbered.
type conversation struct {
	t       *testing.T
	session *runtime.Session
	host    *fakeHost
	runs    int
}

func converse(t *testing.T) *conversation {
	c := &conversation{t: t, session: runtime.NewSession(), host: &fakeHost{}}
	t.Cleanup(c.session.Close)
	return c
}

func (c *conversation) run(s runtime.Script, o runtime.Options) runtime.Report {
	c.t.Helper()
	c.runs++
	if s.Name == "" {
		s.Name = fmt.Sprintf("call-%d.js", c.runs)
	}
	o.Session = c.session
	return execute(context.Background(), s, c.host, o)
}

// say runs a script and returns its value, or "error: …".
func (c *conversation) say(source string) string {
	c.t.Helper()
	return said(c.run(runtime.Script{Source: source}, runtime.Options{}))
}

// ask runs an interactive script and returns what is shown.
func (c *conversation) ask(source string) string {
	c.t.Helper()
	r := c.run(runtime.Script{Source: source, Interactive: true}, runtime.Options{})
	if r.OK {
		return r.Shown
	}
	return said(r)
}

func said(r runtime.Report) string {
	if r.OK {
		return string(r.Value)
	}
	lost := ""
	if r.Lost {
		lost = " (lost)"
	}
	return r.Error.Kind + ": " + r.Error.Message + lost
}

// exchange holds that each script says what is expected.
func exchange(t *testing.T, say func(string) string, lines ...string) {
	t.Helper()
	for i := 0; i < len(lines); i += 2 {
		if got := say(lines[i]); got != lines[i+1] {
			t.Errorf("%s\n got %s\nwant %s", lines[i], got, lines[i+1])
		}
	}
}

// TestSessionKeeps holds what a run finds of those before it.
func TestSessionKeeps(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"const, let and var": {
			"const a = 1; let b = 2; var c = 3", "null",
			"b++; return [a, b, c]", "[1,3,3]",
			"return b", "3",
		},
		"declared again": {
			"const a = 1; class A {}; function f() { return 1 }", "null",
			"const a = 'x'; class A { b = 1 }; function f() { return 2 }", "null",
			"return [a, new A().b, f()]", `["x",1,2]`,
			"let f = 3; return f", "3",
		},
		"a function sees what it uses declared again": {
			"function inner() { return 1 }; const outer = () => inner()", "null",
			"function inner() { return 2 }", "null",
			"return outer()", "2",
		},
		"destructuring": {
			"const {a, b: {c: [d, ...e]}, f = 6, ...g} = {a: 1, b: {c: [2, 3, 4]}, h: 7}", "null",
			"return [a, d, e, f, g]", `[1,2,[3,4],6,{"h":7}]`,
			"let [x, , y = 9] = [1, 2]; return [x, y]", "[1,9]",
			"return x + y", "10",
		},
		"nested var": {
			"if (true) { var a = 1 } for (var i = 0; i < 3; i++) { var last = i } for (var k of ['p', 'q']) {}", "null",
			"return [a, i, last, k]", `[1,3,2,"q"]`,
		},
		"what is in a block stays there": {
			"{ let a = 1; const b = 2; class C {} } for (let i = 0; i < 2; i++) {}", "null",
			"return [typeof a, typeof b, typeof C, typeof i]", `["undefined","undefined","undefined","undefined"]`,
		},
		"hoisted functions": {
			"const a = f(); function f() { return g() } async function* h() { yield 1 }\nfunction g() { return 5 }", "null",
			"return [a, f.name, h.name]", `[5,"f","h"]`,
		},
		"without a value": {
			"let a; var b; var c = 1", "null",
			"var c; let a; return [a === undefined, b === undefined, c]", "[true,true,1]",
		},
		"names": {
			"const f = () => {}; const C = class {}; let g = async function () {}", "null",
			"return [f.name, C.name, g.name]", `["f","C","g"]`,
		},
		"awaited": {
			"const a = await tools.echo({path: 'x'})", "null",
			"return a.path", `"x"`,
		},
		"promises": {
			"const p = tools.echo({path: 'x'}); const q = Promise.resolve(2)", "null",
			"return [(await p).path, await q]", `["x",2]`,
		},
		"globals without a declaration": {
			"globalThis.a = 1; b = 2", "null",
			"return a + b", "3",
		},
		"TypeScript": {
			"enum E { A, B }; interface I { a: number }; const x: I = {a: E.B}", "null",
			"type T = number; const y: T = x.a + E.B; return y", "2",
			"abstract class S<T> { constructor(private v: T) {} get(): T { return this.v } } class D extends S<number> {}", "null",
			"return new D(7).get()", "7",
		},
		"modules": {
			"import path, { join as j, type ParsedPath } from 'node:path'; import * as util from 'util'", "null",
			"return [j('a', 'b'), path.join('c', 'd'), util.inspect({})]", `["a/b","c/d","{}"]`,
			"const { resolve } = require('path'); const m = await import('path')", "null",
			"return [typeof resolve, m.join('a')]", `["function","a"]`,
		},
		"strict": {
			"'use strict'; const a = 1; let {b} = {b: 2}; function f() {}", "null",
			"'use strict'; return a + b + typeof f", `"3function"`,
		},
		"after a failure": {
			"const a = 1; const b = missing; const c = 3", "script: ReferenceError: missing is not defined",
			"return [a, b === undefined]", "[1,true]",
			"const a = ;", "script: SyntaxError: Unexpected token ';' at call-3.js:1:11\n    const a = ;\n              ^",
			"return a", "1",
		},
		"twice in one script": {
			"const a = 1; let a = 2", "script: SyntaxError: Identifier 'a' has already been declared",
			"var b = 1; var b = 2; function b2() {} function b2() {}; return b", "2",
			"let c = 1; function c() {}", "script: SyntaxError: Identifier 'c' has already been declared",
		},
		"polyfills that a later run needs": {
			"const a = 1", "null",
			"return structuredClone({a}).a + new URL('http://x/y').pathname + Object.keys(Object.groupBy([1], x => 'k'))", `"1/yk"`,
			"return new Intl.NumberFormat('en-US').format(12345)", `"12,345"`,
		},
		"a rejection is the run's own": {
			"const p = Promise.reject(new Error('no'))", "script: no",
			"return 1", "1",
			"try { await p } catch (e) { return e.message }", `"no"`,
		},
		"exit": {
			"const a = 1; exit(); const b = 2", "null",
			"return [a, typeof b]", `[1,"undefined"]`,
		},
		"timers end with their run": {
			"let n = 0; setInterval(() => n++, 1)", "null",
			"await new Promise(r => setTimeout(r, 20)); return n", "0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exchange(t, converse(t).say, lines...)
		})
	}
}

// TestInteractive holds what a prompt shows.
func TestInteractive(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"the last value": {
			"1 + 1", "2",
			"_ * 2", "4",
			"'a'", "'a'",
			"const x = 5", "undefined",
			"x; ", "5",
			"x = 6", "6",
			"await Promise.resolve({a: [1, 2]})", "{ a: [ 1, 2 ] }",
			"", "undefined",
			"function f() {}", "undefined",
			"f", "[Function: f]",
			"class A {}", "undefined",
			"new A", "A {}",
			"return 3", "3",
		},
		"statements": {
			"if (1) { 'yes' } else 'no'", "'yes'",
			"if (0) 'yes'; else { 'no' }", "'no'",
			"try { JSON.parse('{') } catch { 'caught' }", "'caught'",
			"for (const x of [1]) x", "undefined",
		},
		"objects and blocks": {
			"{a: 1}", "{ a: 1 }",
			"{}", "{}",
			"{a: 1};", "1",
			"{ a: 1, b() { return 2 } }.b()", "2",
			"{ let x = 1; x }", "1",
			"{a: 1, ...{b: 2}}\n", "{ a: 1, b: 2 }",
			"{a: 1 as number}", "{ a: 1 }",
		},
		"a last value of one's own": {
			"const _ = 'mine'", "undefined",
			"1 + 1", "2",
			"_", "'mine'",
		},
		"what JSON cannot tell": {
			"const a = {}; a.a = a; a", "<ref *1> { a: [Circular *1] }",
			"10n", "10n",
			"new Map([[1, 2]])", "Map(1) { 1 => 2 }",
		},
		"failures": {
			"throw new TypeError('x')", "script: TypeError: x",
			"missing", "script: ReferenceError: missing is not defined",
			"1 +", "script: SyntaxError: Unexpected end of the script at call-3.js:1:4\n    1 +\n       ^",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exchange(t, converse(t).ask, lines...)
		})
	}
}

// TestSessionStacks holds that a stack names the runs in which its functions
// were defined, with the person's own lines and columns.
func TestSessionStacks(t *testing.T) {
	t.Parallel()
	c := converse(t)
	c.say("const f = () => { throw new Error('x') }")
	c.say("const g = (n: number) => {\n  f() }")
	r := c.run(runtime.Script{Source: "1;  g(1)"}, runtime.Options{})
	var lines []string
	for line := range strings.Lines(r.Error.Stack) {
		lines = append(lines, strings.TrimSpace(line))
	}
	got := strings.Join(lines, "\n")
	if want := "at f (call-1.js:1:25)\nat g (call-2.js:2:3)\nat call-3.js:1:6"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r = c.run(runtime.Script{Source: "{a: missing}", Interactive: true}, runtime.Options{})
	if !strings.Contains(r.Error.Stack, "call-4.js:1:5") {
		t.Errorf("stack of an object: %s", r.Error.Stack)
	}
}

// TestSessionSurvives holds that a stopped script takes nothing with it where the
// engine could be stopped, and what is said where it could not.
func TestSessionSurvives(t *testing.T) {
	t.Parallel()
	short := func() runtime.Options { return runtime.Options{Deadline: runtime.NewDeadline(50 * time.Millisecond)} }

	c := converse(t)
	c.say("let a = 1")
	for _, loop := range []string{
		"for (;;) {}",
		"await new Promise(() => setTimeout(() => {}, 1e6))",
		"for (;;) await null",
		"await null; for (;;) {}",
		"await tools.echo({}); try { for (;;) {} } finally { for (;;) {} }",
		"async function f(n) { if (n) await f(n - 1); else for (;;) await null }; await f(8)",
		"function* g(n) { if (n) yield* g(n - 1); else for (;;) {} }; await null; [...g(3)]",
		"await null; [1].map(() => { for (;;) {} })",
		"await null; 'x'.replace(/x/, () => { for (;;) {} })",
		"const f = () => Promise.resolve().then(f); await f()",
		"await null; /(a+)+b/.test('a'.repeat(40))",
		"await null; JSON.parse('[1]', () => { for (;;) {} })",
		"setTimeout(() => { for (;;) {} }); await new Promise(() => setTimeout(() => {}, 1e6))",
	} {
		r := c.run(runtime.Script{Source: "a++; " + loop}, short())
		if r.Error == nil || r.Error.Kind != runtime.KindTimeout || r.Lost {
			t.Errorf("%s: %v, lost %v", loop, r.Error, r.Lost)
		}
		exchange(t, c.say, "return (await tools.echo({path: 'x'})).path", `"x"`)
	}
	exchange(t, c.say,
		"return a", "14",
		"await null; a++; exit(); a++", "null",
		"return (await tools.echo({path: 'x'})).path", `"x"`,
		"await null; a++; const f = () => f() + f(); f()", "script: RangeError: Maximum call stack size exceeded",
		"return (await tools.echo({path: 'x'})).path", `"x"`,
		"await null; a = 4; return a", "4",
	)

	ctx, cancel := context.WithCancel(context.Background())
	c.host.answer = func(ctx context.Context, call runtime.Call) runtime.Result {
		cancel()
		<-ctx.Done()
		return failure("ABORTED", "stopped")
	}
	r := execute(ctx, runtime.Script{Source: "a = 10; await tools.slow({})"}, c.host, runtime.Options{Session: c.session})
	if r.Error == nil || r.Error.Kind != runtime.KindAborted || r.Lost {
		t.Errorf("cancelled: %v, lost %v", r.Error, r.Lost)
	}
	c.host.answer = nil
	exchange(t, c.say, "return a", "10", "return (await tools.echo({path: 'y'})).path", `"y"`)

	r = c.run(runtime.Script{Source: "let x = []; x.length = 2**31; x.join('')"}, short())
	if r.Error == nil || r.Error.Kind != runtime.KindTimeout || !r.Lost {
		t.Errorf("an engine that cannot be stopped: %v, lost %v", r.Error, r.Lost)
	}
	exchange(t, c.say, "return typeof a", `"undefined"`, "let a = 5", "null", "return a", "5")
}

// TestSessionOneAtATime holds that runs of a session wait for one another, and
// that one which waits can be cancelled.
func TestSessionOneAtATime(t *testing.T) {
	t.Parallel()
	c := converse(t)
	c.say("let n = 0")
	began := make(chan struct{})
	release := make(chan struct{})
	c.host.answer = func(context.Context, runtime.Call) runtime.Result {
		close(began)
		<-release
		return runtime.Result{}
	}
	first := make(chan runtime.Report)
	go func() {
		first <- execute(context.Background(), runtime.Script{Source: "await tools.slow({}); n++"}, c.host, runtime.Options{Session: c.session})
	}()
	<-began
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if r := execute(ctx, runtime.Script{Source: "n = 100"}, c.host, runtime.Options{Session: c.session}); r.Error == nil || r.Error.Kind != runtime.KindAborted || r.Lost {
		t.Errorf("a run that waited: %v, lost %v", r.Error, r.Lost)
	}
	close(release)
	if r := <-first; !r.OK {
		t.Error(r.Error)
	}
	exchange(t, c.say, "return n", "1")
}

// TestSessionLateResult holds that the result of a call which outlived its run
// never reaches a call of the next.
func TestSessionLateResult(t *testing.T) {
	t.Parallel()
	c := converse(t)
	c.host.answer = func(ctx context.Context, call runtime.Call) runtime.Result {
		time.Sleep(10 * time.Millisecond)
		return runtime.Result{Value: call.Args}
	}
	for i := range 20 {
		if got := c.say("tools.echo({path: 'old'}); tools.echo({path: 'older'}); throw new Error('x')"); got != "script: x" {
			t.Fatal(got)
		}
		want := fmt.Sprintf("new %d", i)
		if got := c.say("return (await tools.echo({path: '" + want + "'})).path"); got != `"`+want+`"` {
			t.Fatal(got)
		}
	}
}

// TestSessionClosed holds that a closed session leaves nothing, and that its
// name can still be used.
func TestSessionClosed(t *testing.T) {
	t.Parallel()
	c := converse(t)
	c.say("let a = 1")
	c.session.Close()
	exchange(t, c.say, "return typeof a", `"undefined"`)
}

// TestSessionStaysSmall holds that a long session needs no more memory than a
// short one.
func TestSessionStaysSmall(t *testing.T) {
	if engine != nil {
		t.Skip("measures this process")
	}
	runs := 4000
	if testing.Short() {
		runs = 400
	}
	c := converse(t)
	var early, late uint64
	for i := range runs {
		source := fmt.Sprintf("const x = %d; function f() { return x }; await tools.echo({path: 'a' + f()}); new Array(100).fill(x)", i)
		if got := c.ask(source); !strings.HasPrefix(got, "[") {
			t.Fatal(got)
		}
		c.host.calls = nil
		switch i {
		case runs / 10:
			early = heap()
		case runs - 1:
			late = heap()
		}
	}
	if late > early+(4<<20) {
		t.Errorf("%d bytes after %d runs, %d after %d", early, runs/10, late, runs)
	}
}

func heap() uint64 {
	stdruntime.GC()
	stdruntime.GC()
	var m stdruntime.MemStats
	stdruntime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestIncomplete holds where a prompt asks for more lines.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	c := converse(t)
	for source, want := range map[string]bool{
		"function f() {": true, "[1,": true, "(": true, "`abc": true, "`abc ${x": true, "/* x": true,
		"if (x)": true, "const x =": true, "x.": true, "x =>": true, "a ? b :": true, "class A {": true,
		"const x: number =": true, "interface A {": true, "import {a": true, "import {\n  a,": true, "import x from": true,
		"{a: [1,": true, "try {}": true, "'abc\\": true, "let {a": true, "1 +": true, "it(`don't`,": true, "x.replace(/}/g,": true,
		"}": false, "f())": false, "foo bar": false, "'abc": false, "case 1:": false, "const = 1": false, "1": false, "": false,
		"const a = 1; const a = 2": false, "f(1]": false, "import {a} from 'path'": false, "throw new Error('x')": false,
	} {
		r := c.run(runtime.Script{Source: source, Interactive: true}, runtime.Options{})
		if r.Incomplete != want {
			t.Errorf("%q: incomplete %v, %v", source, r.Incomplete, r.Error)
		}
	}
}

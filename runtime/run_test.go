package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode/runtime"
)

// A fakeHost records calls and answers them with their own arguments.
type fakeHost struct {
	answer func(ctx context.Context, c runtime.Call) runtime.Result

	mu     sync.Mutex
	active int
	calls  []string // name and arguments, "!" before those with a done context
	kept   map[string]string
}

func (h *fakeHost) Tools() []runtime.Tool {
	var tools []runtime.Tool
	for _, name := range []string{"echo", "fail", "slow", "delete", "copy", "move"} {
		tools = append(tools, runtime.Tool{Name: name, Description: "The " + name + " tool."})
	}
	return tools
}

func (h *fakeHost) Call(ctx context.Context, c runtime.Call) runtime.Result {
	h.mu.Lock()
	h.active++
	if h.active > 1 {
		panic("two calls at once")
	}
	entry := c.Name + " " + string(c.Args)
	if c.Problem != "" {
		entry += " (" + c.Problem + ")"
	}
	if ctx.Err() != nil {
		entry = "!" + entry
	}
	h.calls = append(h.calls, entry)
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.active--
		h.mu.Unlock()
	}()
	if h.answer != nil {
		return h.answer(ctx, c)
	}
	switch {
	case ctx.Err() != nil:
		return failure("ABORTED", "stopped")
	case c.Problem != "":
		return failure("INVALID_ARGUMENTS", c.Problem)
	case c.Name == "fail":
		return failure("ENOENT", "there is no such file: caf\xe9")
	case c.Name == "slow":
		time.Sleep(30 * time.Millisecond)
	}
	return runtime.Result{Value: c.Args}
}

func failure(code, message string) runtime.Result {
	return runtime.Result{Err: &runtime.CallError{Message: message, Props: fmt.Appendf(nil, `{"code":%q,"effect":"not-applied","receipt":{"seq":1}}`, code)}}
}

func (h *fakeHost) Store(key string, value []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kept == nil {
		h.kept = map[string]string{}
	}
	h.kept[key] = string(value)
	return nil
}

func (h *fakeHost) Load(key string) ([]byte, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, ok := h.kept[key]
	return []byte(v), ok
}

func run(t *testing.T, source string) (runtime.Report, *fakeHost) {
	t.Helper()
	h := &fakeHost{}
	r := execute(context.Background(), runtime.Script{Source: source}, h, runtime.Options{Deadline: runtime.NewDeadline(20 * time.Second)})
	return r, h
}

// value runs a script that must succeed and returns its value.
func value(t *testing.T, source string) string {
	t.Helper()
	r, _ := run(t, source)
	if !r.OK {
		t.Fatalf("%s\nfailed: %s: %s\n%s", source, r.Error.Kind, r.Error.Message, r.Error.Stack)
	}
	return string(r.Value)
}

func texts(r runtime.Report) string {
	var lines []string
	for _, o := range r.Output {
		lines = append(lines, o.Text)
	}
	return strings.Join(lines, "\n")
}

func TestScriptsReturnAndAwait(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"return 1 + 1", `2`},
		{"", `null`},
		{"return await tools.echo({a: 1})", `{"a":1}`},
		{"const r = []; for (const n of [1,2,3]) r.push((await tools.echo({n})).n); return r", `[1,2,3]`},
		{"try { await tools.fail({}) } catch (e) { return [e instanceof Error, e instanceof OperationError, e.name, e.code, e.effect, e.receipt.seq] }",
			`[true,true,"OperationError","ENOENT","not-applied",1]`},
		{"return await Promise.allSettled([tools.fail({}), tools.echo({})]).then(r => r.map(x => x.status))", `["rejected","fulfilled"]`},
		{"await new Promise(r => setTimeout(r, 5)); return 'later'", `"later"`},
		{"#!/usr/bin/env codemode\nreturn 'hashbang'", `"hashbang"`},
		{"return 1 // comment at the end", `1`},
		{"return ALL_TOOLS.map(t => t.name)", `["echo","fail","slow","delete","copy","move"]`},
	} {
		if got := value(t, tt.source); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.source, got, tt.want)
		}
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct{ source, kind, message, stack string }{
		{"throw new Error('boom')", "script", "boom", "script.js:1:7"},
		{"\n  null.x", "script", "TypeError: Cannot read property 'x' of undefined", "script.js:2:"},
		{"throw 'text'", "script", "uncaught text", ""},
		{"await tools.fail({})", "script", "there is no such file: caf\xe9", "script.js:1:"},
		{"tools.fail({}); return 1", "script", "there is no such file: caf\xe9", "script.js:1:"},
		{"Promise.reject(new TypeError('lost'))", "script", "TypeError: lost", ""},
		{"await new Promise(() => {})", "script", "never happen", ""},
		{"setTimeout(() => { throw new Error('late') }, 1); await new Promise(r => setTimeout(r, 1000))", "script", "late", "script.js:1:"},
		{"let x = ;", "script", "Unexpected token ';' at script.js:1:9", ""},
		{"return 1\n}); (() => {", "script", "Unexpected token '}' at script.js:2:1", ""},
		{"if (1) {", "script", "Unexpected end", ""},
		{"function f() { f() } f()", "script", "Maximum call stack", "script.js:1:"},
	} {
		r, _ := run(t, tt.source)
		if r.OK || r.Error.Kind != tt.kind || !strings.Contains(r.Error.Message, tt.message) || !strings.Contains(r.Error.Stack, tt.stack) {
			t.Errorf("%s\n got %+v", tt.source, r.Error)
		}
		if string(r.Value) != "null" {
			t.Errorf("%s: value %s", tt.source, r.Value)
		}
	}
}

func TestStops(t *testing.T) {
	r := execute(context.Background(), runtime.Script{Source: "text('before'); for (;;) {}"}, &fakeHost{}, runtime.Options{Deadline: runtime.NewDeadline(50 * time.Millisecond)})
	if r.OK || r.Error.Kind != "timeout" || texts(r) != "before" || r.Duration > 300*time.Millisecond {
		t.Errorf("got %+v %+v", r, r.Error)
	}
	data, err := json.Marshal(r.Error)
	t.Logf("%s %v", data, err)
}

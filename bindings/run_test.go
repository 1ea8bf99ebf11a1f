package bindings_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/runtime"
)

// Calls are carried out in the order in which the script made them, however it
// awaits them.
func TestCallOrder(t *testing.T) {
	for _, tt := range []struct{ name, source, effects, left string }{
		{"copy, then delete, together", `await Promise.all([tools.copy({path: 'a', target: 'b'}), tools.delete({path: 'a'})])`,
			"1 copy applied, 2 delete applied", "b"},
		{"awaited in the other order", `const p = tools.move({path: 'a', target: 'b'}), q = tools.move({path: 'b', target: 'c'}); await q; await p`,
			"1 move applied, 2 move applied", "c"},
		{"not awaited", `tools.copy({path: 'a', target: 'b'}); tools.delete({path: 'a'}); return 1`,
			"1 copy applied, 2 delete applied", "b"},
		{"not awaited, made late", `Promise.resolve().then(() => tools.copy({path: 'a', target: 'b'})); return 1`,
			"1 copy applied", "a b"},
		{"from a timer", `setTimeout(() => tools.delete({path: 'a'}), 5); await tools.copy({path: 'a', target: 'b'}); await new Promise(r => setTimeout(r, 20))`,
			"1 copy applied, 2 delete applied", "b"},
		{"exit finishes calls already made", `tools.copy({path: 'a', target: 'b'}); exit(); tools.delete({path: 'a'})`,
			"1 copy applied", "a b"},
		{"the loser of a race still runs", `await Promise.race([tools.copy({path: 'a', target: 'b'}), tools.delete({path: 'a'})])`,
			"1 copy applied, 2 delete applied", "b"},
		{"a handled refusal stops nothing", `await tools.delete({path: 'no'}).catch(() => {}); await tools.delete({path: 'a'})`,
			"1 delete not-applied ENOENT, 2 delete applied", ""},
		{"allSettled", `await Promise.allSettled([tools.delete({path: 'no'}), tools.delete({path: 'a'})])`,
			"1 delete not-applied ENOENT, 2 delete applied", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, dir := newSession(t)
			write(t, dir, "a")
			r := run(t, s, tt.source)
			if !r.OK || effects(r) != tt.effects || names(t, dir) != tt.left {
				t.Errorf("%s; left %q; %v\nwant %s; left %q", effects(r), names(t, dir), r.Error, tt.effects, tt.left)
			}
		})
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

// What a script that fails had not begun is not begun any more, and recorded.
func TestFailureAbortsWhatWaits(t *testing.T) {
	for _, tt := range []struct{ name, source, effects, left, message string }{
		{"throw in the same turn", `tools.delete({path: 'a'}); tools.delete({path: 'b'}); throw new Error('changed my mind')`,
			"1 delete not-applied ABORTED, 2 delete not-applied ABORTED", "a b c", "changed my mind"},
		{"throw after the first", `tools.delete({path: 'a'}).then(() => { throw new Error('after a') }); await tools.delete({path: 'b'}); await new Promise(r => setTimeout(r, 50)); tools.delete({path: 'c'})`,
			"", "", "after a"},
		{"unhandled failure of an earlier call", `tools.delete({path: 'no'}); tools.delete({path: 'a'}); return 1`,
			"", "", "no does not exist"},
		{"TypeError", `tools.delete({path: 'a'}); null.x`, "1 delete not-applied ABORTED", "a b c", "Cannot read property 'x'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, dir := newSession(t)
			write(t, dir, "a", "b", "c")
			r := run(t, s, tt.source)
			if r.OK || r.Error.Kind != "script" || !strings.Contains(r.Error.Message, tt.message) {
				t.Errorf("got %+v", r.Error)
			}
			if tt.effects != "" && (effects(r) != tt.effects || names(t, dir) != tt.left) {
				t.Errorf("%s; left %q\nwant %s; left %q", effects(r), names(t, dir), tt.effects, tt.left)
			}
			// Whatever was dispatched, the report tells the truth about it.
			for _, op := range r.Operations {
				if name := filepath.Base(string(op.Path)); name != "no" && exists(dir, name) == (op.Effect == ops.Applied) {
					t.Errorf("%s is reported %s", op.Path, op.Effect)
				}
			}
		})
	}
}

// A session may serve several scripts: each report has its own receipts, and
// the numbers go on.
func TestSeveralRunsOfOneSession(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "a", "b")
	store := &bindings.Store{}
	first := bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{Source: `store('k', {n: [1, 'caf\udce9']}); await tools.delete({path: 'a'})`}, Store: store})
	second := bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{Source: `await tools.delete({path: 'b'}); return [load('k').n[1] === 'caf\udce9', load('other')]`}, Store: store})
	if effects(first) != "1 delete applied" || effects(second) != "2 delete applied" {
		t.Errorf("got %s and %s", effects(first), effects(second))
	}
	want(t, second, `[true,null]`)
	want(t, run(t, s, `return load('k') === undefined`), `true`)
}

// Also when they run at once, as in one MCP connection.
func TestRunsOfOneSessionAtOnce(t *testing.T) {
	s, dir := newSession(t)
	const runs, calls = 4, 15
	reports := make(chan bindings.Report, runs)
	for n := range runs {
		for i := range calls {
			write(t, dir, fmt.Sprintf("%d/%d", n, i))
		}
		go func() {
			reports <- bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{
				Args: []string{strconv.Itoa(n)}, Source: fmt.Sprintf(`for (let i = 0; i < %d; i++) await tools.move({path: args[0] + '/' + i, target: args[0] + '/moved/' + i}); return args[0]`, calls)}})
		}()
	}
	seen := map[int]bool{}
	for range runs {
		r := <-reports
		if !r.OK || len(r.Operations) != calls {
			t.Errorf("%v: %s", r.Error, effects(r))
		}
		for _, op := range r.Operations {
			var own string
			if json.Unmarshal(r.Value, &own); !strings.HasPrefix(string(op.Path), dir+"/"+own+"/") || seen[op.Seq] {
				t.Errorf("run %s has the receipt %d of %s", own, op.Seq, op.Path)
			}
			seen[op.Seq] = true
		}
	}
}

func TestOwnResultsAreKept(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "a", "b")
	r := run(t, s, `for (const path of ['a', 'b']) await tools.move({path, target: 'folder'})`)
	if r.OK || effects(r) != "1 move applied, 2 move not-applied OVERWRITES_OWN_RESULT" || !exists(dir, "b") {
		t.Errorf("got %s", effects(r))
	}
}

func TestOutputAndExit(t *testing.T) {
	s, _ := newSession(t)
	var live []string
	r := bindings.Run(context.Background(), s, bindings.Options{
		Script:   runtime.Script{Source: `console.log('a', {b: 1}); text({c: [2]}); console.error('d'); image('iVBORw0KGgo='); exit(); text('never')`, Args: nil},
		OnOutput: func(o runtime.Output) { live = append(live, o.Type+o.Stream) },
	})
	data, err := json.Marshal(r.Output)
	if err != nil {
		t.Fatal(err)
	}
	const output = `[{"type":"text","text":"a { b: 1 }","stream":"stdout"},{"type":"text","text":"{\"c\":[2]}"},` +
		`{"type":"text","text":"d","stream":"stderr"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]`
	if !r.OK || string(data) != output || string(r.Value) != "null" {
		t.Errorf("got %s %s %v\nwant %s", data, r.Value, r.Error, output)
	}
	if strings.Join(live, " ") != "textstdout text textstderr image" {
		t.Errorf("seen while it ran: %v", live)
	}
}

func TestReportJSON(t *testing.T) {
	s, _ := newSession(t)
	r := run(t, s, ``)
	r.DurationMs = 1.5
	data, err := json.Marshal(r)
	if err != nil || string(data) != `{"ok":true,"runId":"r1","value":null,"output":[],"operations":[],"error":null,"durationMs":1.5}` {
		t.Errorf("got %s %v", data, err)
	}
	r = run(t, s, "\n  throw new Error('caf\\udce9')")
	r.DurationMs = 0
	data, err = json.Marshal(r)
	if err != nil || !strings.HasPrefix(string(data), `{"ok":false,"runId":"r1","value":null,"output":[],"operations":[],"error":{"kind":"script","message":"caf\udce9","stack":"    at script.js:2:`) {
		t.Errorf("got %s %v", data, err)
	}
}

func TestArgs(t *testing.T) {
	s, _ := newSession(t)
	r := bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{Source: `return args`, Args: []string{"a", "\xff"}}})
	want(t, r, `["a","\udcff"]`)
}

// What a script asks for in its options line only lowers what the host allows.
func TestOptionsLine(t *testing.T) {
	s, _ := newSession(t)
	line := func(options, body string) runtime.Script {
		return runtime.Script{Source: "// @options: " + options + "\n" + body}
	}
	const forever = `await new Promise(r => setTimeout(r, 20_000))`
	const chatter = `for (let i = 0; i < 1000; i++) text('0123456789')`
	ms := time.Millisecond
	for _, tt := range []struct {
		name    string
		o       bindings.Options
		timeout time.Duration // 0: not stopped
		output  int           // at most
	}{
		{"lowers the timeout", bindings.Options{Script: line(`{"timeout_ms": 60}`, forever), Timeout: time.Minute}, 60 * ms, 0},
		{"does not raise it", bindings.Options{Script: line(`{"timeout_ms": 60000}`, forever), Timeout: 60 * ms}, 60 * ms, 0},
		{"sets one where the host has none", bindings.Options{Script: line(`{"timeout_ms": 60}`, forever)}, 60 * ms, 0},
		{"lowers the host's deadline", bindings.Options{Script: line(`{"timeout_ms": 60}`, forever), Timeout: time.Minute, Deadline: runtime.NewDeadline(time.Minute)}, 60 * ms, 0},
		{"does not raise the host's deadline", bindings.Options{Script: line(`{"timeout_ms": 60000}`, forever), Timeout: 60 * ms, Deadline: runtime.NewDeadline(60 * ms)}, 60 * ms, 0},
		{"does not replace a deadline of unknown length", bindings.Options{Script: line(`{"timeout_ms": 60000}`, forever), Deadline: runtime.NewDeadline(60 * ms)}, 60 * ms, 0},
		{"lowers the output", bindings.Options{Script: line(`{"max_output_tokens": 100}`, chatter)}, 0, 400},
		{"does not raise the output", bindings.Options{Script: line(`{"max_output_tokens": 100000}`, chatter), MaxOutput: 400}, 0, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			r := bindings.Run(context.Background(), s, tt.o)
			if tt.timeout > 0 {
				if r.OK || r.Error.Kind != "timeout" || time.Since(start) < tt.timeout || time.Since(start) > 10*time.Second {
					t.Errorf("got %+v after %v", r.Error, time.Since(start))
				}
				return
			}
			size := 0
			for _, o := range r.Output {
				size += len(o.Text)
			}
			if !r.OK || size > tt.output+100 {
				t.Errorf("%d bytes of output were kept; %v", size, r.Error)
			}
		})
	}
	r := bindings.Run(context.Background(), s, bindings.Options{Script: line(`{"timeout": 5}`, "")})
	if r.OK || r.Error.Kind != "script" || !strings.Contains(r.Error.Message, "unknown option") {
		t.Errorf("a malformed line: %+v", r.Error)
	}
}

package runtime_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// soon is how long after a stop a report may come.
func soon() time.Duration {
	if raceEnabled {
		return time.Second
	}
	return 250 * time.Millisecond
}

func TestStopWhereverTheScriptIs(t *testing.T) {
	for _, source := range []string{
		"for (;;) {}",
		"for (;;) await null",
		"for (;;) await tools.echo({})",
		"await new Promise(r => setTimeout(r, 60000))",
		"setInterval(() => {}, 1); await new Promise(() => {})",
		"try { for (;;) {} } catch (e) { for (;;) {} } finally { for (;;) {} }",
		"const loop = () => queueMicrotask(loop); loop(); await new Promise(() => {})",
		"return {toJSON() { for (;;) {} }}",
		"throw Object.assign(new Error(), {get message() { for (;;) {} }})",
		"const e = new Error('x'); Object.defineProperty(e, 'stack', {get() { for (;;) {} }}); throw e",
		"text({get x() { for (;;) {} }})",
	} {
		for _, how := range []string{"deadline", "cancel"} {
			// On a busy machine a child may not have begun after the first of these.
			for _, after := range []time.Duration{50 * time.Millisecond, 250 * time.Millisecond, 2 * time.Second} {
				ctx, cancel := context.WithCancel(context.Background())
				o, kind := runtime.Options{}, "aborted"
				if how == "deadline" {
					o.Deadline, kind = runtime.NewDeadline(after), "timeout"
				} else {
					time.AfterFunc(after, cancel)
				}
				r := execute(ctx, runtime.Script{Source: "text('before');" + source}, &fakeHost{}, o)
				cancel()
				if !r.OK && r.Error.Kind == kind && len(r.Output) == 1 && r.Duration <= after+soon() {
					break
				}
				t.Logf("%s by %s after %v: %v %+v", source, how, after, r.Duration, r.Error)
				if after == 2*time.Second {
					t.Errorf("%s by %s: it does not stop as it should", source, how)
				}
			}
		}
	}
}

func TestCancelledBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	h := &fakeHost{}
	if r := execute(ctx, runtime.Script{Source: "tools.echo(1)"}, h, runtime.Options{}); r.OK || r.Error.Kind != "aborted" || len(h.calls) > 0 {
		t.Errorf("%+v %q", r.Error, h.calls)
	}
}

// TestStopDuringACall: the call in flight is cancelled and waited for, those
// that wait are only recorded, and the stop counts.
func TestStopDuringACall(t *testing.T) {
	h := &fakeHost{}
	h.answer = func(ctx context.Context, c runtime.Call) runtime.Result {
		if c.Name == "slow" {
			<-ctx.Done()
			time.Sleep(300 * time.Millisecond) // what was begun is finished
		}
		return runtime.Result{Value: c.Args}
	}
	r := execute(context.Background(), runtime.Script{Source: "tools.slow(1); tools.echo(2); await tools.echo(3); await tools.echo(4)"}, h,
		runtime.Options{Deadline: runtime.NewDeadline(30 * time.Millisecond)})
	if got := strings.Join(h.calls, ", "); got != "slow 1, !echo 2, !echo 3" || r.Error == nil || r.Error.Kind != "timeout" || r.Duration < 330*time.Millisecond {
		t.Errorf("%s, %v, %+v", got, r.Duration, r.Error)
	}
}

// TestAbandon: the second interrupt no longer waits for the call in flight.
func TestAbandon(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	h := &fakeHost{answer: func(context.Context, runtime.Call) runtime.Result {
		<-release
		return runtime.Result{}
	}}
	ctx, cancel := context.WithCancel(context.Background())
	abandon := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, cancel)
	time.AfterFunc(60*time.Millisecond, func() { close(abandon) })
	r := execute(ctx, runtime.Script{Source: "tools.slow(1); await tools.echo(2)"}, h, runtime.Options{Abandon: abandon})
	if r.Error == nil || r.Error.Kind != "aborted" || r.Duration > 60*time.Millisecond+soon() {
		t.Errorf("%v %+v", r.Duration, r.Error)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.calls) != 1 {
		t.Errorf("calls: %q", h.calls)
	}
}

func TestDeadlineStandsStillWhilePaused(t *testing.T) {
	d := runtime.NewDeadline(80 * time.Millisecond)
	h := &fakeHost{answer: func(ctx context.Context, c runtime.Call) runtime.Result {
		d.Pause()
		d.Pause()
		defer d.Resume()
		defer d.Resume()
		time.Sleep(200 * time.Millisecond) // a person thinks
		if ctx.Err() != nil {
			t.Error("the call was cancelled")
		}
		return runtime.Result{Value: c.Args}
	}}
	r := execute(context.Background(), runtime.Script{Source: "return await tools.echo('asked')"}, h, runtime.Options{Deadline: d})
	if !r.OK || string(r.Value) != `"asked"` {
		t.Errorf("%+v", r.Error)
	}
	d = runtime.NewDeadline(50 * time.Millisecond)
	d.Pause()
	time.AfterFunc(100*time.Millisecond, d.Resume)
	r = execute(context.Background(), runtime.Script{Source: "for (;;) {}"}, h, runtime.Options{Deadline: d})
	if r.OK || r.Error.Kind != "timeout" || r.Duration < 150*time.Millisecond {
		t.Errorf("%v %+v", r.Duration, r.Error)
	}
}

func TestMemoryLimit(t *testing.T) {
	r := execute(context.Background(), runtime.Script{Source: "const a = []; for (;;) a.push('x'.repeat(1000) + a.length)"}, &fakeHost{},
		runtime.Options{Memory: 64 << 20, Deadline: runtime.NewDeadline(30 * time.Second)})
	if r.OK || r.Error.Kind != "memory" {
		t.Errorf("%v %+v", r.Duration, r.Error)
	}
	r = execute(context.Background(), runtime.Script{Source: "for (let i = 0; i < 300; i++) 'x'.repeat(1e6) + i"}, &fakeHost{}, runtime.Options{Memory: 64 << 20})
	if !r.OK {
		t.Errorf("garbage was counted: %+v", r.Error)
	}
}

func TestOutputIsBounded(t *testing.T) {
	r := execute(context.Background(), runtime.Script{Source: "for (let i = 0; i < 5000; i++) console.log('line ' + i + ' é')"}, &fakeHost{}, runtime.Options{MaxOutput: 1000})
	got := texts(r)
	if !r.OK || len(got) > 1200 || !strings.HasPrefix(got, "line 0 é\nline 1 é") || !strings.HasSuffix(got, "\nline 4999 é") || !strings.Contains(got, "bytes of output left out") || strings.Contains(got, "\ufffd") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	r = execute(context.Background(), runtime.Script{Source: "// @options: {\"max_output_tokens\": 100}\ntext('<' + 'é'.repeat(10000) + '>'); return 'on'"}, &fakeHost{}, runtime.Options{})
	got = texts(r)
	if !r.OK || len(got) > 500 || !strings.HasPrefix(got, "<é") || !strings.HasSuffix(got, "é>") || strings.Contains(got, "\ufffd") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	r = execute(context.Background(), runtime.Script{Source: "const s = 'x'.repeat(1 << 20); for (;;) text(s)"}, &fakeHost{}, runtime.Options{Deadline: runtime.NewDeadline(20 * time.Second)})
	if r.OK || r.Error.Kind != "output" {
		t.Errorf("flood: %+v", r.Error)
	}
	r = execute(context.Background(), runtime.Script{Source: "for (;;) text('')"}, &fakeHost{}, runtime.Options{Deadline: runtime.NewDeadline(20 * time.Second)})
	if r.OK || r.Error.Kind != "output" || len(r.Output) > defaultPieces {
		t.Errorf("flood of nothing: %d %+v", len(r.Output), r.Error)
	}
	r = execute(context.Background(), runtime.Script{Source: "return 'x'.repeat(5 << 20)"}, &fakeHost{}, runtime.Options{})
	if r.OK || r.Error.Kind != "output" || !strings.Contains(r.Error.Message, "4194304") {
		t.Errorf("large value: %+v", r.Error)
	}
}

const defaultPieces = 2<<16 + 10

func TestStreaming(t *testing.T) {
	var seen []string
	execute(context.Background(), runtime.Script{Source: "console.log('a'); console.error('b'); text('c')"}, &fakeHost{}, runtime.Options{
		OnOutput: func(o runtime.Output) { seen = append(seen, o.Stream+":"+o.Text) },
	})
	if got := strings.Join(seen, " "); got != "stdout:a stderr:b :c" {
		t.Errorf("got %s", got)
	}
}

func TestLargeSource(t *testing.T) {
	r, _ := run(t, "//"+strings.Repeat("x", runtime.MaxSource))
	if r.OK || r.Error.Kind != "script" || !strings.Contains(r.Error.Message, "1048576") {
		t.Errorf("%+v", r.Error)
	}
}

func TestOptionsLine(t *testing.T) {
	for source, want := range map[string]runtime.ScriptOptions{
		"return 1":                               {},
		"// @optional: x":                        {},
		"// @options: {\"timeout_ms\": 1500}\nx": {Timeout: 1500 * time.Millisecond},
		"//@options:{\"max_output_tokens\":10,\"timeout_ms\":1}": {Timeout: time.Millisecond, MaxOutputTokens: 10},
		"\ufeff// @options: {}\r\nx":                             {},
		"x // @options: {\"timeout_ms\": 1}":                     {},
		"\n// @options: {\"timeout_ms\": 1}":                     {},
	} {
		got, err := runtime.ParseOptionsLine(source)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", source, got, err)
		}
	}
	for _, source := range []string{
		`// @options: {"timeout": 1}`, `// @options: {"timeout_ms": "1"}`, `// @options: {"timeout_ms": 0}`, `// @options: {"timeout_ms": -1}`,
		`// @options: {"timeout_ms": 1.5}`, `// @options: {"timeout_ms": 1e9}`, `// @options: []`, `// @options: {`, `// @options {}`, `// @options: {"timeout_ms":1,"timeout_ms":2}`, `// @options: null`, `// @options:`,
	} {
		if got, err := runtime.ParseOptionsLine(source); err == nil {
			t.Errorf("%s was read as %+v", source, got)
		}
		if r, _ := run(t, source); r.OK || !strings.Contains(r.Error.Message, "options line") {
			t.Errorf("%s ran: %+v", source, r.Error)
		}
	}
	r := execute(context.Background(), runtime.Script{Source: "// @options: {\"timeout_ms\": 20}\nfor (;;) {}"}, &fakeHost{}, runtime.Options{})
	if r.OK || r.Error.Kind != "timeout" {
		t.Errorf("%+v", r.Error)
	}
}

func TestReturnedValues(t *testing.T) {
	for _, tt := range []struct{ value, want string }{
		{"undefined", `null`}, {"() => 1", `null`}, {"Symbol()", `null`}, {"NaN", `null`}, {"-0", `0`}, {"1e21", `1e+21`},
		{"12345678901234567890n", `"12345678901234567890"`},
		{"{a: undefined, b() {}, c: [undefined, () => 1], d: Symbol()}", `{"c":[null,null]}`},
		{"new Date(0)", `"1970-01-01T00:00:00.000Z"`}, {"new Date(NaN)", `null`},
		{"new Map([['a', {b: 1}]])", `[["a",{"b":1}]]`}, {"new Set([1, 'x'])", `[1,"x"]`},
		{"new Uint8Array([1, 2])", `[1,2]`}, {"/a\\/b/g", `"/a\\/b/g"`},
		{"new TypeError('bad')", `{"name":"TypeError","message":"bad"}`},
		{"Object.assign(new Error('e'), {code: 'X'})", `{"name":"Error","message":"e","code":"X"}`},
		{"(() => { const o = {a: []}; o.a.push(o); return o })()", `{"a":["[Circular]"]}`},
		{"(() => { const s = {}; return [s, s] })()", `[{},{}]`},
		{"{toJSON(k) { return 'json' + k }}", `"json"`}, {"{x: {toJSON(k) { return k }}}", `{"x":"x"}`},
		{"Object(1)", `1`}, {"Object('s')", `"s"`}, {"Object(false)", `false`},
		{"[new Promise(() => {})]", `["[Promise]"]`},
		{"new Proxy({a: 1}, {get: () => 2})", `{"a":2}`},
		{"{get a() { return 1 }}", `{"a":1}`},
		{"'caf\\udce9 \\ud800 😀'", `"caf\udce9 ` + "\ufffd" + ` 😀"`},
		{"{'\\udcff': 1, '\\ud800': 2}", `{"\udcff":1,"` + "\ufffd" + `":2}`},
		{"{'\\ud800': 1, '\\ud801': 2}", `{"` + "\ufffd" + `":1}`},
		{"[1, , 3]", `[1,null,3]`}, {"Object.create({inherited: 1})", `{}`},
		{"'\\u2028</script>'", `"\u2028</script>"`},
	} {
		got := value(t, "return "+tt.value)
		if got != tt.want || !json.Valid([]byte(got)) {
			t.Errorf("return %s\n got %s\nwant %s", tt.value, got, tt.want)
		}
	}
	deep := value(t, "let v = []; for (let i = 0; i < 5000; i++) v = [v]; return v")
	if !strings.Contains(deep, "nested too deep") {
		t.Errorf("deep: %s", deep)
	}
	if r, _ := run(t, "return {get a() { throw new Error('no') }}"); r.OK || r.Error.Message != "no" {
		t.Errorf("%+v", r.Error)
	}
	if r, _ := run(t, "const a = []; a.length = 2**32 - 1; return a"); r.OK || r.Error.Kind != "output" {
		t.Errorf("%+v", r.Error)
	}
}

func TestOutputForms(t *testing.T) {
	r, _ := run(t, `
		text('caf\udce9'); text({a: [1]}); text(undefined); text(5n); text(new Map([[1, 2]]))
		image('iVBORw0KGgo='); image('data:image/webp;base64,AAAA'); image({data: '/9j/AAAA', mimeType: 'image/jpeg'})`)
	data, err := json.Marshal(r.Output)
	want := `[{"type":"text","text":"caf\udce9"},{"type":"text","text":"{\"a\":[1]}"},{"type":"text","text":"undefined"},{"type":"text","text":"5n"},{"type":"text","text":"Map(1) { 1 =\u003e 2 }"},` +
		`{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},{"type":"image","data":"AAAA","mimeType":"image/webp"},{"type":"image","data":"/9j/AAAA","mimeType":"image/jpeg"}]`
	if err != nil || string(data) != want {
		t.Errorf("got %s, %v\nwant %s", data, err, want)
	}
	for _, bad := range []string{"", "5", "'text'", "'data:text/html;base64,AAAA'", "'iVBORw0KGgo*'", "{data: 5}", "new Proxy({}, {})", "'data:image/png,raw'"} {
		if r, _ := run(t, "image("+bad+")"); r.OK || !strings.Contains(r.Error.Message, "TypeError: image: ") {
			t.Errorf("image(%s): %+v", bad, r.Error)
		}
	}
}

func TestStoreAndLoad(t *testing.T) {
	h := &fakeHost{}
	r := execute(context.Background(), runtime.Script{Source: "store('k', {n: ['caf\\udce9']}); store('u'); return [load('k'), load('u'), load('none') === undefined]"}, h, runtime.Options{})
	if want := `[{"n":["caf\udce9"]},null,true]`; string(r.Value) != want || h.kept["k"] != `{"n":["caf\udce9"]}` {
		t.Errorf("got %s, kept %q: %+v", r.Value, h.kept, r.Error)
	}
	for _, bad := range []string{"store(5, 1)", "store('k', () => 1)", "store('\\ud800', 1)", "load()", "store('k', new Proxy({}, {}))", "store('k', {a: {b: 1n}})"} {
		if r, _ := run(t, bad); r.OK || !strings.HasPrefix(r.Error.Message, "TypeError: ") {
			t.Errorf("%s: %+v", bad, r.Error)
		}
	}
}

func TestTimers(t *testing.T) {
	got := value(t, `
		const log = []
		setTimeout(() => log.push('b'), 5); setTimeout(() => log.push('c'), 5); setTimeout((x, y) => log.push('a' + x + y), 1, 1, 2)
		setTimeout(() => log.push('never'), 60000); const gone = setTimeout(() => log.push('gone'), 2); clearTimeout(gone); clearTimeout(gone); clearTimeout({}); clearTimeout()
		let n = 0; const every = setInterval(() => { if (++n === 3) { clearInterval(every); log.push('i' + n) } }, 1)
		queueMicrotask(() => log.push('micro')); setImmediate(() => log.push('now')); log.push('sync')
		await new Promise(r => setTimeout(r, 40))
		return log`)
	if want := `["sync","micro","now","a12","b","c","i3"]`; got != want && got != `["sync","micro","now","a12","i3","b","c"]` {
		t.Errorf("got %s", got)
	}
	equal := value(t, "const log = []; for (let i = 0; i < 200; i++) setTimeout(() => log.push(i), 3); await new Promise(r => setTimeout(r, 20)); return log.every((v, i) => v === i) && log.length")
	if equal != "200" {
		t.Errorf("equal delays: %s", equal)
	}
	for _, bad := range []string{"setTimeout('code', 1)", "setTimeout()", "queueMicrotask()", "for (;;) setTimeout(() => {}, 1000)"} {
		if r, _ := run(t, bad); r.OK || !strings.HasPrefix(r.Error.Message, "TypeError: ") {
			t.Errorf("%s: %+v", bad, r.Error)
		}
	}
	for _, delay := range []string{"NaN", "-5", "2**53", "'2'", "undefined", "Infinity"} {
		value(t, "await new Promise(r => setTimeout(r, "+delay+"))")
	}
}

func TestRegularExpressionsDoNotGiveUp(t *testing.T) {
	if got := value(t, `return ('begin' + 'b'.repeat(300000) + 'end').match(/begin((?:(?!end)[\s\S])*)end/)?.[1].length`); got != "300000" {
		t.Errorf("got %s", got)
	}
}

package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings"
	"codemode/bindings/mcp"
	"codemode/ops"
)

// TestNamesThatAreNotUTF8 holds that such a name passes both ways, exactly, and
// is never turned into another.
func TestNamesThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	w := worldOf(t, `mkdir proj; cd proj; printf 1 > "$(printf 'caf\351')"; printf 2 > "$(printf 'caf\375')"`)
	p := connect(t, w, setting{})
	p.call(t, "list", `{"path":"."}`)
	var l ops.Listing
	p.structured(t, &l)
	if len(l.Entries) != 3 || l.Entries[1].Name != "caf\xe9" || l.Entries[2].Name != "caf\xfd" {
		t.Errorf("listed %+v", l.Entries)
	}
	if raw := p.tap.result(t); !bytes.Contains(raw, []byte(`"caf\udce9"`)) || bytes.Contains(raw, []byte("\uFFFD")) || !utf8.Valid(raw) {
		t.Errorf("the bytes are %s", raw)
	}
	r := p.receipt(t, ops.Move, `{"path":"caf\udce9","target":"caf\udcff"}`)
	if !r.OK || string(r.Target) != w.W+"/proj/caf\xff" {
		t.Errorf("%+v %v", r, r.Error)
	}
	rep, res := p.run(t, `{"code":"const { matches } = await tools.glob({pattern: 'caf*'}); await tools.delete({path: 'caf\\udcff'}); text(matches[1]); return matches"}`)
	if !rep.OK || !bytes.Contains(rep.Value, []byte(`"caf\udcff"`)) || !strings.Contains(text(res), `caf\xff`) {
		t.Errorf("%s %+v\n%s", rep.Value, rep.Error, text(res))
	}
	for _, args := range []string{`{"path":"caf\ud800"}`, `{"path":"caf\udc00"}`, "{\"path\":\"caf\xfd\"}"} {
		if r := p.receipt(t, ops.Delete, args); r.Error == nil || r.Error.Code != ops.InvalidArguments {
			t.Errorf("%q: %+v", args, r.Error)
		}
	}
	w.Check(t, `test "$(ls proj)" = "$(printf 'caf\375')"`)
}

// TestArgumentsAreJudgedOnce holds that what no schema lets pass still comes to
// the strict decoder, and its refusal is a receipt like any other.
func TestArgumentsAreJudgedOnce(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj; printf a > proj/a"), setting{})
	var receipts []ops.Receipt
	for _, args := range []string{
		`{}`, `{"path":""}`, `{"path":7}`, `{"path":null}`, `{"path":["a"]}`, `{"path":"a","force":true}`, `{"path":"a","path":"a"}`, `{"Path":"a"}`,
		`{"path":"a\u0000b"}`, `{"path":{"path":"a"}}`, `["a"]`, `"a"`,
	} {
		r := p.receipt(t, ops.Delete, args)
		if r.Error == nil || r.Error.Code != ops.InvalidArguments || r.Effect != ops.NotApplied {
			t.Errorf("%s: %+v", args, r.Error)
		}
		receipts = append(receipts, r)
	}
	p.sameAsLogged(t, receipts)
}

// TestResultsHaveTheirSchema holds every tool's results, good and bad, to the
// schema in the list and, if good, to the full one of package bindings.
func TestResultsHaveTheirSchema(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir -p proj/d; printf 'a\nb\n' > proj/a; printf '\\377' > proj/bin; ln -s a proj/l; mkfifo proj/pipe"), setting{})
	list, err := p.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Resolved{}
	resolve := func(data []byte) *jsonschema.Resolved {
		var s jsonschema.Schema
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		return resolved
	}
	for _, tool := range list.Tools {
		data, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		schemas[tool.Name] = resolve(data)
	}
	for _, call := range []struct {
		tool, args string
		ok         bool
	}{
		{"list", `{"path":".","recursive":true}`, true}, {"list", `{"path":"a"}`, false}, {"stat", `{"path":"l"}`, true}, {"stat", `{"path":"gone"}`, false},
		{"read", `{"path":"a"}`, true}, {"read", `{"path":"bin"}`, true}, {"read", `{"path":"a","limit":1}`, true}, {"read", `{"path":"d"}`, false}, {"read", `{}`, false},
		{"glob", `{"pattern":"*"}`, true}, {"glob", `{"pattern":""}`, false}, {"search", `{"pattern":"a"}`, true}, {"search", `{"pattern":"[","regex":true}`, false},
		{"copy", `{"path":"a","target":"c"}`, true}, {"move", `{"src":"c","dst":"e"}`, true}, {"delete", `{"path":"gone"}`, false}, {"copy", `{"path":"pipe","target":"q"}`, false},
		{"codemode", `{"code":"return [1, null]"}`, true}, {"codemode", `{"code":"throw 1"}`, false}, {"codemode", `{"code":"await tools.delete({path: 'e'})"}`, true},
	} {
		r := p.call(t, call.tool, call.args)
		var got map[string]any
		p.structured(t, &got)
		if r.IsError == call.ok || text(r) == "" {
			t.Errorf("%s %s: isError %t, %s", call.tool, call.args, r.IsError, text(r))
		}
		if err := schemas[call.tool].Validate(got); err != nil {
			t.Errorf("%s %s: %v", call.tool, call.args, err)
		}
		full, known := bindings.ResultSchema(call.tool)
		if call.tool == "codemode" {
			full, known = bindings.Schema("report")
		}
		isQuery := call.tool != "codemode" && !known
		if (call.ok || !isQuery && got["error"] == nil) && known {
			if err := resolve(full).Validate(got); err != nil {
				t.Errorf("%s %s: not what it is elsewhere: %v", call.tool, call.args, err)
			}
		}
	}
}

// TestQueriesInWords holds the texts of the reading tools.
func TestQueriesInWords(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir -p proj/d; printf 'one\ntwo\n' > proj/a; ln -s a proj/l; printf x > 'proj/ b'"), setting{})
	for _, tt := range []struct{ tool, args, want string }{
		{"list", `{"path":"."}`, "\" b\"  1 byte\n.git/\na  8 bytes\nd/\nl -> a\n"},
		{"stat", `{"path":"d"}`, "d/"},
		{"read", `{"path":"a"}`, "one\ntwo\n"},
		{"read", `{"path":"a","limit":3}`, "one\n[truncated: the file has 8 bytes]"},
		{"glob", `{"pattern":"[a-d]"}`, "a\nd\n"},
		{"glob", `{"pattern":"zzz"}`, "nothing\n"},
		{"search", `{"pattern":"two"}`, "a:2:1: two\n"},
		{"search", `{"pattern":"o","limit":1}`, "a:1:1: one\n[truncated: there is more]\n"},
		{"stat", `{"path":"gone"}`, "stat failed: ENOENT: "},
	} {
		if got := strings.TrimSuffix(text(p.call(t, tt.tool, tt.args)), "\n"); got != tt.want && !(strings.HasSuffix(tt.want, ": ") && strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s %s: %q, want %q", tt.tool, tt.args, got, tt.want)
		}
	}
}

// TestLargeResults holds that results are bounded, that what is cut says so, and
// that what was done is always told.
func TestLargeResults(t *testing.T) {
	t.Parallel()
	w := worldOf(t, `mkdir -p proj/many; cd proj; head -c 3000000 /dev/zero | tr '\0' 'x' > big; head -c 1000000 /dev/zero > zeros; cd many; for i in $(seq 1 3000); do : > "a-rather-long-name-of-a-file-number-$i"; done`)
	p := connect(t, w, setting{})
	bounded := func(r *sdk.CallToolResult, most int) {
		t.Helper()
		if n := len(p.tap.result(t)); n > most+2*mcp.MaxText {
			t.Errorf("the result has %d bytes", n)
		}
		if n := len(text(r)); n > mcp.MaxText+200 {
			t.Errorf("the text has %d bytes", n)
		}
	}
	for _, path := range []string{"big", "zeros"} {
		r := p.call(t, "read", `{"path":"`+path+`"}`)
		bounded(r, mcp.MaxStructured)
		var c ops.Content
		p.structured(t, &c)
		if !c.Truncated || c.Size < 1_000_000 || !strings.Contains(text(r), "offset and limit") || !strings.Contains(text(r), "left out here") {
			t.Errorf("%s: truncated %t, size %d: …%s", path, c.Truncated, c.Size, text(r)[len(text(r))-200:])
		}
	}
	for tool, args := range map[string]string{"list": `{"path":"many"}`, "glob": `{"pattern":"many/*"}`} {
		r := p.call(t, tool, args)
		bounded(r, mcp.MaxStructured)
		var l struct {
			Entries, Matches []any
			Truncated        bool
		}
		p.structured(t, &l)
		if n := len(l.Entries) + len(l.Matches); tool == "list" && (n < 500 || n > 2999 || !l.Truncated) {
			t.Errorf("%s: %d entries, truncated %t", tool, n, l.Truncated)
		}
	}
	rep, r := p.run(t, code(`await tools.delete({path: "zeros"}); return "x".repeat(2000000)`, ""))
	bounded(r, mcp.MaxStructured)
	if !rep.OK || string(rep.Value) != "null" || len(rep.Operations) != 1 || !strings.Contains(text(r), "the value is left out, since it has 1.9 MiB") {
		t.Errorf("%s, %d operations: %s", rep.Value, len(rep.Operations), text(r))
	}
	rep, r = p.run(t, code(`for (let i = 0; i < 5000; i++) console.log("line", i, "x".repeat(100)); return 1`, ""))
	bounded(r, mcp.MaxStructured)
	if !rep.OK || string(rep.Value) != "1" || !strings.Contains(text(r), "line 0 ") || !strings.Contains(text(r), "left out") {
		t.Errorf("%s: %s", rep.Value, text(r)[:200])
	}
	rep, r = p.run(t, code(`for (let i = 1; i <= 1200; i++) try { await tools.delete({path: i % 100 ? "many/a-rather-long-name-of-a-file-number-" + i : "gone" + i}) } catch {}`, ""))
	failures := 0
	for _, op := range rep.Operations {
		if !op.OK {
			failures++
		}
	}
	if !rep.OK || failures != 12 || len(rep.Operations) < 1000 || len(rep.Operations) > 1012 || !strings.Contains(text(r), "codemode log "+rep.RunID) {
		t.Errorf("%d operations, %d failures, %s", len(rep.Operations), failures, text(r))
	}
	if n := len(p.logged(t).Operations); n != 1201 {
		t.Errorf("the journal has %d operations", n)
	}
}

// TestImages holds that what a script shows as an image is one for the client.
func TestImages(t *testing.T) {
	t.Parallel()
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	rep, r := p.run(t, code(fmt.Sprintf(`image("data:image/png;base64,%s")`, dot), ""))
	if len(rep.Output) != 1 || rep.Output[0].Data != dot {
		t.Errorf("%+v", rep.Output)
	}
	image, ok := r.Content[len(r.Content)-1].(*sdk.ImageContent)
	if !ok || image.MIMEType != "image/png" || len(image.Data) != 70 {
		t.Errorf("%+v", r.Content)
	}
}

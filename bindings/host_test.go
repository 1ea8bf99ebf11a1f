package bindings_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestResolvesToTheReceipt(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "a")
	r := run(t, s, `return await tools.move({path: 'a', target: 'new/b'})`)
	if !r.OK || effects(r) != "1 move applied" || !exists(dir, "new/b") || exists(dir, "a") {
		t.Fatalf("got %+v %v", r, r.Error)
	}
	inReport, err := json.Marshal(r.Operations[0])
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(inReport, &a) != nil || json.Unmarshal(r.Value, &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("the script saw\n%s\nthe report has\n%s", r.Value, inReport)
	}
}

func TestRejectsWithOperationError(t *testing.T) {
	const show = `const seen = e => ({
		real: e instanceof OperationError && e instanceof Error, name: e.name, code: e.code, effect: e.effect,
		operation: e.operation, path: e.path, target: e.target, seq: e.receipt?.seq, sameCode: e.receipt?.error.code === e.code,
		message: typeof e.message, stack: e.stack.includes('script.js:'),
	});
	`
	s, dir := newSession(t)
	write(t, dir, "a", "tree/x", "b")
	for i, tt := range []struct{ call, code, rest string }{
		{`delete({path: 'nothing'})`, "ENOENT", `"operation":"delete","path":"$W/nothing"`},
		{`copy({path: 'a', target: 'tree'})`, "INVALID_FILE_TYPE", `"operation":"copy","path":"$W/a","target":"$W/tree"`},
		{`move({path: 'a', target: 'b', overwrite: false})`, "TARGET_EXISTS", `"operation":"move","path":"$W/a","target":"$W/b"`},
		{`move({path: 'tree', target: 'tree/sub'})`, "OVERLAPPING_PATHS", `"operation":"move","path":"$W/tree","target":"$W/tree/sub"`},
		{`move({src: 'a'})`, "INVALID_ARGUMENTS", `"operation":"move","path":"$W/a"`},
		{`move({src: 'a', dst: 'b', overwrite: true})`, "NOT_READ", `"operation":"move","path":"$W/a","target":"$W/b"`},
		{`delete({path: 'a', force: true})`, "INVALID_ARGUMENTS", `"operation":"delete","path":"$W/a"`},
		{`delete({})`, "INVALID_ARGUMENTS", `"operation":"delete"`},
		{`delete({path: 'https://a/b'})`, "UNSUPPORTED_SOURCE", `"operation":"delete","path":"https://a/b"`},
	} {
		r := run(t, s, show+`return await tools.`+tt.call+`.then(() => 'done', seen)`)
		var got map[string]any
		if json.Unmarshal(r.Value, &got) != nil {
			t.Errorf("%s: %s %v", tt.call, r.Value, r.Error)
			continue
		}
		expected := map[string]any{}
		fields := `{"real":true,"name":"OperationError","effect":"not-applied","sameCode":true,"message":"string","stack":true,` + tt.rest + `}`
		json.Unmarshal([]byte(strings.ReplaceAll(fields, "$W", dir)), &expected)
		expected["code"], expected["seq"] = tt.code, float64(i+1)
		if !reflect.DeepEqual(got, expected) {
			t.Errorf("%s\n got %v\nwant %v", tt.call, got, expected)
		}
		if len(r.Operations) != 1 || r.Operations[0].Seq != i+1 {
			t.Errorf("%s: the report has %s, want this run's receipt only", tt.call, effects(r))
		}
	}
}

func TestUnhandledFailureStopsTheScript(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "a")
	r := run(t, s, "await tools.delete({path: 'nothing'})\nawait tools.delete({path: 'a'})")
	if r.OK || r.Error.Kind != "script" || !strings.Contains(r.Error.Message, dir+"/nothing does not exist") || !strings.Contains(r.Error.Stack, "script.js:1:") {
		t.Errorf("got %+v", r.Error)
	}
	if effects(r) != "1 delete not-applied ENOENT" || !exists(dir, "a") {
		t.Errorf("the next step was not stopped: %s", effects(r))
	}
}

func TestReadingTools(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "a", "sub/.b", "sub/deep/c.js")
	if err := os.WriteFile(filepath.Join(dir, "raw"), []byte("\xff\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("sub", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ source, want string }{
		{`const l = await tools.list({path: '.'}); return [l.path, l.truncated, l.entries.map(e => e.name + ' ' + e.kind)]`,
			`[".",false,["a file","link symlink","raw file","sub directory"]]`},
		{`return (await tools.list({path: 'sub', recursive: true})).entries.map(e => e.path)`, `["sub/.b","sub/deep","sub/deep/c.js"]`},
		{`const l = await tools.list({path: '.', limit: 1}); return [l.entries.length, l.truncated]`, `[1,true]`},
		{`const e = await tools.stat({path: 'link'}); return [e.kind, e.link, e.name]`, `["symlink","sub","link"]`},
		{`const e = await tools.stat({path: 'raw'}); return [e.size, e.mode.toString(8), isNaN(Date.parse(e.mtime))]`, `[2,"600",false]`},
		{`return await tools.read({path: 'a'})`, `{"path":"a","size":12,"text":"content of a"}`},
		{`return await tools.read({path: 'raw'})`, `{"path":"raw","size":2,"bytes":"/wA="}`},
		{`return (await tools.read({path: 'a', encoding: 'base64', offset: 8, limit: 2})).bytes`, `"b2Y="`},
		{`return await tools.glob({pattern: '**/*.{js,ts}'})`, `{"matches":["sub/deep/c.js"],"truncated":false}`},
		{`return (await tools.glob({pattern: '*', path: 'sub'})).matches`, `["sub/.b","sub/deep"]`},
		{`return (await tools.search({pattern: 'sub/deep', glob: '*.js'})).matches`, `[{"path":"sub/deep/c.js","line":1,"column":12,"text":"content of sub/deep/c.js"}]`},
		{`return (await tools.search({pattern: '^content .. a$', regex: true})).matches.length`, `1`},
		{`return await tools.stat({path: 'no'}).catch(e => [e instanceof OperationError, e.code, e.effect, e.operation, e.path, 'receipt' in e])`,
			`[true,"ENOENT","not-applied","stat","no",false]`},
		{`return await tools.list({path: 'a'}).catch(e => e.code)`, `"ENOTDIR"`},
		{`return await tools.read().catch(e => [e.code, e.operation, e.path])`, `["INVALID_ARGUMENTS","read",null]`},
		{`return await tools.glob({pattern: '['}).catch(e => e.code)`, `"INVALID_ARGUMENTS"`},
	} {
		r := run(t, s, tt.source)
		if t.Run(tt.source, func(t *testing.T) { want(t, r, strings.ReplaceAll(tt.want, "$W", dir)) }); len(r.Operations) != 0 {
			t.Errorf("%s: reading made receipts", tt.source)
		}
	}
}

// Names that are not UTF-8 reach the script so that it can name the object again.
func TestStrayBytesInNames(t *testing.T) {
	s, dir := newSession(t)
	for _, name := range []string{"caf\xe9", "caf\xe8", "café", "\xff\xfe", "tab\tline\n", "\xed\xa0\x80"} {
		write(t, dir, "names/"+name)
	}
	r := run(t, s, `
		const {entries} = await tools.list({path: 'names'});
		const units = entries.map(e => Array.from(e.name, c => c.charCodeAt(0).toString(16)).join(' '));
		const receipt = await tools.delete({path: entries.find(e => e.name === 'caf\udce9').path});
		await tools.move({path: 'names/\udcff\udcfe', target: 'names/\udc80'});
		const error = await tools.delete({path: 'names/\ud800'}).catch(e => e.code);
		text('shown: caf\udce8');
		return [units.length, receipt.path.endsWith('/names/caf\udce9'), error, entries.map(e => e.name).includes('café')];`)
	want(t, r, `[6,true,"INVALID_ARGUMENTS",true]`)
	if exists(dir, "names/caf\xe9") || !exists(dir, "names/caf\xe8") || !exists(dir, "names/café") || !exists(dir, "names/\x80") {
		t.Error("the wrong objects were changed")
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, spelled := range []string{`/names/caf\udce9"`, `/names/\udc80"`, `"text":"shown: caf\udce8"`} {
		if !strings.Contains(string(data), spelled) {
			t.Errorf("the report does not spell %s:\n%s", spelled, data)
		}
	}
}

func TestAllTools(t *testing.T) {
	s, _ := newSession(t)
	want(t, run(t, s, `return [ALL_TOOLS.map(t => t.name), ALL_TOOLS.every(t => t.description.endsWith('.')), Object.keys(tools).join() === ALL_TOOLS.map(t => t.name).join()]`),
		`[["delete","copy","move","write","edit","mkdir","list","stat","read","glob","search"],true,true]`)
}

package bindings_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/journal"
	"codemode/runtime"
)

// recorded runs a script with a journal, as a command would, and returns what
// was reported and the journal's lines.
func recorded(t *testing.T, source string, files ...string) (bindings.Report, []json.RawMessage) {
	t.Helper()
	log, err := journal.Create(filepath.Join(t.TempDir(), "journal"), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, dir := newSession(t, func(cfg *ops.Config) { cfg.Journal = log })
	write(t, dir, files...)
	if err := log.Append(bindings.NewRunStarted(log.ID(), dir, "s.js", source, map[string]string{"approve": "ask"})); err != nil {
		t.Fatal(err)
	}
	r := bindings.Run(context.Background(), s, bindings.Options{Script: runtime.Script{Source: source}, RunID: log.ID()})
	if err := log.Append(bindings.NewRunFinished(r)); err != nil {
		t.Fatal(err)
	}
	log.Close()
	rec, err := journal.Read(filepath.Dir(log.Path()), log.ID())
	if err != nil || rec.Torn > 0 {
		t.Fatalf("%v, %d torn lines", err, rec.Torn)
	}
	return r, rec.Lines
}

const recordedScript = `console.log('caf\udce9'); image('iVBORw0KGgo=');
	await tools.delete({path: 'a'});
	await tools.move({path: 'no', target: 'x'}).catch(() => {});
	await tools.copy({path: 'b\udcff', target: 'new/b'});
	return {n: [1, 'caf\udce9']}`

func TestRebuildsTheReport(t *testing.T) {
	for name, source := range map[string]string{
		"success": recordedScript,
		"failure": "\n" + `text('x'); throw new Error('caf\udce9')`,
		"empty":   ``,
	} {
		t.Run(name, func(t *testing.T) {
			r, lines := recorded(t, source, "a", "b\xff")
			got := bindings.Rebuild(lines, false)
			a, _ := json.Marshal(r)
			b, _ := json.Marshal(got.Report)
			if string(a) != string(b) {
				t.Errorf("reported\n%s\nrebuilt\n%s", a, b)
			}
			if got.Status != "finished" || got.Source != "s.js" || string(got.Script) != source || got.StartedAt.IsZero() ||
				string(got.Options) != `{"approve":"ask"}` || len(got.SHA256) != 64 || got.Incomplete != "" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	_, lines := recorded(t, recordedScript, "a", "b\xff")
	got := bindings.Rebuild(lines, false)
	data, err := json.Marshal(got.Summary())
	started, _ := json.Marshal(got.StartedAt)
	want := fmt.Sprintf(`{"runId":%q,"startedAt":%s,"cwd":%q,"status":"finished","applied":2,"notApplied":1,"unknown":0,"source":"s.js"}`, got.RunID, started, got.Cwd)
	if err != nil || string(data) != want {
		t.Errorf("got  %s, %v\nwant %s", data, err, want)
	}
	var keys map[string]any
	data, _ = json.Marshal(got)
	json.Unmarshal(data, &keys)
	for _, key := range []string{"ok", "runId", "value", "output", "operations", "error", "durationMs", "status", "startedAt", "cwd", "source", "script", "applied", "notApplied", "unknown"} {
		if _, ok := keys[key]; !ok {
			t.Errorf("the rebuilt report lacks %s: %s", key, data)
		}
	}
}

// A journal may end after any of its lines. Every operation that had begun by
// then is there, with its receipt or as unknown.
func TestRebuildsAnInterruptedRun(t *testing.T) {
	_, lines := recorded(t, recordedScript, "a", "b\xff")
	for n := range lines {
		begun, ended := map[int]bool{}, map[int]bool{}
		for _, line := range lines[:n] {
			var record struct {
				Type    string
				Seq     int
				Receipt struct{ Seq int }
			}
			json.Unmarshal(line, &record)
			switch record.Type {
			case "operation-started":
				begun[record.Seq] = true
			case "operation-finished":
				begun[record.Receipt.Seq], ended[record.Receipt.Seq] = true, true
			}
		}
		got := bindings.Rebuild(lines[:n], false)
		if got.Status != "interrupted" || got.OK || got.Error == nil || got.Error.Kind != "aborted" {
			t.Errorf("%d lines: %s %+v", n, got.Status, got.Error)
		}
		if len(got.Operations) != len(begun) || got.Unknown != len(begun)-len(ended) {
			t.Errorf("%d lines: %s, want %d with %d unknown", n, effects(got.Report), len(begun), len(begun)-len(ended))
		}
		for i, op := range got.Operations {
			if i > 0 && got.Operations[i-1].Seq >= op.Seq {
				t.Errorf("%d lines: out of order: %s", n, effects(got.Report))
			}
			if !ended[op.Seq] && (op.OK || op.Effect != ops.Unknown || op.Error.Code != ops.Aborted || !strings.Contains(op.Error.Message, "ended before") || op.StartedAt.IsZero()) {
				t.Errorf("%d lines: got %+v", n, op)
			}
		}
		if running := bindings.Rebuild(lines[:n], true); running.Status != "running" || running.Error != nil {
			t.Errorf("%d lines: %s %+v", n, running.Status, running.Error)
		}
	}
}

func TestRebuildPassesOverGarbage(t *testing.T) {
	var lines []json.RawMessage
	for _, line := range []string{
		``, `null`, `[]`, `{`, `{"type":7}`, `{"type":"later"}`, `{"type":"run-started","time":"yesterday","cwd":7}`,
		`{"type":"operation-started"}`,
		`{"type":"operation-started","seq":2,"operation":"move","path":"/a/caf\udce9","target":"/b/x","sourceKind":"directory","entries":3,"hidden":".codemode-h"}`,
		`{"type":"operation-finished","receipt":{"seq":"3"}}`,
		`{"type":"operation-finished","receipt":{"seq":4,"effect":"applied","startedAt":5,"path":"/c"}}`,
		`{"type":"operation-finished"}`,
		`{"type":"operation-finished","receipt":{"kind":"file-operation","seq":5,"ok":true,"effect":"applied"}}`,
		`{"type":"operation-finished","receipt":{"kind":"file-operation","seq":5,"ok":true,"effect":"applied"}}`,
		`{"type":"operation-started","seq":5}`,
		`{"type":"run-finished","ok":"yes","output":[1,{"type":"text","text":"x"}],"error":[]}`,
	} {
		lines = append(lines, json.RawMessage(line))
	}
	got := bindings.Rebuild(lines, true)
	if effects(got.Report) != "0  unknown ABORTED, 2 move unknown ABORTED, 4  unknown ABORTED, 5  applied" {
		t.Errorf("got %s", effects(got.Report))
	}
	if got.Status != "finished" || got.OK || len(got.Output) != 1 || got.Applied != 1 || got.Unknown != 3 {
		t.Errorf("got %+v", got)
	}
}

// What is on disk now is evidence only when somebody has looked.
func TestLook(t *testing.T) {
	lines := []json.RawMessage{
		json.RawMessage(`{"type":"operation-started","seq":1,"operation":"copy","path":"/a/x","target":"/b/y","hidden":".codemode-h"}`),
		json.RawMessage(`{"type":"operation-started","seq":2,"operation":"delete","path":"/a/z"}`),
		json.RawMessage(`{"type":"operation-finished","receipt":{"seq":3,"effect":"unknown","evidence":{"phase":"copying"}}}`),
	}
	got := bindings.Rebuild(lines, false)
	if got.Operations[0].Evidence != nil || !strings.Contains(got.Operations[0].Error.Message, `".codemode-h"`) {
		t.Errorf("got %+v", got.Operations[0])
	}
	there := map[string]string{"/a/x": "1:1", "/b/.codemode-h": "1:2", "/old": "1:4", "/new": "1:3"}
	look := func(path string) (string, bool) { id, ok := there[path]; return id, ok }
	got.Look(look)
	if e := got.Operations[0].Evidence; !reflect.DeepEqual(e, &ops.Evidence{Phase: "not recorded", SourceExists: true, Leftover: "/b/.codemode-h"}) {
		t.Errorf("got %+v", e)
	}
	if e := got.Operations[1].Evidence; !reflect.DeepEqual(e, &ops.Evidence{Phase: "not recorded"}) {
		t.Errorf("got %+v", e)
	}
	if e := got.Operations[2].Evidence; e.Phase != "copying" {
		t.Errorf("what was recorded was replaced: %+v", e)
	}
	evil := bindings.Rebuild([]json.RawMessage{
		json.RawMessage(`{"type":"operation-started","seq":1,"operation":"copy","path":"/a","target":"/b","hidden":"../a/x"}`),
	}, false)
	evil.Look(look)
	if e := evil.Operations[0].Evidence; e.Leftover != "" {
		t.Errorf("a hostile journal points at %s", e.Leftover)
	}
	// Killed between the exchange of two names and the removal of what was replaced.
	got = bindings.Rebuild([]json.RawMessage{
		json.RawMessage(`{"type":"operation-started","seq":1,"operation":"move","path":"/old","target":"/new","hidden":".codemode-h","object":"1:3"}`),
	}, false)
	got.Look(look)
	if m := got.Operations[0].Error.Message; !strings.Contains(m, "what was at the source is now at the target") {
		t.Error(m)
	}
}

func TestRunFinishedIsBounded(t *testing.T) {
	big := strings.Repeat("é\x01\xff", 30_000)
	for _, tt := range []struct {
		name   string
		r      bindings.Report
		value  string
		says   string
		pieces int
	}{
		{"small", bindings.Report{Value: json.RawMessage(`1`), Output: []runtime.Output{{Type: "text", Text: "x"}}}, `1`, "", 1},
		{"big value", bindings.Report{Value: json.RawMessage(`"` + strings.Repeat("x", 60_000) + `"`), Output: []runtime.Output{{Type: "text", Text: "x"}}}, `null`, "does not keep the value of 60002 bytes", 1},
		{"big piece", bindings.Report{Output: []runtime.Output{{Type: "text", Text: "x"}, {Type: "text", Text: big}, {Type: "text", Text: "x"}}}, `null`, "bytes of output", 2},
		{"big image", bindings.Report{Output: []runtime.Output{{Type: "image", Data: strings.Repeat("A", 80_000)}}}, `null`, "80000 bytes of output", 0},
		{"many pieces", bindings.Report{Output: make([]runtime.Output, 100_000)}, `null`, "", 100},
		{"both", bindings.Report{Value: json.RawMessage(`"` + strings.Repeat("x", 30_000) + `"`), Output: []runtime.Output{{Type: "text", Text: big}}}, "", "bytes of output", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := bindings.NewRunFinished(tt.r)
			data, err := json.Marshal(f)
			if err != nil || len(data) > bindings.MaxRecorded+1000 {
				t.Fatalf("%d bytes, %v", len(data), err)
			}
			if tt.value != "" && string(f.Value) != tt.value || !strings.Contains(f.Incomplete, tt.says) || tt.says == "" && tt.pieces < 50 && f.Incomplete != "" || len(f.Output) < tt.pieces {
				t.Errorf("value %.20s, %d pieces, %q", f.Value, len(f.Output), f.Incomplete)
			}
			if got := bindings.Rebuild([]json.RawMessage{data}, false); got.Incomplete != f.Incomplete || len(got.Output) != len(f.Output) {
				t.Errorf("read back: %q, %d pieces", got.Incomplete, len(got.Output))
			}
		})
	}
}

func FuzzRebuild(f *testing.F) {
	f.Add([]byte(`{"type":"run-started","runId":"r","time":"2026-01-02T03:04:05Z","cwd":"/w","source":"s","script":"x"}`), true)
	f.Add([]byte("{\"type\":\"operation-started\",\"seq\":1,\"path\":\"/a\"}\n{\"type\":\"operation-finished\",\"receipt\":{\"seq\":1,\"effect\":\"applied\",\"error\":null}}"), false)
	f.Add([]byte(`{"type":"operation-finished","receipt":{"seq":1e3,"path":"\udcff","approvals":[{"path":"\udc80"}],"evidence":{},"replaced":{}}}`), false)
	f.Add([]byte(`{"type":"run-finished","ok":true,"value":{"a":[]},"output":[{"type":"text","text":"\udcff"}],"error":{"kind":"script"}}`), false)
	f.Fuzz(func(t *testing.T, data []byte, running bool) {
		var lines []json.RawMessage
		for _, line := range strings.Split(string(data), "\n") {
			lines = append(lines, json.RawMessage(line))
		}
		got := bindings.Rebuild(lines, running)
		got.Look(func(path string) (string, bool) { return path, len(path)%2 == 0 })
		if _, err := json.Marshal(got); err != nil {
			t.Errorf("cannot be written: %v", err)
		}
		if n := got.Applied + got.NotApplied + got.Unknown; n != len(got.Operations) {
			t.Errorf("%d operations counted as %d", len(got.Operations), n)
		}
		if _, err := json.Marshal(got.Summary()); err != nil {
			t.Errorf("the summary cannot be written: %v", err)
		}
	})
}

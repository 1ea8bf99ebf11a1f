package ops_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"codemode/ops"
)

// FuzzDecodeReference holds the decoder against a lax one: what ours accepts names
// the very same paths there, whichever of two members the other one takes, and has
// no member that we do not know.
func FuzzDecodeReference(f *testing.F) {
	for _, seed := range []string{
		`{"path":"a"}`, `{"path":"a","target":"b","overwrite":true}`, `{"src":"a","dst":"b","overwrite":"true"}`, `{"src":"a","delete":true}`, `{"src":"a","dst":null}`,
		`{"path":"a","path":"b"}`, `{"PATH":"b","path":"a"}`, `{"path":"a","target":"b","src":"c"}`, `{"path":"a","text":"x","append":true}`, `{"path":"a","bytes":"AA=="}`,
		`{"path":"a","edits":[{"find":"x","replace":"y"}]}`, `{"path":"\u0061"}`, `{"path":"a"} {"path":"b"}`, `{"path":["a"]}`, `{"path":"https://x/y"}`,
	} {
		for _, op := range ops.Operations {
			f.Add(string(op), []byte(seed))
		}
	}
	known := []string{"path", "target", "overwrite", "src", "dst", "create_dirs", "delete", "text", "bytes", "append", "unread", "edits"}
	f.Fuzz(func(t *testing.T, name string, args []byte) {
		op := ops.Operation(name)
		req, err := ops.Decode(op, args)
		if err != nil || !slices.Contains(ops.Operations, op) {
			return
		}
		if bytes.Contains(bytes.ToLower(args), []byte(`\ud`)) { // stray bytes, which encoding/json does not keep
			return
		}
		var lax map[string]any
		if err := json.Unmarshal(args, &lax); err != nil {
			t.Fatalf("accepted %q: %v", args, err)
		}
		path, target := lax["path"], lax["target"]
		if src, ok := lax["src"]; ok {
			path, target = src, lax["dst"]
		}
		if target == nil {
			target = ""
		}
		if path != req.Path || target != req.Target {
			t.Errorf("%s %q names %q and %q, elsewhere %q and %q", op, args, req.Path, req.Target, path, target)
		}
		for member := range lax {
			if !slices.Contains(known, member) {
				t.Errorf("%s %q: took %q", op, args, member)
			}
		}
		if req.Operation != op && (op != ops.Move || req.Operation != ops.Delete || lax["delete"] == false || lax["delete"] == nil) {
			t.Errorf("%s %q became %s", op, args, req.Operation)
		}
	})
}

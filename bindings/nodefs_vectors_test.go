package bindings_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/runtime"
)

// asNode is a call of a vector in the words of node:fs, or "" where there are none
// that mean the same.
func asNode(c opstest.Call) string {
	var args map[string]any
	if json.Unmarshal(c.Args, &args) != nil {
		return ""
	}
	path, isPath := args["path"].(string)
	target, isTarget := args["target"].(string)
	only := func(names ...string) bool {
		for name := range args {
			if !slices.Contains(names, name) {
				return false
			}
		}
		return true
	}
	spelled := func(text string) string { data, _ := json.Marshal(text); return string(data) }
	if strings.ContainsRune(string(c.Args), '\ufffd') || strings.Contains(string(c.Args), `\ud`) || path == "" || strings.Contains(path+target, "\x00") {
		return "" // Go's JSON would not keep it, or Node has its own word for it
	}
	switch {
	case c.Operation == ops.Delete && isPath && only("path"):
		return fmt.Sprintf("fs.rmSync(%s, { recursive: true })", spelled(path))
	case c.Operation == ops.Copy && isPath && isTarget && target != "" && only("path", "target"):
		return fmt.Sprintf("fs.cpSync(%s, %s, { recursive: true })", spelled(path), spelled(target))
	case c.Operation == ops.Move && isPath && isTarget && target != "" && only("path", "target"):
		return fmt.Sprintf("fs.renameSync(%s, %s)", spelled(path), spelled(target))
	case c.Operation == ops.Write && isPath && only("path", "text", "append") && args["append"] == true:
		return fmt.Sprintf("fs.appendFileSync(%s, %s)", spelled(path), spelled(fmt.Sprint(args["text"])))
	}
	return ""
}

// refusedByNode reports whether a code is Node's for what its function does not
// mean: rename makes no parents and replaces no directory that holds something.
func refusedByNode(said string) bool {
	return slices.Contains([]string{"ENOENT", "ENOTEMPTY", "ENOTDIR", "EISDIR", "EINVAL"}, said) || strings.HasPrefix(said, "ERR_FS_")
}

// TestNodeFSVectors is one more route for the vectors: what a script does through
// node:fs has the same receipts, and the same effect on the disk, as through tools.
// Where Node refuses what we would not, or has its own word for a refusal before
// anything is asked of the engine, nothing may have been changed.
func TestNodeFSVectors(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the vectors take another route already")
	}
	opstest.Run(t, func(t *testing.T, w opstest.World, v opstest.Vector) []ops.Receipt {
		if slices.Contains(v.Needs, opstest.NonRoot) && os.Geteuid() == 0 {
			t.Skip("runs as root here; the command line's route takes another user")
		}
		var code strings.Builder
		code.WriteString("const fs = require('fs');\n")
		for _, call := range v.Calls {
			said := asNode(call)
			fmt.Fprintf(&code, "try { %s; text('done') } catch (e) { if (!(e instanceof Error)) throw e; text(`${e.receipt ? e.receipt.seq : 0} ${e.code}`) }\n", said)
		}
		s, err := ops.Open(w.Config(v.Host))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		r := bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Name: "vector.js", Source: code.String()}})
		if !r.OK {
			t.Fatalf("the script failed: %+v", r.Error)
		}
		var receipts []ops.Receipt
		for i, call := range v.Calls {
			said := r.Output[i].Text
			seq, code, refused := strings.Cut(said, " ")
			nothing := !refused && v.Want[i].Code == ops.SameFile // Node does nothing, and is content
			if !nothing && (!refused || seq != "0") {
				if len(r.Operations) == 0 {
					t.Fatalf("call %d, %s: %s, without an operation", i+1, call.Args, said)
				}
				receipt := r.Operations[0]
				r.Operations = r.Operations[1:]
				receipt.Seq = i + 1
				receipts = append(receipts, receipt)
				if code == "ENOENT" && v.Want[i].Code != "ENOENT" && call.Operation == ops.Move {
					t.Skipf("call %d: Node's rename makes no parents", i+1)
				}
				continue
			}
			if v.Want[i].Effect != ops.NotApplied && !refusedByNode(code) {
				t.Errorf("call %d, %s: %s, want %s", i+1, call.Args, said, v.Want[i].Effect)
			}
			if v.Want[i].Effect != ops.NotApplied {
				t.Skipf("call %d: Node's %s means less (%s)", i+1, call.Operation, code)
			}
			receipts = append(receipts, ops.Receipt{Seq: i + 1, Operation: call.Operation, Effect: ops.NotApplied, Error: &ops.Error{Code: v.Want[i].Code}})
		}
		if len(r.Operations) > 0 {
			t.Errorf("%d operations were not asked for", len(r.Operations))
		}
		return receipts
	}, func(v opstest.Vector) bool {
		return !slices.ContainsFunc(v.Calls, func(c opstest.Call) bool { return asNode(c) == "" })
	})
}

//go:build linux

package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"codemode/bindings"
	"codemode/bindings/escapes"
	"codemode/ops/journal"
)

// TestEscapes is the route of the built command, a process for each script.
func TestEscapes(t *testing.T) {
	if testing.Short() {
		t.Skip("other routes take the same attacks, without a process for each")
	}
	bin := binary(t)
	t.Parallel()
	escapes.Run(t, func(t *testing.T, w escapes.World, c escapes.Case) escapes.Result {
		cmd := attacked(t, bin, w)
		out := cmd.run(t, c.Source, "run", "--json", "--root", ".", "-")
		var r report
		out.document(t, &r)
		if (out.status == 0) != r.OK {
			t.Errorf("status %d, ok %t", out.status, r.OK)
		}
		recorded := rebuilt(t, w)
		if len(recorded.Operations) != len(r.Operations) || recorded.OK != r.OK || recorded.RunID != r.RunID {
			t.Errorf("reported\n%+v\nrecorded\n%+v", r, recorded)
		}
		result := escapes.Result{OK: r.OK, Value: string(r.Value), Operations: r.Operations, Said: string(out.stdout) + string(out.stderr)}
		if r.Error != nil {
			result.Kind, result.Error = r.Error.Kind, r.Error.Message
		}
		return result
	})
}

// TestEscapesFromTheREPL is the route of an input to codemode repl.
func TestEscapesFromTheREPL(t *testing.T) {
	if testing.Short() {
		t.Skip("other routes take the same attacks, without a process for each")
	}
	bin := binary(t)
	t.Parallel()
	escapes.Run(t, func(t *testing.T, w escapes.World, c escapes.Case) escapes.Result {
		if c.ScriptOnly {
			t.Skip("means something else at a prompt")
		}
		cmd := attacked(t, bin, w)
		out := cmd.run(t, c.AsInput()+"\n", "repl", "--root", ".")
		recorded := rebuilt(t, w)
		if len(recorded.Inputs) != 1 || (out.status == 0) != recorded.Inputs[0].OK {
			t.Fatalf("status %d, inputs %+v\n%s", out.status, recorded.Inputs, out.stderr)
		}
		input := recorded.Inputs[0]
		result := escapes.Result{OK: input.OK, Operations: recorded.Operations, Said: string(out.stdout) + string(out.stderr)}
		if input.Error != nil {
			result.Kind, result.Error = input.Error.Kind, input.Error.Message
		}
		lines := strings.Split(strings.TrimSpace(string(out.stdout)), "\n")
		result.Value = escapes.InputValue(lines[len(lines)-1])
		return result
	})
}

// attacked is a person whose project is a case's, and whose environment holds a
// secret.
func attacked(t *testing.T, bin string, w escapes.World) command {
	t.Helper()
	host := w.Host()
	writeConfig(t, w.World, hostConfig{Protected: host.Protected, Hooks: hooksOf(expandAll(w.World, host.Hook), "")})
	return command{bin: bin, dir: filepath.Join(w.W, "proj"), env: append(w.Env(), escapes.SecretVar+"="+escapes.SecretValue)}
}

// rebuilt is the only run that was recorded.
func rebuilt(t *testing.T, w escapes.World) bindings.Rebuilt {
	t.Helper()
	dir := filepath.Join(w.W, "home/.local/state/codemode")
	ids, err := journal.IDs(dir)
	if err != nil || len(ids) != 1 {
		t.Fatalf("%d runs were recorded: %v", len(ids), err)
	}
	record, err := journal.Read(dir, ids[0])
	if err != nil {
		t.Fatal(err)
	}
	return bindings.Rebuild(record.Lines, record.Running)
}

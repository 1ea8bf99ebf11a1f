package bindings_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/bindings/escapes"
	"codemode/ops"
	"codemode/runtime"
	"codemode/runtime/worker"
)

// TestEscapes is the route of a script in the process of its host.
func TestEscapes(t *testing.T) {
	os.Setenv(escapes.SecretVar, escapes.SecretValue)
	escapes.Run(t, func(t *testing.T, w escapes.World, c escapes.Case) escapes.Result {
		s := escapeSession(t, w)
		return escaped(t, bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Name: "attack.js", Source: c.Source}, Timeout: time.Minute}))
	})
}

// TestEscapesIsolated is the route of a script in a process of its own.
func TestEscapesIsolated(t *testing.T) {
	if testing.Short() {
		t.Skip("one route takes the attacks already")
	}
	os.Setenv(escapes.SecretVar, escapes.SecretValue)
	pool := worker.New(worker.Config{Spares: 1})
	t.Cleanup(func() { pool.Close() })
	escapes.Run(t, func(t *testing.T, w escapes.World, c escapes.Case) escapes.Result {
		s := escapeSession(t, w)
		return escaped(t, bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Name: "attack.js", Source: c.Source}, Timeout: time.Minute, Engine: pool}))
	})
}

// TestEscapesFromASession is the route of scripts that share an engine, as those
// of an MCP session: what one did to it, the next and the host have to live with.
func TestEscapesFromASession(t *testing.T) {
	if testing.Short() {
		t.Skip("one route takes the attacks already")
	}
	os.Setenv(escapes.SecretVar, escapes.SecretValue)
	escapes.Run(t, func(t *testing.T, w escapes.World, c escapes.Case) escapes.Result {
		return inSession(t, w, runtime.Script{Name: "attack.js", Source: c.Source})
	})
}

// TestEscapesFromAPrompt is that of inputs at a prompt.
func TestEscapesFromAPrompt(t *testing.T) {
	if testing.Short() {
		t.Skip("one route takes the attacks already")
	}
	os.Setenv(escapes.SecretVar, escapes.SecretValue)
	escapes.Run(t, func(t *testing.T, w escapes.World, c escapes.Case) escapes.Result {
		if c.ScriptOnly {
			t.Skip("means something else at a prompt")
		}
		r := inSession(t, w, runtime.Script{Name: "attack.js", Source: c.AsInput(), Interactive: true})
		r.Value = escapes.InputValue(r.Shown)
		return r
	})
}

// inSession runs an attack and then, in the same engine, what a prompt asks while
// somebody types, which is not to call anything, and another script, which is not
// to get what nobody approves, and whose receipts count on.
func inSession(t *testing.T, w escapes.World, attack runtime.Script) escapes.Result {
	t.Helper()
	s, session := escapeSession(t, w), runtime.NewSession()
	t.Cleanup(func() { session.Close() })
	run := func(script runtime.Script) bindings.Report {
		return bindings.Run(t.Context(), s, bindings.Options{Script: script, Timeout: time.Minute, Session: session})
	}
	r := run(attack)
	for _, name := range []string{"globalThis", "tools", "console"} {
		if asked := run(runtime.Script{Source: name, Inquiry: runtime.InquireMembers}); len(asked.Operations) > 0 {
			t.Errorf("completing %s: %s", name, effects(asked))
		}
	}
	after := run(runtime.Script{Source: `await tools.delete({path: "tracked"})`, Interactive: attack.Interactive})
	for _, op := range after.Operations {
		if op.Effect != ops.NotApplied || op.Seq <= len(r.Operations) {
			t.Errorf("the next script: %+v", op)
		}
	}
	return escaped(t, r)
}

func escapeSession(t *testing.T, w escapes.World) *ops.Session {
	t.Helper()
	s, err := ops.Open(w.Config(w.Host()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func escaped(t *testing.T, r bindings.Report) escapes.Result {
	t.Helper()
	said, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	result := escapes.Result{OK: r.OK, Value: string(r.Value), Operations: r.Operations, Said: string(said)}
	for _, o := range r.Output {
		result.Shown = o.Text
	}
	if r.Error != nil {
		result.Kind, result.Error = string(r.Error.Kind), r.Error.Message
	}
	return result
}

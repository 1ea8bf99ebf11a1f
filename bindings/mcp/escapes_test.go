package mcp_test

import (
	"os"
	"testing"

	"codemode/bindings/escapes"
	"codemode/ops"
)

// TestEscapes is the route of an MCP client's agent: each attack is a script of
// a session, and another one follows it there.
func TestEscapes(t *testing.T) {
	if testing.Short() {
		t.Skip("one route takes the attacks already")
	}
	os.Setenv(escapes.SecretVar, escapes.SecretValue)
	escapes.Run(t, func(t *testing.T, w escapes.World, c escapes.Case) escapes.Result {
		p := connect(t, w.World, setting{host: w.Host()})
		rep, r := p.run(t, code(c.Source, "__proto__"))
		result := escapes.Result{OK: rep.OK, Value: string(rep.Value), Operations: rep.Operations, Said: text(r) + string(p.tap.result(t))}
		if rep.Error != nil {
			result.Kind, result.Error = rep.Error.Kind, rep.Error.Message
		}
		next, _ := p.run(t, code(`await tools.delete({path: "tracked"})`, "__proto__"))
		for _, op := range next.Operations {
			if op.Effect != ops.NotApplied || op.Seq <= len(rep.Operations) {
				t.Errorf("the next script: %+v", op)
			}
		}
		logged := p.logged(t).Operations
		if len(logged) != len(rep.Operations)+len(next.Operations) {
			t.Errorf("%d operations in the journal, %d and %d were reported", len(logged), len(rep.Operations), len(next.Operations))
		}
		for i, op := range rep.Operations {
			if i >= len(logged) || logged[i].Effect != op.Effect || logged[i].Path != op.Path || logged[i].Operation != op.Operation {
				t.Errorf("operation %d was reported as %+v, and is otherwise in the journal", i+1, op)
			}
		}
		return result
	})
}

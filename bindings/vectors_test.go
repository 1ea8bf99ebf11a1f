package bindings_test

import (
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

// TestVectors is the route of a script whose host is a Go program.
func TestVectors(t *testing.T) {
	opstest.Run(t, func(t *testing.T, w opstest.World, v opstest.Vector) []ops.Receipt {
		if slices.Contains(v.Needs, opstest.NonRoot) && os.Geteuid() == 0 {
			t.Skip("runs as root here; the command line's route takes another user")
		}
		s, err := ops.Open(w.Config(v.Host))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var code strings.Builder
		for i, call := range v.Calls {
			// Each error is caught, and must be what the contract calls an OperationError.
			fmt.Fprintf(&code, "try { await tools.%s(%s); text('done') } catch (e) { if (!(e instanceof OperationError) || e.receipt.seq !== %d) throw e; text(e.code) }\n",
				call.Operation, call.Args, i+1)
		}
		r := bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Name: "vector.js", Source: code.String()}})
		if !r.OK {
			t.Fatalf("the script failed: %+v", r.Error)
		}
		for i, op := range r.Operations {
			said := "done"
			if op.Error != nil {
				said = string(op.Error.Code)
			}
			if i >= len(r.Output) || r.Output[i].Text != said {
				t.Errorf("call %d: the script saw %+v, the receipt says %s", i+1, r.Output, said)
			}
		}
		return r.Operations
	})
}

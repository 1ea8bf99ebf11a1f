package bindings_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/runtime"
)

// TestVectors is the second route: every call comes from a script.
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
		var script strings.Builder
		for _, call := range v.Calls {
			// JSON is JavaScript, lone surrogates included.
			fmt.Fprintf(&script, "await tools.%s(%s).then(r => text(r.effect), e => text(e.effect));\n", call.Operation, call.Args)
		}
		r := bindings.Run(t.Context(), s, bindings.Options{Script: runtime.Script{Source: script.String()}, Timeout: time.Minute})
		if !r.OK {
			t.Fatalf("%s\n%s", r.Error.Message, script.String())
		}
		for i, op := range r.Operations {
			if r.Output[i].Text != string(op.Effect) {
				t.Errorf("call %d: the script saw %s, the receipt says %s", i+1, r.Output[i].Text, op.Effect)
			}
		}
		return r.Operations
	})
}

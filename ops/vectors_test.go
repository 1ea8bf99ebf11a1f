package ops_test

import (
	"slices"
	"testing"

	"codemode/ops"
	"codemode/ops/opstest"
)

// TestVectors is the first route: a Go program that embeds the engine.
func TestVectors(t *testing.T) {
	opstest.Run(t, func(t *testing.T, w opstest.World, v opstest.Vector) []ops.Receipt {
		if slices.Contains(v.Needs, opstest.NonRoot) && isRoot() {
			t.Skip("runs as root here; the command line's route takes another user")
		}
		s, err := ops.Open(w.Config(v.Host))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var receipts []ops.Receipt
		for _, call := range v.Calls {
			receipts = append(receipts, s.Call(t.Context(), call.Operation, call.Args, ""))
		}
		return receipts
	})
}

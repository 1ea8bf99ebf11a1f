package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/opstest"
)

// TestVectors is the route of an MCP client: each call is a tool's, and whoever
// approves is asked by elicitation.
func TestVectors(t *testing.T) {
	t.Parallel()
	full := receiptSchema(t)
	opstest.Run(t, func(t *testing.T, w opstest.World, v opstest.Vector) []ops.Receipt {
		if slices.Contains(v.Needs, opstest.NonRoot) && os.Geteuid() == 0 {
			t.Skip("runs as root here; the command line's route takes another user")
		}
		o := setting{host: v.Host}
		if v.Host.Approve != "" {
			o.client.ElicitationHandler = answering(v.Host.Approve == "allow")
		}
		o.host.Approve = ""
		p := connect(t, w, o)
		var receipts []ops.Receipt
		for _, call := range v.Calls {
			receipts = append(receipts, p.receipt(t, call.Operation, string(call.Args)))
			if call.Operation == ops.Mkdir {
				continue
			}
			var any map[string]any
			p.structured(t, &any)
			if err := full.Validate(any); err != nil {
				t.Errorf("%v is no receipt: %v", any, err)
			}
		}
		p.sameAsLogged(t, receipts)
		return receipts
	})
}

func receiptSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	data, _ := bindings.Schema("receipt")
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	full, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// answering is a person who always gives the same answer.
func answering(yes bool) func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	return func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": yes}}, nil
	}
}

// sameAsLogged holds the journal to what the client was told.
func (p *peer) sameAsLogged(t *testing.T, receipts []ops.Receipt) {
	t.Helper()
	logged := p.logged(t).Operations
	if len(logged) != len(receipts) {
		t.Fatalf("%d operations in the journal, %d answers", len(logged), len(receipts))
	}
	for i, r := range receipts {
		l := logged[i]
		if l.Seq != r.Seq || l.Effect != r.Effect || l.Path != r.Path || l.Target != r.Target || l.Operation != r.Operation || l.OK != r.OK {
			t.Errorf("operation %d is %+v, and %+v in the journal", i+1, r, l)
		}
	}
}

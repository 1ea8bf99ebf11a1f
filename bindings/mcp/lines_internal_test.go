package mcp

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An answer that says two things is none.
func TestUnambiguous(t *testing.T) {
	t.Parallel()
	for text, clear := range map[string]bool{
		`{"action":"accept","content":{"approve":true}}`:                    true,
		`{"action":"decline","action":"accept","content":{"approve":true}}`: false,
		`{"action":"accept","content":{"approve":false,"approve":true}}`:    false,
	} {
		m, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","id":1,"result":` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if r := unambiguous(m).(*jsonrpc.Response); (r.Error == nil) != clear {
			t.Errorf("%s: %v", text, r.Error)
		}
	}
}

package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestScriptsAtOnce holds that a connection has only so many scripts at work, and
// that those which wait come to their turn, or can be given up.
func TestScriptsAtOnce(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked+"; for i in 1 2 3 4 5 6; do cp -r proj/t proj/d$i; done; git -C proj add -A")
	asked, release := make(chan bool, 8), make(chan bool)
	p := connect(t, w, setting{client: sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		asked <- true
		select {
		case <-release:
		case <-ctx.Done():
		}
		return answering(false)(ctx, r)
	}}})
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := 1; i <= 6; i++ {
		all.Go(func() {
			source := fmt.Sprintf(`await tools.delete({path: "d%d"})`, i)
			_, _ = p.CallTool(ctx, &sdk.CallToolParams{Name: "codemode", Arguments: json.RawMessage(code(source, ""))}) // some are cancelled below
		})
	}
	<-asked // one asks, three wait for their turn, two for a place
	if r := p.call(t, "stat", `{"path":"u"}`); r.IsError {
		t.Errorf("reading waits: %s", text(r))
	}
	cancel()
	all.Wait()
	close(release)
	for i := range 6 { // none of them is stuck
		if r := p.call(t, "codemode", code(fmt.Sprintf("return %d", i), "")); r.IsError {
			t.Errorf("%s", text(r))
		}
	}
	if r := p.call(t, "delete", `{"path":"u"}`); r.IsError {
		t.Errorf("%s", text(r))
	}
	w.Check(t, "test $(ls -d proj/d? | wc -l) -eq 6")
}

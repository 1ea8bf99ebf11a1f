package mcp_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// told collects what a client is told of a call.
type told struct {
	mu   sync.Mutex
	list []sdk.ProgressNotificationParams
}

func (p *told) handler(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, *r.Params)
}

func (p *told) all() []sdk.ProgressNotificationParams {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]sdk.ProgressNotificationParams{}, p.list...)
}

// TestProgress holds that a client which wants to hear how its call goes on is
// told, also that it waits for a person, with a number that grows; and that one
// which did not ask hears nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked)
	var heard told
	p := connect(t, w, setting{client: sdk.ClientOptions{
		ProgressNotificationHandler: heard.handler,
		ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			time.Sleep(1800 * time.Millisecond) // the person takes their time
			return answering(false)(ctx, r)
		},
	}})
	p.removal(t, "token")
	list := heard.all()
	if len(list) == 0 {
		t.Fatal("nothing was told")
	}
	last := 0.0
	for _, n := range list {
		if n.ProgressToken != "token" || n.Progress <= last || !strings.Contains(n.Message, w.W+"/proj/t") {
			t.Errorf("%+v", n)
		}
		last = n.Progress
	}
	p.removal(t, nil)
	if n := len(heard.all()); n != len(list) {
		t.Errorf("%d messages to a call that asked for none", n-len(list))
	}
}

// removal has t removed, with a progress token.
func (p *peer) removal(t *testing.T, token any) {
	t.Helper()
	params := &sdk.CallToolParams{Name: "delete", Arguments: map[string]any{"path": "t"}}
	if token != nil {
		params.SetProgressToken(token)
	}
	if _, err := p.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
}

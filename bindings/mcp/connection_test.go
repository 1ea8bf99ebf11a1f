//lint:file-ignore SA1019 The revisions of the protocol that are served have roots and logging, see versions.

package mcp_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings/mcp"
	"codemode/ops"
)

// TestHostThatFails holds that a host which has no run for a client, or breaks
// down, is an error of the call and nothing else; and that the next call tries
// again.
func TestHostThatFails(t *testing.T) {
	t.Parallel()
	w := worldOf(t, "mkdir proj; printf a > proj/a")
	tries := 0
	p := connect(t, w, setting{opened: func(*mcp.Run, mcp.Client) error {
		switch tries++; tries {
		case 1:
			return errors.New("no room")
		case 2:
			panic("on purpose")
		}
		return nil
	}})
	if r := p.call(t, "delete", `{"path":"a"}`); !r.IsError || !strings.Contains(text(r), "nothing can be done for this client: no room") {
		t.Errorf("%s", text(r))
	}
	if _, err := p.CallTool(t.Context(), &sdk.CallToolParams{Name: "delete", Arguments: map[string]any{"path": "a"}}); err == nil || !strings.Contains(err.Error(), "on purpose") {
		t.Errorf("%v", err)
	}
	if r := p.receipt(t, ops.Delete, `{"path":"a"}`); !r.OK || r.Seq != 1 {
		t.Errorf("%+v", r)
	}
}

// TestLog holds that what the host has to say reaches a client that listens.
func TestLog(t *testing.T) {
	t.Parallel()
	heard := make(chan *sdk.LoggingMessageParams, 1)
	p := connect(t, worldOf(t, "mkdir proj"), setting{
		client: sdk.ClientOptions{LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { heard <- r.Params }},
		opened: func(run *mcp.Run, c mcp.Client) error {
			if c.Name != "test 1" {
				t.Errorf("the client is %q", c.Name)
			}
			c.Log("confined to somewhere")
			run.Note = "[a note]"
			return nil
		},
	})
	if err := p.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "info"}); err != nil {
		t.Fatal(err)
	}
	first, second := text(p.call(t, "stat", `{"path":"."}`)), text(p.call(t, "stat", `{"path":"."}`))
	if !strings.HasPrefix(first, "[a note]\n") || strings.Contains(second, "note") {
		t.Errorf("%q, then %q", first, second)
	}
	select {
	case m := <-heard:
		if m.Data != "confined to somewhere" || m.Level != "info" {
			t.Errorf("%+v", m)
		}
	case <-time.After(10 * time.Second):
		t.Error("nothing was heard")
	}
}

// TestClose holds that a server which is closed ends what runs, refuses what
// comes, and that its runs are finished.
func TestClose(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	p.call(t, "stat", `{"path":"."}`)
	over := make(chan bool)
	go func() {
		defer close(over)
		_, _ = p.CallTool(context.Background(), &sdk.CallToolParams{Name: "codemode", Arguments: map[string]any{"code": "for (;;) await new Promise(r => setTimeout(r, 5))"}}) // it is cut off
	}()
	time.Sleep(50 * time.Millisecond) // whether it runs or only comes, it must end
	p.server.Close()
	select {
	case <-over:
	case <-time.After(10 * time.Second):
		t.Fatal("a script outlives its server")
	}
	if r := p.logged(t); r.Status != "finished" {
		t.Errorf("the journal says %s", r.Status)
	}
	p.server.Close()
}

//lint:file-ignore SA1019 The revisions of the protocol that are served have roots and logging, see versions.

package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings/mcp"
	"codemode/ops"
	"codemode/ops/opstest"
)

// TestRoots holds that what a client offers confines, escapes and stray bytes in
// the address included.
func TestRoots(t *testing.T) {
	t.Parallel()
	w := worldOf(t, `mkdir -p "$(printf 'my proj/caf\351')"; cd my*; printf a > a; printf o > ../outside; cd caf*; printf b > b`)
	for uri, path := range map[string]string{
		"/my%20proj": "a", "/my%20proj/": "a", "/my%20proj/caf%E9/../caf%E9": "b",
	} {
		for _, host := range []string{"", "localhost"} {
			p := connect(t, w, setting{roots: []*sdk.Root{{URI: "file://" + host + w.W + uri}}})
			if r := p.receipt(t, ops.Copy, `{"path":"`+path+`","target":"copy"}`); !r.OK {
				t.Errorf("%s: %v", uri, r.Error)
			}
			if r := p.receipt(t, ops.Delete, `{"path":"../outside"}`); r.Error == nil || r.Error.Code != ops.OutsideRoot {
				t.Errorf("%s: %+v", uri, r.Error)
			}
		}
	}
}

// TestRootsInDoubt holds that nothing is done for a client whose roots are not
// known for certain.
func TestRootsInDoubt(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]any{
		"an error":        errors.New("not now"),
		"another scheme":  "https://example.org/",
		"another machine": "file://server/share",
		"a bare path":     "/tmp",
		"no address":      "%zz",
		"a query":         "file:///tmp?x",
		"a NUL byte":      "file:///tmp/a%00b",
		"an opaque one":   "file:tmp",
		"nothing at all":  json.RawMessage(`{"roots":[null]}`),
		"another shape":   json.RawMessage(`{"roots":"all"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := worldOf(t, "mkdir proj; printf a > proj/a")
			o := setting{client: sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{RootsV2: &sdk.RootCapabilities{}}}}
			p := connectAnswering(t, w, o, func(ctx context.Context) (sdk.Result, error) {
				switch a := answer.(type) {
				case error:
					return nil, a
				case string:
					return &sdk.ListRootsResult{Roots: []*sdk.Root{{URI: a}}}, nil
				}
				return &rawResult{data: answer.(json.RawMessage)}, nil
			})
			for tool, args := range map[string]string{"delete": `{"path":"a"}`, "read": `{"path":"a"}`, "codemode": `{"code":"return 1"}`} {
				r := p.call(t, tool, args)
				if !r.IsError || !strings.Contains(text(r), "nothing is done") {
					t.Errorf("%s: %s", tool, text(r))
				}
			}
			w.Check(t, "test -f proj/a")
		})
	}
}

// TestRootsNeverSaid holds that a client which has roots and is silent about
// them keeps nothing waiting for ever.
func TestRootsNeverSaid(t *testing.T) {
	t.Parallel()
	w := worldOf(t, "mkdir proj; printf a > proj/a")
	silent := make(chan bool)
	t.Cleanup(func() { close(silent) })
	p := connectAnswering(t, w, setting{client: sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{RootsV2: &sdk.RootCapabilities{}}}}, func(ctx context.Context) (sdk.Result, error) {
		select {
		case <-silent:
		case <-ctx.Done():
		}
		return nil, errors.New("too late")
	})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := p.CallTool(ctx, &sdk.CallToolParams{Name: "delete", Arguments: map[string]any{"path": "a"}}); err == nil {
		t.Error("it was done")
	}
	w.Check(t, "test -f proj/a")
}

// TestRootsChange holds that other roots than before are looked at before the
// next call, and that nothing is done where the host does not agree.
func TestRootsChange(t *testing.T) {
	t.Parallel()
	w := worldOf(t, "mkdir -p proj other; printf a > proj/a; printf b > proj/b; printf c > proj/c")
	confirmed := 0
	p := connect(t, w, setting{
		roots: []*sdk.Root{{URI: "file://" + w.W + "/proj"}},
		opened: func(run *mcp.Run, c mcp.Client) error {
			run.Confirm = func(roots []string) error {
				confirmed++
				if roots[0] != c.Roots[0] {
					return errors.New("the roots have changed")
				}
				return nil
			}
			return nil
		},
	})
	if r := p.receipt(t, ops.Delete, `{"path":"a"}`); !r.OK {
		t.Fatal(r.Error)
	}
	p.client.AddRoots(&sdk.Root{URI: "file://" + w.W + "/proj/", Name: "again"})
	p.eventually(t, func() bool {
		p.call(t, "stat", `{"path":"b"}`)
		return confirmed > 0
	})
	if r := p.receipt(t, ops.Delete, `{"path":"b"}`); !r.OK {
		t.Errorf("the same root: %v", r.Error)
	}
	p.client.AddRoots(&sdk.Root{URI: "file://" + w.W + "/other"})
	p.client.RemoveRoots("file://"+w.W+"/proj", "file://"+w.W+"/proj/")
	p.eventually(t, func() bool {
		r := p.call(t, "stat", `{"path":"c"}`)
		return r.IsError && strings.Contains(text(r), "the roots have changed")
	})
	if r := p.call(t, "delete", `{"path":"c"}`); !r.IsError || !strings.Contains(text(r), "the roots have changed") {
		t.Errorf("another root: %s", text(r))
	}
	w.Check(t, "test -f proj/c")
}

// eventually waits for what a notification brings about.
func (p *peer) eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for range 500 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it never came about")
}

// connectAnswering connects a client that answers for its roots like this.
func connectAnswering(t *testing.T, w opstest.World, o setting, answer func(context.Context) (sdk.Result, error)) *peer {
	t.Helper()
	o.middleware = func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method == "roots/list" {
				return answer(ctx)
			}
			return next(ctx, method, req)
		}
	}
	return connect(t, w, o)
}

// rawResult is a result of a shape that the SDK does not know.
type rawResult struct {
	sdk.ListRootsResult
	data json.RawMessage
}

func (r *rawResult) MarshalJSON() ([]byte, error) { return r.data, nil }

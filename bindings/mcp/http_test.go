package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings"
	"codemode/bindings/mcp"
	"codemode/ops"
	"codemode/ops/journal"
	"codemode/ops/opstest"
)

const token = "a-token-that-is-long-enough"

// bearer adds the token to requests.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// web serves a world over HTTP.
func web(t *testing.T, w opstest.World, o mcp.HTTP) (*httptest.Server, string) {
	t.Helper()
	p := &peer{journal: filepath.Join(filepath.Dir(w.W), "journal")}
	server := mcp.New(mcp.Config{Open: p.open(w, setting{})})
	o.Token = token
	handler, err := server.Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.Close()
		s.CloseClientConnections()
		s.Close()
	})
	return s, p.journal
}

// dial connects a client over HTTP.
func dial(t *testing.T, s *httptest.Server, o sdk.ClientOptions) *peer {
	t.Helper()
	p := &peer{client: sdk.NewClient(&sdk.Implementation{Name: "web", Version: "1"}, &o)}
	p.tap = &tap{Transport: &sdk.StreamableClientTransport{Endpoint: s.URL + mcp.Path, HTTPClient: &http.Client{Transport: bearer{token}}}}
	var err error
	if p.ClientSession, err = p.client.Connect(t.Context(), p.tap, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.ClientSession.Close() })
	return p
}

// TestHTTP holds that each session over HTTP is a connection of its own, with
// questions, and ends with its client.
func TestHTTP(t *testing.T) {
	t.Parallel()
	w := worldOf(t, tracked)
	s, dir := web(t, w, mcp.HTTP{})
	asks := dial(t, s, sdk.ClientOptions{ElicitationHandler: answering(true)})
	mute := dial(t, s, sdk.ClientOptions{})
	if r := mute.receipt(t, ops.Delete, `{"path":"t"}`); r.Error == nil || r.Error.Code != ops.ConfirmationRequired || r.Seq != 1 {
		t.Errorf("%+v", r.Error)
	}
	if r := asks.receipt(t, ops.Delete, `{"path":"t"}`); !r.OK || r.Seq != 1 {
		t.Errorf("%+v %v", r, r.Error)
	}
	if rep, _ := asks.run(t, code(`globalThis.n = 1; await tools.delete({path: "u"})`, "s")); !rep.OK || rep.Operations[0].Seq != 2 {
		t.Errorf("%+v", rep.Error)
	}
	if rep, _ := mute.run(t, code(`return typeof n`, "s")); string(rep.Value) != `"undefined"` {
		t.Errorf("one client sees the other's globals: %s", rep.Value)
	}
	asks.Close()
	mute.Close()
	finished(t, dir, 2)
	w.Check(t, "! test -e proj/t")
}

// finished waits until all of n journals say that their run has ended.
func finished(t *testing.T, dir string, n int) {
	t.Helper()
	var states []string
	for range 500 {
		states = nil
		ids, _ := journal.IDs(dir)
		for _, id := range ids {
			if record, err := journal.Read(dir, id); err == nil {
				states = append(states, bindings.Rebuild(record.Lines, record.Running).Status)
			}
		}
		if len(states) == n && strings.Count(strings.Join(states, " "), "finished") == n {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("the journals say %q, want %d finished", states, n)
}

// TestHTTPDoor holds who is let in.
func TestHTTPDoor(t *testing.T) {
	t.Parallel()
	s, dir := web(t, worldOf(t, "mkdir proj"), mcp.HTTP{Hosts: []string{"dev.example.org"}})
	for name, tt := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"as it should be":                   {func(*http.Request) {}, http.StatusOK},
		"no token":                          {func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"another token":                     {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token+"x") }, http.StatusUnauthorized},
		"the token's beginning":             {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token[:10]) }, http.StatusUnauthorized},
		"another scheme":                    {func(r *http.Request) { r.Header.Set("Authorization", "Basic "+token) }, http.StatusUnauthorized},
		"two tokens":                        {func(r *http.Request) { r.Header.Add("Authorization", "Bearer x") }, http.StatusUnauthorized},
		"the token in the query":            {func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "token=" + token }, http.StatusUnauthorized},
		"a rebound name":                    {func(r *http.Request) { r.Host = "evil.example.com" }, http.StatusForbidden},
		"a rebound name, loopback in front": {func(r *http.Request) { r.Host = "127.0.0.1.evil.example.com" }, http.StatusForbidden},
		"no name":                           {func(r *http.Request) { r.Host = " " }, http.StatusForbidden},
		"localhost":                         {func(r *http.Request) { r.Host = "localhost:1234" }, http.StatusOK},
		"IPv6":                              {func(r *http.Request) { r.Host = "[::1]:1234" }, http.StatusOK},
		"a name of this machine":            {func(r *http.Request) { r.Host = "DEV.example.org." }, http.StatusOK},
		"a page of another site":            {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, http.StatusForbidden},
		"a page of another port":            {func(r *http.Request) { r.Header.Set("Origin", "http://localhost:3000") }, http.StatusForbidden},
		"a page without origin":             {func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"a page, said otherwise":            {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"the server's own page":             {func(r *http.Request) { r.Header.Set("Origin", "http://"+r.Host) }, http.StatusOK},
		"another path":                      {func(r *http.Request) { r.URL.Path = "/" }, http.StatusNotFound},
		"a preflight": {func(r *http.Request) {
			r.Method = http.MethodOptions
			r.Header.Del("Authorization")
			r.Header.Set("Origin", "http://x")
		}, http.StatusForbidden},
		"no session of that name": {func(r *http.Request) { r.Header.Set("Mcp-Session-Id", "guess") }, http.StatusNotFound},
		"another kind of content": {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType},
		"too much": {func(r *http.Request) {
			r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`), io.LimitReader(endless{}, 20<<20)))
			r.ContentLength = -1
		}, http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequest(http.MethodPost, s.URL+mcp.Path, strings.NewReader(hello))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+token)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			tt.change(req)
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
			if resp.StatusCode != tt.status || resp.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s, want %d: %s %v", resp.Status, tt.status, body, resp.Header)
			}
			if tt.status != http.StatusOK && strings.Contains(string(body), token) {
				t.Errorf("it tells the token: %s", body)
			}
		})
	}
	if ids, _ := journal.IDs(dir); len(ids) != 0 {
		t.Errorf("%d journals, although no tool was called", len(ids))
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// TestTokens that could be guessed or cannot be sent are refused.
func TestCheckToken(t *testing.T) {
	t.Parallel()
	for token, ok := range map[string]bool{"": false, "short": false, "long enough but blank": false, "long-enough-\x7f-and-odd": false, "0123456789abcdef": true} {
		if err := mcp.CheckToken(token); (err == nil) != ok {
			t.Errorf("%q: %v", token, err)
		}
	}
}

// TestHTTPEnds holds that a client which hangs up has its calls cancelled, and
// that one which is never heard of again is forgotten.
func TestHTTPEnds(t *testing.T) {
	t.Parallel()
	w := worldOf(t, "mkdir proj; printf a > proj/a")
	s, dir := web(t, w, mcp.HTTP{Idle: 200 * time.Millisecond})
	p := dial(t, s, sdk.ClientOptions{})
	running := make(chan bool)
	go func() {
		defer close(running)
		_, _ = p.CallTool(context.Background(), &sdk.CallToolParams{Name: "codemode", Arguments: json.RawMessage( // cut off below
			code(`await tools.copy({path: "a", target: "b"}); for (;;) await new Promise(r => setTimeout(r, 10))`, ""))})
	}()
	for range 500 {
		if _, err := w.Bash("test -e proj/b"); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	req, err := http.NewRequest(http.MethodDelete, s.URL+mcp.Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Mcp-Session-Id", p.ID())
	resp, err := bearer{token}.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusNoContent {
		t.Errorf("hanging up: %v %v", resp, err)
	}
	finished(t, dir, 1)
	<-running
	idle := dial(t, s, sdk.ClientOptions{})
	if r := idle.receipt(t, ops.Copy, `{"path":"a","target":"c"}`); !r.OK {
		t.Fatal(r.Error)
	}
	finished(t, dir, 2)
}

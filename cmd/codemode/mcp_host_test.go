//go:build linux

package main_test

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/ops"
)

const gitProject = "mkdir proj; cd proj; mkdir t; printf t > t/t; git init -q; git add .; git commit -qm t; printf u > u; "

// TestHostDecides holds that flags and both configuration files decide for a
// served client, too.
func TestHostDecides(t *testing.T) {
	w, c := serving(t, gitProject)
	for _, tt := range []struct {
		name, person, repository string
		flags                    []string
		code                     ops.Code
		questions                int
	}{
		{"ask", "", "", nil, ops.NotApproved, 1},
		{"denied by flag", "", "", []string{"--approve", "deny"}, ops.NotApproved, 0},
		{"denied by the repository", `approve = "allow"`, `approve = "deny"`, nil, ops.NotApproved, 0},
		{"protected", "", `protected = ["t"]`, []string{"--approve", "allow"}, ops.ProtectedTarget, 0},
		{"hook", "[[hooks.before_delete]]\nid = \"no\"\nscript = \"no.js\"", "", []string{"--approve", "allow"}, ops.HookDenied, 0},
		{"allowed by flag", "", "", []string{"--approve", "allow"}, "", 0}, // the last, since t is gone
	} {
		write(t, w.W+"/home/.config/codemode/config.toml", tt.person)
		write(t, w.W+"/home/.config/codemode/no.js", `return {decision: "deny", reason: "no"}`)
		write(t, w.W+"/proj/.codemode/config.toml", tt.repository)
		v := c.speak(t, canAsk, no, tt.flags...)
		r := v.receipt("delete", `{"path":"t"}`)
		var code ops.Code
		if r.Error != nil {
			code = r.Error.Code
		}
		if code != tt.code || len(v.questions()) != tt.questions {
			t.Errorf("%s: %s %v, %d questions", tt.name, code, r.Error, len(v.questions()))
		}
		v.end()
	}
}

// TestClientRoots holds which of a client's roots confines, and what host and
// client come to together.
func TestClientRoots(t *testing.T) {
	w, c := serving(t, "mkdir -p proj/sub other wide/in; printf a > proj/a; printf a > proj/sub/a; printf a > other/a; printf a > wide/a; printf a > wide/in/a; ln -s proj link")
	for _, tt := range []struct {
		name  string
		roots []string
		flags []string
		path  string // where the file a is taken to be; "": the call is refused
	}{
		{"one", []string{"proj"}, nil, "proj/a"},
		{"one elsewhere", []string{"other"}, nil, "other/a"},
		{"the one that holds the working directory", []string{"other", "proj"}, nil, "proj/a"},
		{"the innermost of those", []string{"", "proj"}, nil, "proj/a"},
		{"the first", []string{"other", "wide"}, nil, "other/a"},
		{"by a link", []string{"link"}, nil, "proj/a"},
		{"none that exists", []string{"gone"}, nil, ""},
		{"one that exists", []string{"gone", "other"}, nil, "other/a"},
		{"none", nil, nil, "proj/a"},
		{"the host's inside", []string{"proj"}, []string{"--root", w.W + "/proj/sub"}, "proj/sub/a"},
		{"the client's inside", []string{"wide/in"}, []string{"--root", w.W + "/wide"}, "wide/in/a"},
		{"apart", []string{"other"}, []string{"--root", w.W + "/wide"}, ""},
	} {
		v := c.start(t, nil, tt.flags...)
		var uris []string
		for _, root := range tt.roots {
			uris = append(uris, "file://"+w.W+"/"+root)
		}
		v.offerRoots(uris...)
		v.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"wire","version":"1"},"capabilities":{"roots":{}}}}`)
		v.await(0)
		v.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		result := v.call("delete", `{"path":"no-such"}`)
		switch {
		case tt.path == "" && result.IsError && len(result.StructuredContent) == 0:
		case tt.path != "" && strings.Contains(string(result.StructuredContent), w.W+"/"+strings.TrimSuffix(tt.path, "a")+"no-such"):
		default:
			t.Errorf("%s: %s %s", tt.name, result.text(), result.StructuredContent)
		}
		v.end()
	}
}

// TestWideRootMakesNothingAskLess holds that a root around the project, which
// the client offers, confines and leaves the project what it is.
func TestWideRootMakesNothingAskLess(t *testing.T) {
	w, c := serving(t, gitProject+"cd ..; printf o > outside; mkdir -p proj/.codemode; printf 'protected = [\"u\"]' > proj/.codemode/config.toml")
	v := c.start(t, nil)
	v.offerRoots("file://" + w.W)
	v.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"wire","version":"1"},"capabilities":{"roots":{}}}}`)
	v.await(0)
	v.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for path, want := range map[string]ops.Code{
		"outside": ops.ConfirmationRequired, "proj/t": ops.ConfirmationRequired, "proj/u": ops.ProtectedTarget, "proj": ops.ProtectedTarget,
		"home/.config": ops.ProtectedTarget, "../x": ops.OutsideRoot,
	} {
		r := v.receipt("delete", `{"path":"`+path+`"}`)
		if r.Error == nil || r.Error.Code != want {
			t.Errorf("%s: %v, want %s", path, r.Error, want)
		}
	}
	v.end()
}

// TestServedHTTP holds that the built server serves over HTTP what it serves
// over its standard input, questions included, and ends cleanly.
func TestServedHTTP(t *testing.T) {
	w, c := serving(t, gitProject)
	for _, tt := range []struct{ name, env, file string }{
		{"made", "", ""}, {"from the environment", "0123456789abcdef", ""}, {"from a file", "", "fedcba9876543210"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		args := []string{"mcp", "--http", "localhost:0"}
		token := tt.env + tt.file
		if tt.file != "" {
			write(t, w.W+"/token", tt.file+"\n")
			if err := os.Chmod(w.W+"/token", 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, "--http-token-file", w.W+"/token")
		}
		served := c
		served.env = append(served.env, "CODEMODE_HTTP_TOKEN="+tt.env)
		cmd := served.prepare(ctx, args...)
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := bufio.NewReader(stderr)
		line, err := said.ReadString('\n')
		url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`).FindString(line)
		if err != nil || url == "" {
			t.Fatalf("%v: %q", err, line)
		}
		if token == "" {
			line, _ := said.ReadString('\n')
			_, token, _ = strings.Cut(strings.TrimSpace(line), "Bearer ")
			if len(token) < 20 {
				t.Fatalf("no token in %q", line)
			}
		}
		client := sdk.NewClient(&sdk.Implementation{Name: "web", Version: "1"}, &sdk.ClientOptions{
			ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": strings.Contains(r.Params.Message, "/proj/t")}}, nil
			},
		})
		session, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		r, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "codemode", Arguments: map[string]any{"code": `await tools.delete({path: "t"}); await tools.copy({path: "u", target: "t/u"})`}})
		if err != nil || r.IsError {
			t.Errorf("%s: %v %+v", tt.name, err, r)
		}
		resp, err := http.Post(url, "application/json", strings.NewReader("{}"))
		if err != nil || resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("without a token: %v %v", resp, err)
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the status says it
		if status := cmd.ProcessState.ExitCode(); status != 130 {
			t.Errorf("%s: status %d", tt.name, status)
		}
		if r := c.recorded(t); r.Status != "finished" || len(r.Operations) != 2 {
			t.Errorf("%s: %+v", tt.name, r)
		}
		session.Close()
		if out, err := w.Bash("cd proj && git add -A"); err != nil {
			t.Fatal(string(out))
		}
	}
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestJournalOfScripts holds that the journal of a connection has the text of
// each script.
func TestJournalOfScripts(t *testing.T) {
	_, c := serving(t, "mkdir proj")
	v := c.speak(t, cannotAsk, nil)
	v.call("codemode", `{"code":"return 'first script'"}`)
	v.call("codemode", `{"code":"return 'second script'","session":"s"}`)
	v.end()
	var r struct {
		Source  string
		Scripts []struct{ Script, Session, SHA256 string }
	}
	c.run(t, "", "log", "last", "--json").document(t, &r)
	if r.Source != "mcp" || len(r.Scripts) != 2 || r.Scripts[0].Script != "return 'first script'" || r.Scripts[1].Session != "s" || len(r.Scripts[1].SHA256) != 64 {
		t.Errorf("%+v", r)
	}
	if out := string(c.run(t, "", "log", "last").stdout); !strings.Contains(out, "    return 'first script'\n") || !strings.Contains(out, "    return 'second script'\n") {
		t.Errorf("%s", out)
	}
}

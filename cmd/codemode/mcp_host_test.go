//go:build linux

package main_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
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
		var uris []string
		for _, root := range tt.roots {
			uris = append(uris, "file://"+w.W+"/"+root)
		}
		v := c.offering(t, uris, tt.flags...)
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
	v := c.offering(t, []string{"file://" + w.W})
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

// TestRootOutsideGit holds that a root which the client offers is no boundary
// that the person drew: where nothing could bring a directory back, they are
// asked. Inside of one that they drew with --root, they are not.
func TestRootOutsideGit(t *testing.T) {
	w, c := serving(t, "mkdir -p plain/d plain/sub/d; printf a > plain/d/a; printf a > plain/sub/d/a")
	c.dir = w.W + "/plain"
	for _, tt := range []struct {
		root  string
		flags []string
		code  ops.Code
	}{
		{"plain", nil, ops.ConfirmationRequired}, {"plain/sub", nil, ops.ConfirmationRequired},
		{"plain/sub", []string{"--root", w.W + "/plain"}, ""}, {"plain", []string{"--root", w.W + "/plain"}, ""},
	} {
		v := c.offering(t, []string{"file://" + w.W + "/" + tt.root}, tt.flags...)
		r := v.receipt("delete", `{"path":"d"}`)
		var code ops.Code
		if r.Error != nil {
			code = r.Error.Code
		}
		if code != tt.code {
			t.Errorf("%s %q: %v, want %s", tt.root, tt.flags, r.Error, tt.code)
		}
		v.end()
	}
}

// TestServedHTTP holds that the built server serves over HTTP what it serves
// over its standard input, questions included, and ends cleanly.
func TestServedHTTP(t *testing.T) {
	w, c := serving(t, gitProject)
	write(t, w.W+"/token", "fedcba9876543210\n")
	if err := os.Chmod(w.W+"/token", 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, env, file string }{
		{"made", "", ""}, {"from the environment", "0123456789abcdef", ""}, {"from a file", "", w.W + "/token"},
	} {
		served := c
		served.env = append(served.env, "CODEMODE_HTTP_TOKEN="+tt.env)
		var flags []string
		if tt.file != "" {
			flags = []string{"--http-token-file", tt.file}
		}
		web := served.listen(t, flags...)
		if tt.env != "" {
			web.token = tt.env
		} else if tt.file != "" {
			web.token = "fedcba9876543210"
		}
		client := sdk.NewClient(&sdk.Implementation{Name: "web", Version: "1"}, &sdk.ClientOptions{
			ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": strings.Contains(r.Params.Message, "/proj/t")}}, nil
			},
		})
		session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.url, HTTPClient: &http.Client{Transport: bearer(web.token)}}, nil)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "codemode", Arguments: map[string]any{"code": `await tools.delete({path: "t"}); await tools.copy({path: "u", target: "t/u"})`}})
		if err != nil || r.IsError {
			t.Errorf("%s: %v %+v", tt.name, err, r)
		}
		resp, err := http.Post(web.url, "application/json", strings.NewReader("{}"))
		if err != nil || resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("without a token: %v %v", resp, err)
		}
		if status := web.stop(); status != 130 {
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

// listening is a server that is reached over HTTP.
type listening struct {
	url   string
	token string // if it was made by the server
	pid   int
	stop  func() (status int) // ends the server
}

// listen starts one, which ends with the test.
func (c command) listen(t *testing.T, flags ...string) *listening {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), max(c.limit, 2*time.Minute))
	cmd := c.prepare(ctx, append([]string{"mcp", "--http", "localhost:0"}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	l := &listening{stop: sync.OnceValue(func() int {
		defer cancel()
		_ = cmd.Process.Signal(syscall.SIGTERM) // one that has ended already shows in its status
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode()
	})}
	l.pid = cmd.Process.Pid
	t.Cleanup(func() { l.stop() })
	said := bufio.NewReader(stderr)
	line, err := said.ReadString('\n')
	if l.url = regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`).FindString(line); err != nil || l.url == "" {
		t.Fatalf("%v: %q", err, line)
	}
	given := slices.Contains(flags, "--http-token-file") || slices.ContainsFunc(c.env, func(v string) bool {
		return strings.HasPrefix(v, "CODEMODE_HTTP_TOKEN=") && v != "CODEMODE_HTTP_TOKEN="
	})
	if !given {
		line, _ := said.ReadString('\n')
		if _, l.token, _ = strings.Cut(strings.TrimSpace(line), "Bearer "); len(l.token) < 20 {
			t.Fatalf("no token in %q", line)
		}
	}
	go io.Copy(io.Discard, said)
	return l
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
		Source string
		Inputs []struct{ Script, Session, SHA256 string }
	}
	c.run(t, "", "log", "last", "--json").document(t, &r)
	if r.Source != "mcp" || len(r.Inputs) != 2 || r.Inputs[0].Script != "return 'first script'" || r.Inputs[1].Session != "s" || len(r.Inputs[1].SHA256) != 64 {
		t.Errorf("%+v", r)
	}
	if out := string(c.run(t, "", "log", "last").stdout); !strings.Contains(out, "1> return 'first script'\n") || !strings.Contains(out, "2> return 'second script'\n") {
		t.Errorf("%s", out)
	}
}

//go:build linux

package main_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codemode/ops"
	"codemode/ops/opstest"
)

// foreignVariable turns on the tests with clients of others, which npm must
// bring first.
const foreignVariable = "CODEMODE_FOREIGN_CLIENTS"

// foreign installs the clients of testdata/foreign, in exactly the versions
// named there, into a cache, and returns the directory.
func foreign(t *testing.T) string {
	t.Helper()
	if os.Getenv(foreignVariable) == "" {
		t.Skip("needs clients that npm brings: set " + foreignVariable + "=1")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("SKIPPED, there is no npm: ", err)
	}
	wanted, err := os.ReadFile("testdata/foreign/package.json")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("SKIPPED, there is no cache: ", err)
	}
	dir := filepath.Join(cache, "codemode", fmt.Sprintf("foreign-%x", sha256.Sum256(wanted))[:24])
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "package.json"), string(wanted))
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--omit=dev")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, npm cannot bring the clients: %v\n%s", err, out)
	}
	write(t, filepath.Join(dir, "complete"), "")
	return dir
}

const foreignProject = `mkdir -p proj/yes proj/yes-too proj/no; cd proj; printf 1 > yes/f; cp yes/f yes-too; printf 2 > no/f; git init -q; git add .; git commit -qm x; printf 3 > plain; printf 4 > "$(printf 'caf\351')"; printf o > ../outside`

// TestJavaScriptSDK drives the built server with the official SDK of another
// language.
func TestJavaScriptSDK(t *testing.T) {
	dir := foreign(t)
	w, c := serving(t, foreignProject)
	script, err := filepath.Abs("testdata/foreign/client.js")
	if err != nil {
		t.Fatal(err)
	}
	web := c.listen(t)
	node := exec.Command(filepath.Join(dir, "node_modules/.bin/node"), script, c.bin, c.dir, web.url, web.token)
	node.Dir, node.Env = dir, w.Env()
	if out, err := node.CombinedOutput(); err != nil || !strings.Contains(string(out), "all well") {
		t.Errorf("%v\n%s", err, out)
	}
	w.Check(t, `! test -e proj/yes && ! test -e proj/yes-too && test -f proj/no/f && test -f outside && test -f "$(printf 'proj/caf\377')"`)
}

// TestInspector drives the built server with the MCP inspector's command line,
// which also judges the schemas.
func TestInspector(t *testing.T) {
	dir := foreign(t)
	w, c := serving(t, foreignProject)
	list, err := inspect(t, dir, w, c, "--method", "tools/list", "--strict")
	if err != nil {
		t.Errorf("tools/list: %v", err)
	}
	var tools struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(list, &tools); err != nil || len(tools.Tools) != 11 {
		t.Errorf("%v: %s", err, list)
	}
	done, err := inspect(t, dir, w, c, "--method", "tools/call", "--tool-name", "move", "--tool-arg", "src=plain", "dst=new/plain", "create_dirs=true")
	var r struct{ StructuredContent ops.Receipt }
	if err != nil || json.Unmarshal(done, &r) != nil || !r.StructuredContent.OK {
		t.Errorf("%v: %s", err, done)
	}
	if out, err := inspect(t, dir, w, c, "--method", "tools/call", "--tool-name", "delete", "--tool-arg", "path=no"); err == nil {
		t.Errorf("a refusal passes for a success: %s", out)
	}
	w.Check(t, "test -f proj/new/plain && test -f proj/no/f")
}

func inspect(t *testing.T, dir string, w opstest.World, c command, args ...string) ([]byte, error) {
	t.Helper()
	bin := filepath.Join(dir, "node_modules/.bin")
	cmd := exec.Command(filepath.Join(bin, "node"), append([]string{filepath.Join(bin, "mcp-inspector"), "--cli", c.bin, "mcp"}, args...)...)
	cmd.Dir, cmd.Env = c.dir, append(w.Env(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && errors.As(err, &exit) {
		t.Logf("%s", exit.Stderr)
	}
	return out, err
}

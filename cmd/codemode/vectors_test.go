//go:build linux

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

// TestVectors is the route that a person takes, and an agent with a shell: the
// built command, a process for each run.
func TestVectors(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	opstest.Run(t, func(t *testing.T, w opstest.World, v opstest.Vector) []ops.Receipt {
		c := command{bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env(), nobody: slices.Contains(v.Needs, opstest.NonRoot)}
		if v.Host.Cwd != "" {
			c.dir = w.Expand(v.Host.Cwd)
		}
		if _, err := os.Stat(c.dir); err != nil {
			c.dir = w.W
		}
		c.env = append(c.env, "PWD="+c.dir) // as a shell has it, links and all
		writeConfig(t, w, hostConfig{
			Ask: v.Host.Ask, Protected: v.Host.Protected, Temporary: expandAll(w, v.Host.Temporary),
			Hooks: hooksOf(expandAll(w, v.Host.Hook), v.Host.HookLimit),
		})
		if c.nobody {
			openTo(t, w)
		}
		var flags []string
		if v.Host.Approve != "" {
			flags = append(flags, "--approve", v.Host.Approve)
		}
		if v.Host.Root != "" {
			flags = append(flags, "--root", w.Expand(v.Host.Root))
		}
		if len(v.Calls) == 1 {
			if args, ok := asArguments(v.Calls[0]); ok {
				command := append([]string{string(v.Calls[0].Operation), "--json"}, flags...)
				receipts, _ := c.receipts(t, "", append(command, args...)...)
				return receipts
			}
		}
		receipts, _ := c.receipts(t, asScript(v.Calls), append([]string{"run", "--json"}, append(flags, "-")...)...)
		return receipts
	})
}

// asArguments spells a call the way a command line does, if that can be.
func asArguments(call opstest.Call) ([]string, bool) {
	value, err := plain.Parse(call.Args)
	object, ok := value.(*plain.Object)
	if err != nil || !ok {
		return nil, false
	}
	var flags, paths []string
	for _, name := range []string{"path", "target"} {
		given, ok := object.Get(name)
		if !ok {
			continue
		}
		path, ok := given.(string)
		if !ok || strings.ContainsRune(path, 0) {
			return nil, false
		}
		paths = append(paths, path)
	}
	named := len(paths)
	if given, ok := object.Get("overwrite"); ok {
		overwrite, ok := given.(bool)
		if !ok {
			return nil, false
		}
		named++
		flags = append(flags, fmt.Sprintf("--overwrite=%t", overwrite))
	}
	want := 2
	if call.Operation == ops.Delete {
		want = 1
	}
	if named != len(object.Members) || len(paths) != want {
		return nil, false
	}
	return append(append(flags, "--"), paths...), true
}

// asScript makes the calls one after the other, whatever becomes of each.
func asScript(calls []opstest.Call) string {
	var b strings.Builder
	for _, call := range calls {
		fmt.Fprintf(&b, "try { await tools.%s(%s) } catch (e) { if (!(e instanceof OperationError)) throw e }\n", call.Operation, call.Args)
	}
	return b.String()
}

// hostConfig is a person's configuration file.
type hostConfig struct {
	Protected []string       `toml:"protected,omitempty"`
	Temporary []string       `toml:"temporary,omitempty"`
	Ask       policy.Ask     `toml:"ask"`
	Hooks     map[string]any `toml:"hooks,omitempty"`
}

// hooksOf configures a before-delete command hook.
func hooksOf(command []string, timeout string) map[string]any {
	if len(command) == 0 {
		return nil
	}
	hook := map[string]any{"id": "vector", "command": command}
	if timeout != "" {
		hook["timeout"] = timeout
	}
	return map[string]any{"before_delete": []map[string]any{hook}}
}

// writeConfig gives the person of a world their configuration.
func writeConfig(t *testing.T, w opstest.World, config hostConfig) {
	t.Helper()
	data, err := toml.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(w.W, "home/.config/codemode")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func expandAll(w opstest.World, all []string) []string {
	var out []string
	for _, s := range all {
		out = append(out, w.Expand(s))
	}
	return out
}

// The spelling on the command line must keep what the vector says.
func TestAsArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"path":"a","target":"b"}`:                  `-- a b`,
		`{"path":"-rf","target":"b\udcff"}`:          "-- -rf b\xff",
		`{"path":"a","target":"b","overwrite":true}`: `--overwrite=true -- a b`,
		`{"path":"a"}`:                               ``,
		`{"path":"a","target":"b\u0000"}`:            ``,
		`{"path":"a","target":"b","force":true}`:     ``,
		`{"src":"a"}`:                                ``,
		`["a","b"]`:                                  ``,
	} {
		got, ok := asArguments(opstest.Call{Operation: ops.Copy, Args: json.RawMessage(args)})
		if ok != (want != "") || strings.Join(got, " ") != want {
			t.Errorf("%s: %q %v", args, got, ok)
		}
	}
}

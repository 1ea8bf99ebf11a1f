package opstest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/policy"
)

// Route carries out the calls of a vector in its world, one after the other
// whatever becomes of each, and returns the receipts. A route that cannot meet
// one of the vector's needs skips.
type Route func(t *testing.T, w World, v Vector) []ops.Receipt

// Run holds a route to all vectors, or to those that it can express.
func Run(t *testing.T, route Route, only ...func(Vector) bool) {
	for _, v := range Vectors(t) {
		if slices.ContainsFunc(only, func(can func(Vector) bool) bool { return !can(v) }) {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t, v.Needs...)
			w.Setup(t, v.Setup, v.Bare)
			for i := range v.Calls {
				v.Calls[i].Args = json.RawMessage(w.Expand(string(v.Calls[i].Args)))
			}
			for i := range v.Want {
				v.Want[i].Fields = w.expandFields(v.Want[i].Fields)
			}
			before := w.Listing(t)
			receipts := route(t, w, v)
			check(t, v, receipts)
			w.Check(t, v.Disk)
			untouched := !slices.ContainsFunc(v.Want, func(w Want) bool { return w.Effect != ops.NotApplied })
			if after := w.Listing(t); untouched && len(v.Host.Hook) == 0 && after != before {
				t.Errorf("something was changed although nothing was applied:\n%s", difference(before, after))
			}
			if t.Failed() {
				t.Logf("promise: %s", v.About)
			}
		})
	}
}

func check(t *testing.T, v Vector, receipts []ops.Receipt) {
	t.Helper()
	if len(receipts) != len(v.Want) {
		t.Fatalf("%d receipts for %d calls", len(receipts), len(v.Want))
	}
	for i, r := range receipts {
		want := v.Want[i]
		var code ops.Code
		message := ""
		if r.Error != nil {
			code, message = r.Error.Code, r.Error.Message
		}
		if r.Effect != want.Effect || code != want.Code || r.OK != (want.Effect == ops.Applied) || r.Seq != i+1 {
			t.Errorf("call %d, %s %s:\n got %s %s (%s), seq %d\nwant %s %s", i+1, v.Calls[i].Operation, v.Calls[i].Args, r.Effect, code, message, r.Seq, want.Effect, want.Code)
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		json.Unmarshal(data, &got)
		if !contains(got, want.Fields) {
			t.Errorf("call %d: receipt %s lacks %v", i+1, data, want.Fields)
		}
		if (r.Effect == ops.Unknown) != (r.Evidence != nil) {
			t.Errorf("call %d: effect %s with evidence %v", i+1, r.Effect, r.Evidence)
		}
	}
}

func (w World) expandFields(fields map[string]any) map[string]any {
	data, _ := json.Marshal(fields)
	var out map[string]any
	json.Unmarshal([]byte(w.Expand(string(data))), &out)
	return out
}

// difference shows the lines that only one of two listings has.
func difference(before, after string) string {
	var b strings.Builder
	only := func(sign, these, those string) {
		have := map[string]bool{}
		for line := range strings.Lines(those) {
			have[line] = true
		}
		for line := range strings.Lines(these) {
			if !have[line] {
				b.WriteString(sign + line)
			}
		}
	}
	only("- ", before, after)
	only("+ ", after, before)
	return b.String()
}

// contains reports whether got has all that want has, objects compared in part.
func contains(got, want any) bool {
	w, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(got, want)
	}
	g, ok := got.(map[string]any)
	if !ok {
		return len(w) == 0
	}
	for k, v := range w {
		if !contains(g[k], v) {
			return false
		}
	}
	return true
}

// Config is the session of a vector's host.
func (w World) Config(h Host) ops.Config {
	cfg := ops.Config{
		Dir: filepath.Join(w.W, "proj"), Homes: []string{filepath.Join(w.W, "home")}, Ask: h.Ask, Protected: h.Protected,
		Root: w.Expand(h.Root),
	}
	if h.Cwd != "" {
		cfg.Dir = w.Expand(h.Cwd)
	}
	for _, dir := range h.Temporary {
		cfg.Temporary = append(cfg.Temporary, w.Expand(dir))
	}
	if len(h.Hook) > 0 {
		limit, _ := time.ParseDuration(h.HookLimit)
		var command []string
		for _, arg := range h.Hook {
			command = append(command, w.Expand(arg))
		}
		cfg.Hooks = []ops.Hook{ops.CommandHook("vector", command, limit)}
	}
	if h.Approve == "allow" || h.Approve == "deny" {
		cfg.Approve = func(context.Context, policy.Question) (bool, error) { return h.Approve == "allow", nil }
	}
	return cfg
}

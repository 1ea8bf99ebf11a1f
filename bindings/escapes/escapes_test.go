package escapes

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"codemode/ops"
	"codemode/ops/plain"
	"codemode/ops/policy"
	"codemode/runtime"
)

// TestCorpus holds that the cases are techniques of their own.
func TestCorpus(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, c := range Cases(t) {
		name := c.Family + "/" + c.Name
		for _, what := range []string{"name " + c.Name, "attack " + c.Attack, "script " + strings.Join(strings.Fields(c.Source), "")} {
			if other := seen[what]; other != "" {
				t.Errorf("%s and %s have the same %.60s", name, other, what)
			}
			seen[what] = name
		}
	}
}

// TestParseRefuses holds that a case that could not fail is no case.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no family":        "-- a.js --\n// x\nreturn 1\n//= 1\n",
		"no attack":        "f\n-- a.js --\nreturn 1\n//= 1\n",
		"no want":          "f\n-- a.js --\n// x\nreturn 1\n",
		"no script":        "f\n-- a.js --\n// x\n//= 1\n",
		"no JSON":          "f\n-- a.js --\n// x\nreturn 1\n//= one\n",
		"no operation":     "f\n-- a.js --\n// x\nreturn 1\n//= 1\n//= delete\n",
		"script after it":  "f\n-- a.js --\n// x\nreturn 1\n//= 1\nreturn 2\n",
		"file of no case":  "f\n-- a/x --\nx\n",
		"neither":          "f\n-- a.txt --\nx\n",
		"another's file":   "f\n-- a.js --\n// x\nreturn 1\n//= 1\n-- b/x --\nx\n",
		"an empty archive": "",
	} {
		if cases, err := parse("f", []byte(text)); err == nil {
			t.Errorf("%s: %+v", name, cases)
		}
	}
}

// TestCheckFinds holds that each thing that may go wrong is seen when it does.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	c := Case{Want: "1", Operations: []string{"delete applied"}}
	receipt := ops.Receipt{Seq: 1, Operation: ops.Delete, OK: true, Effect: ops.Applied, Path: "/w/proj/a", SourceKind: "file"}
	fine := func() (Result, state) {
		before := tree{"/w/outside/secret": "x", "/w/proj/a": "a", "/w/proj/tracked/kept": "k", "/w/proj/.git/HEAD": "h", "/w/proj/protected/kept": "p"}
		after := maps.Clone(before)
		delete(after, "/w/proj/a")
		return Result{OK: true, Value: "1", Operations: []ops.Receipt{receipt}},
			state{top: "/w", before: before, after: after, asked: []policy.Event{{Path: "/w/proj/a", Kind: "file"}}}
	}
	if r, s := fine(); len(check(c, r, s)) > 0 {
		t.Fatalf("finds what is not wrong: %q", check(c, r, s))
	}
	for name, wrong := range map[string]func(*Result, *state){
		"another value":               func(r *Result, _ *state) { r.Value = "2" },
		"a failure":                   func(r *Result, _ *state) { r.OK, r.Error = false, "x" },
		"no receipt":                  func(r *Result, _ *state) { r.Operations = nil },
		"one receipt more":            func(r *Result, _ *state) { r.Operations = append(r.Operations, receipt) },
		"a receipt that lies":         func(r *Result, s *state) { s.after["/w/proj/a"] = "a" },
		"another object gone":         func(r *Result, s *state) { delete(s.after, "/w/proj/tracked/kept") },
		"outside changed":             func(r *Result, s *state) { s.after["/w/outside/secret"] = "y" },
		"outside made":                func(r *Result, s *state) { s.after["/w/outside/new"] = "y" },
		"Git's own changed":           func(r *Result, s *state) { s.after["/w/proj/.git/HEAD"] = "y" },
		"protected removed":           func(r *Result, s *state) { delete(s.after, "/w/proj/protected/kept") },
		"made without a word":         func(r *Result, s *state) { s.after["/w/proj/new"] = "y" },
		"never asked":                 func(r *Result, s *state) { s.asked = nil },
		"asked about another":         func(r *Result, s *state) { s.asked[0].Path = "/w/proj/b" },
		"asked about a directory":     func(r *Result, s *state) { s.asked[0].Kind = "directory" },
		"a secret of the disk":        func(r *Result, s *state) { r.Said = "x" + Secret },
		"a secret of the environment": func(r *Result, s *state) { r.Said = SecretValue + "x" },
		"numbers with a gap":          func(r *Result, _ *state) { r.Operations[0].OK = false },
	} {
		r, s := fine()
		wrong(&r, &s)
		if len(check(c, r, s)) == 0 {
			t.Errorf("%s: not found", name)
		}
	}
}

// TestAWeakHostIsFound runs the attacks against a host that does what it is told:
// it has no policy, follows links, decodes loosely, and gives any file to import.
// That they do not succeed against ours says something only because they do here.
func TestAWeakHostIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("the checks themselves are held in memory")
	}
	t.Parallel()
	top := template(t)
	found := map[string]string{}
	for _, c := range Cases(t) {
		if !slices.Contains([]string{"arguments", "host", "modules", "paths", "pollution", "promises"}, c.Family) {
			continue // the others are out for the engine, not for the host
		}
		w := newWorld(t, top, c.Family+"-"+c.Name, c.Files)
		before := w.tree(t)
		h := &weakHost{dir: filepath.Join(w.W, "proj")}
		r := runtime.Run(context.Background(), runtime.Script{Name: "attack.js", Source: c.Source}, h, runtime.Options{Deadline: runtime.NewDeadline(10 * time.Second)})
		said, _ := json.Marshal(r)
		result := Result{OK: r.OK, Value: string(r.Value), Operations: h.receipts, Said: string(said) + h.said}
		if r.Error != nil {
			result.Kind, result.Error = r.Error.Kind, r.Error.Message
		}
		found[c.Family+"/"+c.Name] = strings.Join(check(c, result, state{top: w.W, before: before, after: w.tree(t), asked: w.asked(t)}), "\n")
	}
	for name, problem := range map[string]string{
		"paths/through-a-link":             "outside/new was made",
		"paths/dot-dot":                    "a secret was seen",
		"paths/link-as-the-object":         "outside/secret was changed",
		"paths/git-by-other-names":         ".git/config was changed",
		"paths/protected-by-detour":        "protected/kept was changed",
		"paths/tracked-in-two-steps":       "tracked/kept was changed",
		"pollution/sandbox-move-fields":    "operations",
		"arguments/field-in-another-case":  "the script came to",
		"arguments/approve-yourself":       "tracked/kept was changed",
		"modules/through-links":            "a secret was seen",
		"modules/symlink-made-by-a-move":   "a secret was seen",
		"arguments/changed-after-the-call": "the hook was asked about",
		"promises/return-thenable":         "tracked/kept was changed",
		"host/many-calls":                  "tracked/kept was changed",
		"promises/calls-after-the-end":     "tracked/kept was changed",
	} {
		if !strings.Contains(found[name], problem) {
			t.Errorf("%s: %q was not found, but %q", name, problem, found[name])
		}
	}
	n := 0
	for _, problems := range found {
		if problems != "" {
			n++
		}
	}
	if n < 40 {
		t.Errorf("only %d of %d attacks are seen to succeed", n, len(found))
	}
}

// weakHost is what a sandbox must not be given.
type weakHost struct {
	dir      string
	receipts []ops.Receipt
	said     string
}

func (*weakHost) Tools() []runtime.Tool {
	var all []runtime.Tool
	for _, name := range []string{"delete", "copy", "move", "write", "edit", "mkdir", "list", "stat", "read", "glob", "search"} {
		all = append(all, runtime.Tool{Name: name})
	}
	return all
}

func (h *weakHost) at(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(h.dir, path)
}

func (h *weakHost) Call(_ context.Context, c runtime.Call) runtime.Result {
	var args struct{ Path, Target, Src, Dst, Text string }
	_ = json.Unmarshal(c.Args, &args)
	if args.Src != "" {
		args.Path, args.Target = args.Src, args.Dst
	}
	from, to := h.at(args.Path), h.at(args.Target)
	if !filepath.IsAbs(args.Path) || strings.HasPrefix(from, filepath.Dir(h.dir)+"/") {
		h.change(c.Name, from, to, args.Text) // never beyond the test's own directory
	}
	if c.Name == "read" {
		text, _ := os.ReadFile(from)
		h.said += string(text)
	}
	r := ops.Receipt{Seq: len(h.receipts) + 1, Operation: ops.Operation(c.Name), OK: true, Effect: ops.Applied, Path: plain.Text(from), Target: plain.Text(to)}
	if slices.Contains(ops.Operations, r.Operation) {
		h.receipts = append(h.receipts, r)
	}
	data, _ := json.Marshal(r)
	return runtime.Result{Value: data}
}

func (h *weakHost) change(tool, from, to, text string) {
	if !within(from, filepath.Dir(h.dir)) || !within(to, filepath.Dir(h.dir)) || from == h.dir {
		return
	}
	switch tool {
	case "delete":
		os.RemoveAll(from)
	case "move":
		os.Rename(from, to)
	case "copy":
		data, _ := os.ReadFile(from)
		os.WriteFile(to, data, 0o644)
	case "write", "edit":
		os.WriteFile(from, []byte(text), 0o644)
	case "mkdir":
		os.MkdirAll(from, 0o755)
	}
}

func (*weakHost) Store(string, []byte) error { return nil }

func (*weakHost) Load(string) ([]byte, bool) { return nil, false }

func (h *weakHost) Module(specifier, importer string) (name, source string, err error) {
	name, source, err = runtime.ResolveModule(specifier, "script", func(path string) (string, error) {
		text, err := os.ReadFile(h.at(path))
		h.said += string(text)
		return string(text), err
	})
	return name, source, err
}

// TestReachFinds holds that what must not be reachable is seen where it is.
func TestReachFinds(t *testing.T) {
	t.Parallel()
	vm := goja.New()
	vm.Set("host", &weakHost{})
	vm.Set("struct", struct{ A int }{})
	vm.Set("slice", []string{"x"})
	vm.Set("call", (&weakHost{}).Module)
	vm.Set("read", func(name string) string { return name })
	for source, want := range map[string]string{
		"reach({a: [1, 'x', () => {}], b: new Map()})":               "",
		"reach(globalThis.GoError)":                                  "GoError",
		"reach({deep: {er: [host]}})":                                "reflect.methodValueCall",
		"reach({s: struct})":                                         "s.A: a field",
		"reach(slice)":                                               "0: a field",
		"reach(call)":                                                "(*weakHost).Module",
		"reach({get x() { return 1 }, y: read})":                     "escapes.TestReachFinds.func",
		"reach({__proto__: {process: {}}})":                          "process",
		"reach(Object.setPrototypeOf(() => {}, null))":               "another realm",
		"reach({a: {b: Object.assign(() => {}, {mainModule: {}})}})": "mainModule",
		"reach(Object.defineProperty({}, 'x', {get: Object.assign(function () {}, {execSync: 1})}))": "execSync",
	} {
		v, err := vm.RunString("{" + reach + "; " + source + ".join(' ') }")
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		if got := v.String(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s found %q, want %q", source, got, want)
		}
	}
}

package runtime_test

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// A snippet is the body of an async function and the value it returns.
type snippet struct {
	ID, Code string
	Expected any
}

func readSnippets(t testing.TB, file string) []snippet {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var snippets []snippet
	if err := json.Unmarshal(data, &snippets); err != nil {
		t.Fatal(err)
	}
	return snippets
}

// A filesHost is a project in memory with the tools that the snippets use.
type filesHost struct {
	fakeHost
	files map[string]string
}

func newFilesHost() *filesHost {
	return &filesHost{files: map[string]string{
		"src/a.ts":     "import { x } from './util';\nexport const a = x;\n// TODO: remove!\n\n",
		"src/b.ts":     "import { y } from \"./util\";\n// TODO: split the file..\n",
		"src/c.md":     "# hello\n",
		"package.json": `{"name":"demo","version":"1.0.0","scripts":{"test":"vitest"}}`,
	}}
}

func (h *filesHost) Tools() []runtime.Tool {
	return []runtime.Tool{{Name: "list"}, {Name: "read"}, {Name: "write"}}
}

func (h *filesHost) Call(_ context.Context, c runtime.Call) runtime.Result {
	var args struct{ Path, Dir, Content string }
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return failure("INVALID_ARGUMENTS", err.Error())
	}
	var result any
	switch c.Name {
	case "list":
		names := []string{}
		for _, name := range []string{"src/a.ts", "src/b.ts", "src/c.md"} {
			if strings.HasPrefix(name, args.Dir+"/") {
				names = append(names, name)
			}
		}
		result = names
	case "read":
		text, ok := h.files[args.Path]
		if !ok {
			return failure("ENOENT", "ENOENT: "+args.Path)
		}
		result = text
	case "write":
		h.files[args.Path] = args.Content
	}
	value, _ := json.Marshal(result)
	return runtime.Result{Value: value}
}

func checkSnippets(t *testing.T, snippets []snippet) {
	t.Helper()
	for _, s := range snippets {
		r := runtime.Run(context.Background(), runtime.Script{Source: s.Code}, newFilesHost(), runtime.Options{Deadline: runtime.NewDeadline(20 * time.Second)})
		if !r.OK {
			t.Errorf("%s: %s\n%s\n%s", s.ID, s.Code, r.Error.Message, r.Error.Stack)
			continue
		}
		var got any
		if err := json.Unmarshal(r.Value, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, s.Expected) {
			want, _ := json.Marshal(s.Expected)
			t.Errorf("%s: %s\n got %s\nwant %s", s.ID, s.Code, r.Value, want)
		}
	}
}

// TestLanguage holds the language against what Node.js makes of it.
func TestLanguage(t *testing.T) {
	snippets := readSnippets(t, "testdata/language.json")
	if len(snippets) < 100 {
		t.Fatalf("only %d snippets", len(snippets))
	}
	checkSnippets(t, snippets)
}

// TestLanguageNeighbours holds more of each kind, with values from Node.js where
// it has the feature.
func TestLanguageNeighbours(t *testing.T) {
	snippets := readSnippets(t, "testdata/neighbours.json")
	if len(snippets) < 100 {
		t.Fatalf("only %d snippets", len(snippets))
	}
	checkSnippets(t, snippets)
}

// TestLanguageExamined holds what an examiner tried: several hundred statements of
// each area, printed and compared with Node.js of two versions.
func TestLanguageExamined(t *testing.T) {
	snippets := readSnippets(t, "testdata/examined.json")
	if len(snippets) < 150 {
		t.Fatalf("only %d snippets", len(snippets))
	}
	checkSnippets(t, snippets)
}

// TestParseArgs holds util.parseArgs against that of Node.js.
func TestParseArgs(t *testing.T) {
	checkSnippets(t, readSnippets(t, "testdata/parseargs.json"))
}

// TestParseArgsOfTheScript holds that what a script was given is what parseArgs
// reads when nobody says otherwise.
func TestParseArgsOfTheScript(t *testing.T) {
	script := runtime.Script{Args: []string{"--dry", "a"}, Source: `
		import { parseArgs } from 'node:util';
		const { values, positionals } = parseArgs({ options: { dry: { type: 'boolean' } }, allowPositionals: true });
		return [values.dry, positionals]`}
	report := runtime.Run(t.Context(), script, &fakeHost{}, runtime.Options{})
	if string(report.Value) != `[true,["a"]]` {
		t.Errorf("%s %v", report.Value, report.Error)
	}
}

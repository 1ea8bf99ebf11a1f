package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tiktoken-go/tokenizer"

	"codemode/bindings"
)

// maxTokens is what the whole list of tools may take of a model's context.
const maxTokens = 4000

// TestTokens counts the list of tools the way two common models do.
func TestTokens(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	if _, err := p.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	list := p.tap.result(t)
	for _, encoding := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase, tokenizer.P50kBase} {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		n, err := codec.Count(string(list))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("the list of tools is %d tokens of %s, %d bytes", n, encoding, len(list))
		if n >= maxTokens {
			t.Errorf("that is not under %d", maxTokens)
		}
		var tools struct {
			Tools []struct {
				Name         string
				Description  string
				InputSchema  json.RawMessage
				OutputSchema json.RawMessage
			}
		}
		if err := json.Unmarshal(list, &tools); err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools.Tools {
			d, _ := codec.Count(tool.Description)
			i, _ := codec.Count(string(tool.InputSchema))
			o, _ := codec.Count(string(tool.OutputSchema))
			t.Logf("%-9s description %4d, input %3d, output %3d", tool.Name, d, i, o)
		}
	}
}

// TestTools holds that each tool has schemas that clients can use, and says the
// truth about itself.
func TestTools(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	list, err := p.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"codemode": "changes", "delete": "changes again", "copy": "changes again", "move": "changes again",
		"write": "changes again", "edit": "changes",
		"read": "reads again", "list": "reads again", "stat": "reads again", "glob": "reads again", "search": "reads again",
	}
	for _, tool := range list.Tools {
		hint := "changes"
		switch a := tool.Annotations; {
		case a.DestructiveHint == nil:
			t.Errorf("%s does not say whether it destroys", tool.Name)
		case a.ReadOnlyHint:
			hint = "reads"
		case !*a.DestructiveHint:
			hint = "adds"
		}
		if tool.Annotations.IdempotentHint {
			hint += " again"
		}
		if want[tool.Name] != hint || tool.Annotations.OpenWorldHint == nil || *tool.Annotations.OpenWorldHint {
			t.Errorf("%s: %s, %+v", tool.Name, hint, tool.Annotations)
		}
		delete(want, tool.Name)
		for what, given := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			m := given.(map[string]any)
			if m["type"] != "object" || m["anyOf"] != nil || m["oneOf"] != nil || m["allOf"] != nil || m["$ref"] != nil {
				t.Errorf("%s: the %s schema is no plain object: %v", tool.Name, what, m)
			}
			data, err := json.Marshal(given)
			if err != nil {
				t.Fatal(err)
			}
			var s jsonschema.Schema
			if err := json.Unmarshal(data, &s); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Resolve(nil); err != nil {
				t.Errorf("%s: the %s schema: %v", tool.Name, what, err)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// TestInputSchemas holds that the schemas of arguments are those of package
// bindings: the same names, and of move those of both sets. What only node:fs of
// scripts needs is not worth its tokens.
func TestInputSchemas(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	list, err := p.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name == "codemode" {
			continue
		}
		data, _ := bindings.Schema(tool.Name)
		var full jsonschema.Schema
		if err := json.Unmarshal(data, &full); err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for name := range full.Properties {
			names[name] = true
		}
		for _, set := range full.Defs {
			for name := range set.Properties {
				names[name] = true
			}
		}
		delete(names, "append") // these are what node:fs is written upon
		delete(names, "unread")
		delete(names, "follow")
		given := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for name := range names {
			if given[name] == nil {
				t.Errorf("%s lacks %s", tool.Name, name)
			}
		}
		if len(given) != len(names) {
			t.Errorf("%s has %v, want %v", tool.Name, given, names)
		}
	}
}

// TestDeclarations holds that the description of codemode declares what scripts
// can use, from the one source.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	p := connect(t, worldOf(t, "mkdir proj"), setting{})
	list, err := p.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, tool := range list.Tools {
		if tool.Name == "codemode" {
			text = tool.Description
		}
	}
	for _, want := range []string{
		"delete(args: DeleteArgs): Promise<Receipt>", "glob(args: GlobArgs)", "interface Receipt {", "class OperationError", "function store(key",
		"interface SearchArgs {", "type Path = string", "OVERWRITES_OWN_RESULT",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	for _, gone := range []string{"setTimeout", "/**", "*/", "interface MoveParams", "declare "} {
		if strings.Contains(text, gone) {
			t.Errorf("it has %q", gone)
		}
	}
	if strings.Count(text, "{") != strings.Count(text, "}") {
		t.Error("a declaration was cut apart")
	}
	// Every word of a declaration stands in the source.
	_, declared, _ := strings.Cut(text, "Declarations:\n")
	for line := range strings.Lines(declared) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "// "))
		if first, _, _ := strings.Cut(line, " "); !strings.Contains(bindings.Types(), first) {
			t.Errorf("not of the source: %s", line)
		}
	}
}

package bindings_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"codemode/bindings"
	"codemode/ops"
)

func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, ok := bindings.Schema(name)
	if !ok {
		t.Fatalf("there is no schema %s", name)
	}
	return parsed(t, name, data)
}

func parsed(t *testing.T, name string, data []byte) *jsonschema.Schema {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, data)
	}
	return &s
}

func resolved(t *testing.T, s *jsonschema.Schema) *jsonschema.Resolved {
	t.Helper()
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// argumentSets are the schemas of arguments with the tool that takes them. Move
// has two.
func argumentSets(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	sets := map[string]*jsonschema.Schema{}
	for _, name := range bindings.SchemaNames() {
		if slices.Contains([]string{"MoveParams", "receipt", "report"}, name) {
			continue
		}
		s := schema(t, name)
		if len(s.AnyOf) == 0 {
			sets[name] = s
		}
		for set, inner := range s.Defs {
			sets[set] = inner
		}
	}
	return sets
}

// toolOf is the tool that takes a set of arguments: tools that take several have
// sets whose names begin with theirs.
func toolOf(set string) string {
	for _, tool := range []string{"move", "write"} {
		if strings.HasPrefix(strings.ToLower(set), tool) {
			return tool
		}
	}
	return set
}

func TestSchemasAreWhole(t *testing.T) {
	all := bindings.Schemas()
	if len(all) != len(bindings.SchemaNames()) {
		t.Errorf("%d schemas, %d names", len(all), len(bindings.SchemaNames()))
	}
	for name, data := range all {
		s := schema(t, name)
		resolved(t, s)
		if s.Schema != "https://json-schema.org/draft/2020-12/schema" || s.Title == "" || s.Description == "" || s.Type != "object" {
			t.Errorf("%s lacks its dialect, title, description or type", name)
		}
		if strings.Contains(string(data), "$include") || strings.Count(string(data), `"$schema"`) != 1 {
			t.Errorf("%s is not put together:\n%s", name, data)
		}
	}
	for _, name := range []string{"", "Move", "../receipt", "receipt.json"} {
		if _, ok := bindings.Schema(name); ok {
			t.Errorf("there is a schema %q", name)
		}
	}
}

// The second set of move is known to agents in exactly this form.
func TestMoveParams(t *testing.T) {
	s := schema(t, "MoveParams")
	if s.Title != "MoveParams" || !reflect.DeepEqual(s.Required, []string{"src"}) || len(s.Properties) != 5 {
		t.Errorf("title %s, required %v, %d properties", s.Title, s.Required, len(s.Properties))
	}
	for name, want := range map[string]struct{ typ, preset string }{
		"src": {"string", ""}, "dst": {"[string null]", "null"},
		"overwrite": {"boolean", "false"}, "create_dirs": {"boolean", "false"}, "delete": {"boolean", "false"},
	} {
		p := s.Properties[name]
		if p == nil || p.Description == "" || string(p.Default) != want.preset || p.Type != want.typ && fmt.Sprint(p.Types) != want.typ {
			t.Errorf("%s is %+v", name, p)
		}
	}
}

// tools.d.ts and the schemas name the same arguments with the same types.
func TestDeclarationsAndSchemasAgree(t *testing.T) {
	d := readDeclarations(t)
	names := map[string]string{} // of the interface → of the argument set
	for tool, typ := range d.tools {
		for _, name := range strings.Split(typ, " | ") {
			names[name] = tool
			if strings.Contains(typ, "|") {
				names[name] = name
			}
		}
	}
	sets := argumentSets(t)
	if len(names) != len(sets) {
		t.Errorf("tools.d.ts has %v, the schemas are for %d sets of arguments", names, len(sets))
	}
	for name, set := range names {
		s := sets[set]
		if s == nil {
			t.Errorf("%s: no schema", set)
			continue
		}
		agree(t, name, d, d.interfaces[name], s)
	}
	for tool, result := range d.results {
		agree(t, result, d, d.interfaces[result], resultSchema(t, tool))
	}
}

func resultSchema(t *testing.T, tool string) *jsonschema.Schema {
	t.Helper()
	data, ok := bindings.ResultSchema(tool)
	if !ok {
		t.Fatalf("there is no schema of what %s results in", tool)
	}
	return parsed(t, tool, data)
}

// agree holds declared members against a schema.
func agree(t *testing.T, where string, d declarations, list []declared, s *jsonschema.Schema) {
	t.Helper()
	if s.AdditionalProperties == nil || !reflect.DeepEqual(*s.AdditionalProperties, jsonschema.Schema{Not: &jsonschema.Schema{}}) {
		t.Errorf("%s: the schema allows unknown properties", where)
	}
	if len(list) != len(s.Properties) {
		t.Errorf("%s: %d members are declared, the schema has %d", where, len(list), len(s.Properties))
	}
	for _, m := range list {
		p := s.Properties[m.name]
		if p == nil {
			t.Errorf("%s.%s is not in the schema", where, m.name)
			continue
		}
		if m.optional == slices.Contains(s.Required, m.name) {
			t.Errorf("%s.%s: optional %v, required in the schema %v", where, m.name, m.optional, !m.optional)
		}
		item, array := strings.CutSuffix(m.typ, "[]")
		item = strings.Trim(item, "()")
		if array {
			if p.Type != "array" {
				t.Errorf("%s.%s is %s, in the schema %s", where, m.name, m.typ, p.Type)
				continue
			}
			m.typ, p = item, p.Items
		}
		if union := strings.Split(m.typ, " | "); array && len(union) == len(p.AnyOf) {
			for i, one := range union {
				agree(t, where+"."+m.name+": "+one, d, d.interfaces[one], p.AnyOf[i])
			}
			continue
		}
		inner := m.inner(t)
		if named, ok := d.interfaces[m.typ]; ok {
			inner = named
		}
		if inner != nil {
			agree(t, where+"."+m.name, d, inner, p)
			continue
		}
		if got, want := schemaType(p), d.jsonType(m.typ); got != want && !(want == "string: file, directory, symlink, fifo, socket, device" && got == "string") {
			t.Errorf("%s.%s is %s, in the schema %s", where, m.name, want, got)
		}
	}
}

// jsonType words a TypeScript type as [schemaType] words a schema.
func (d declarations) jsonType(typ string) string {
	if named, ok := d.types[typ]; ok {
		return d.jsonType(named)
	}
	parts := strings.Split(typ, " | ")
	if !strings.HasPrefix(typ, `"`) {
		for i, part := range parts {
			if named, ok := d.types[part]; ok {
				parts[i] = named
			}
			if _, ok := d.interfaces[part]; ok {
				parts[i] = "object"
			}
		}
		return strings.Join(parts, "|")
	}
	for i := range parts {
		parts[i] = strings.Trim(parts[i], `"`)
	}
	return "string: " + strings.Join(parts, ", ")
}

func schemaType(s *jsonschema.Schema) string {
	if len(s.AnyOf) > 0 {
		var types []string
		for _, one := range s.AnyOf {
			types = append(types, schemaType(one))
		}
		return strings.Join(types, "|")
	}
	typ := s.Type
	if typ == "" {
		typ = strings.Join(s.Types, "|")
	}
	if typ == "integer" {
		typ = "number"
	}
	values := s.Enum
	if s.Const != nil {
		values = []any{*s.Const}
	}
	if len(values) > 0 {
		var words []string
		for _, v := range values {
			words = append(words, fmt.Sprint(v))
		}
		typ += ": " + strings.Join(words, ", ")
	}
	return typ
}

// What the tools return is declared as the engine writes it.
func TestDeclarationsAndResultsAgree(t *testing.T) {
	d := readDeclarations(t)
	for name, value := range map[string]any{
		"Receipt": ops.Receipt{}, "Entry": ops.Listed{}, "Listing": ops.Listing{}, "Content": ops.Content{},
		"Globbed": ops.Globbed{}, "Found": ops.Found{}, "SearchResult": ops.SearchResult{},
	} {
		same(t, name, d.interfaces[name], reflect.TypeOf(value))
	}
	var results []string
	for _, result := range d.results {
		results = append(results, result)
	}
	sort.Strings(results)
	if got := strings.Join(slices.Compact(results), " "); got != "Content Entry Globbed Listing Receipt SearchResult" {
		t.Errorf("the tools resolve to %s", got)
	}
}

// same holds declared members against the fields of a Go struct.
func same(t *testing.T, where string, list []declared, typ reflect.Type) {
	t.Helper()
	fields := map[string]reflect.StructField{}
	for i := range typ.NumField() {
		if f := typ.Field(i); f.IsExported() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields[name] = f
		}
	}
	if len(fields) != len(list) {
		t.Errorf("%s: %d members are declared, Go has %d", where, len(list), len(fields))
	}
	for _, m := range list {
		f, ok := fields[m.name]
		if !ok || m.optional != strings.Contains(f.Tag.Get("json"), "omitempty") {
			t.Errorf("%s.%s: in Go it is %q", where, m.name, f.Tag)
			continue
		}
		m.typ = strings.TrimSuffix(m.typ, "[]")
		inner := f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if nested := m.inner(t); nested != nil {
			same(t, where+"."+m.name, nested, inner)
		}
	}
}

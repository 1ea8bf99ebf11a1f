package bindings_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"codemode/ops"
)

// Examples made from the schemas are taken by the decoders where the schema
// says that they are valid, and refused where it says that they are not.
func TestSchemasAndDecodersAgree(t *testing.T) {
	s, dir := newSession(t)
	write(t, dir, "f", "d/")
	decodes := func(tool string, args []byte) bool {
		err := error(nil)
		if slices.Contains(ops.Queries, tool) {
			_, err = s.Query(context.Background(), tool, args, "")
		} else {
			_, err = ops.Decode(ops.Operation(tool), args)
		}
		var failed *ops.Error
		return !errors.As(err, &failed) || failed.Code != ops.InvalidArguments
	}
	tried := 0
	for name, set := range argumentSets(t) {
		own, tool := resolved(t, set), resolved(t, schema(t, toolOf(name)))
		for _, args := range examples(set) {
			if contradicts(name, args) {
				continue
			}
			data, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			var plain any // as a client's validator sees it
			json.Unmarshal(data, &plain)
			valid := own.Validate(plain) == nil
			if got := tool.Validate(plain) == nil; got != valid {
				t.Errorf("%s: %s is valid %v as %s, %v as a call of %s", name, data, valid, name, got, toolOf(name))
			}
			if got := decodes(toolOf(name), data); got != valid {
				t.Errorf("%s: %s is valid %v by the schema, %v by the decoder", name, data, valid, got)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d examples were made", tried)
	}
}

// contradicts reports what MoveParams promises in words: its form is JSON Schema's
// business, whether deletion is confirmed is not. And an empty path is refused
// though the known form of MoveParams does not say so.
func contradicts(set string, args map[string]any) bool {
	if set != "MoveParams" {
		return false
	}
	dst, given := args["dst"].(string)
	_, text := args["src"].(string)
	unconfirmed := args["dst"] == nil && args["delete"] != true
	both := given && args["delete"] == true
	return text && (unconfirmed || both) || args["src"] == "" || given && dst == ""
}

// examples makes arguments, good and bad, of a schema.
func examples(s *jsonschema.Schema) []map[string]any {
	good := map[string][]any{}
	for name, p := range s.Properties {
		switch schemaType(p) {
		case "string":
			good[name] = []any{"d", "f"}
		case "string|null":
			good[name] = []any{"d", nil}
		case "boolean":
			good[name] = []any{true, false}
		case "number":
			good[name] = []any{1, 7, 5e3}
		default:
			good[name] = p.Enum
		}
		if len(p.Examples) > 0 {
			good[name] = p.Examples
		}
	}
	base := func() map[string]any {
		args := map[string]any{}
		for _, name := range s.Required {
			args[name] = good[name][0]
		}
		return args
	}
	var list []map[string]any
	add := func(change func(map[string]any)) {
		for _, full := range []bool{false, true} {
			args := base()
			for name := range good {
				if full && args[name] == nil {
					args[name] = good[name][0]
				}
			}
			if full && s.Properties["dst"] != nil {
				args["delete"] = false
			}
			change(args)
			list = append(list, args)
		}
	}
	add(func(map[string]any) {})
	add(func(args map[string]any) { args["unknown"] = true })
	add(func(args map[string]any) { args["__proto__"] = map[string]any{} })
	for name := range good {
		for _, value := range good[name] {
			add(func(args map[string]any) { args[name] = value })
		}
		add(func(args map[string]any) { delete(args, name) })
		add(func(args map[string]any) { args[strings.ToUpper(name)] = args[name]; delete(args, name) })
		for _, bad := range []any{nil, 1, 0, -1, 1.5, true, "", "d", "yes", []any{"d"}, map[string]any{"path": "d"}} {
			add(func(args map[string]any) { args[name] = bad })
		}
	}
	return list
}

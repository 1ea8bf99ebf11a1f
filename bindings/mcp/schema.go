package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"codemode/bindings"
)

// The schemas of tools are those of package bindings, made short: a client puts
// the whole list of tools before every conversation of its model. What is left
// out makes a schema say less, never anything else; the judge of arguments is
// the strict decoder of package ops, not a schema.

type schema = map[string]any

// inputSchema is that of a tool's arguments: one flat object, since some models'
// interfaces take no alternatives at the top.
func inputSchema(tool string) schema {
	s := parsed(schemaOf(tool))
	if sets, ok := s["$defs"].(schema); ok && tool == "move" {
		s = flattened(sets["MoveArgs"].(schema), sets["MoveParams"].(schema))
	}
	// The tool's own description says it already.
	for _, name := range []string{"$schema", "title", "description"} {
		delete(s, name)
	}
	for _, p := range properties(s) {
		delete(p, "minLength")
		delete(p, "minimum")
	}
	return s
}

// flattened puts the two sets of arguments that move takes into one object.
// That they do not mix is said in words.
func flattened(first, second schema) schema {
	all, more := properties(first), properties(second)
	for name, p := range more {
		if both, ok := all[name]; ok {
			p = schema{"type": p["type"], "description": fmt.Sprintf("With path: %s With src: %s", both["description"], p["description"])}
		}
		all[name] = p
	}
	flat := schema{}
	for name, p := range all {
		flat[name] = p
	}
	return schema{"type": "object", "properties": flat, "additionalProperties": false}
}

// resultSchema is that of a tool's structured content.
func resultSchema(tool string) schema {
	if tool == scriptTool {
		return outline(parsed(bindings.Schema("report")), 1)
	}
	s := outline(parsed(bindings.ResultSchema(tool)), 2)
	if !slices.Contains(changing, tool) {
		// A query that fails has no result; its error takes the result's place.
		delete(s, "required")
		s["properties"].(schema)["error"] = schema{"type": "object", "description": "{code, message}, alone: the call failed"}
	} else {
		s = outline(s, 1)
	}
	return s
}

// outline keeps names, types and possible values down to a depth.
func outline(s schema, depth int) schema {
	out := schema{}
	for _, name := range []string{"type", "enum", "const", "required"} {
		if v, ok := s[name]; ok {
			out[name] = v
		}
	}
	if depth == 0 {
		delete(out, "required")
		return out
	}
	if inner := properties(s); len(inner) > 0 {
		shown := schema{}
		for name, p := range inner {
			shown[name] = outline(p, depth-1)
		}
		out["properties"] = shown
	}
	if items, ok := s["items"].(schema); ok {
		out["items"] = outline(items, depth-1)
	}
	return out
}

func properties(s schema) map[string]schema {
	all := map[string]schema{}
	if list, ok := s["properties"].(schema); ok {
		for name, p := range list {
			all[name] = maps.Clone(p.(schema))
		}
		for name, p := range all {
			list[name] = p
		}
	}
	return all
}

// schemaOf is that of a tool's arguments, in full.
func schemaOf(tool string) (json.RawMessage, bool) { return bindings.Schema(tool) }

func parsed(data json.RawMessage, ok bool) schema {
	var s schema
	if err := json.Unmarshal(data, &s); err != nil || !ok {
		panic(fmt.Sprintf("mcp: a schema is missing: %v", err)) // a test reads all
	}
	return s
}

package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	if sets, ok := s["$defs"].(schema); ok {
		switch tool {
		case "move":
			s = flattened(sets["MoveArgs"].(schema), sets["MoveParams"].(schema))
			properties(s)["overwrite"]["description"] = fmt.Sprint(properties(s)["overwrite"]["description"], " With src false is the default, and with true a file must have been read before.")
		case "write":
			s = flattened(sets["WriteText"].(schema), sets["WriteBytes"].(schema))
		}
	}
	if tool == "edit" {
		edits := properties(s)["edits"]
		edits["items"] = eitherEdit(edits["items"].(schema))
	}
	for _, name := range forNode {
		delete(s["properties"].(schema), name)
	}
	// The tool's own description says it already.
	for _, name := range []string{"$schema", "title", "description", "additionalProperties"} {
		delete(s, name)
	}
	for name, p := range properties(s) {
		if types, ok := p["type"].([]any); ok {
			p["type"] = types[0] // lists of types are not understood everywhere; null may still come
		}
		for _, keyword := range []string{"minLength", "minimum", "minItems", "pattern", "contentEncoding", "examples"} {
			delete(p, keyword)
		}
		if d, ok := p["default"]; ok && (d == nil || d == false || d == ".") {
			delete(p, "default") // nobody expects another
		}
		if text, ok := p["description"].(string); ok && name != "overwrite" {
			p["description"], _, _ = strings.Cut(text+" ", ". ")
		}
		if text, ok := p["description"].(string); ok {
			if text, relative := strings.CutSuffix(text, ": absolute or relative to the working directory"); relative {
				p["description"] = text
			}
			p["description"], _, _ = strings.Cut(p["description"].(string), " Absent: ")
		}
	}
	return s
}

// flattened puts the two sets of arguments that a tool takes into one object.
// That they do not mix is said in words.
func flattened(first, second schema) schema {
	all, more := properties(first), properties(second)
	for name, p := range more {
		if all[name] == nil {
			all[name] = p
		}
	}
	flat := schema{}
	for name, p := range all {
		flat[name] = p
	}
	return schema{"type": "object", "properties": flat}
}

// forNode are arguments and members of results that node:fs of scripts is made
// with. They can be used here, too, but are not worth the words.
var forNode = []string{"append", "unread", "follow", "real", "access"}

// eitherEdit puts the two kinds of an edit into one object, and says of a range
// only what it looks like.
func eitherEdit(items schema) schema {
	all := schema{}
	for _, kind := range items["anyOf"].([]any) {
		for name, p := range properties(kind.(schema)) {
			all[name] = schema{"type": p["type"]}
		}
	}
	all["range"].(schema)["description"] = "{start, end}, each an index or {line, column} from 1, of a text that was read"
	return schema{"type": "object", "properties": all, "required": []string{"replace"}}
}

// decisive are the members of a receipt that its schema names. The others stand
// in the declarations of the tool that runs scripts.
var decisive = []string{"ok", "effect", "error"}

// resultSchema is that of a tool's structured content.
func resultSchema(tool string) schema {
	if tool == scriptTool {
		return outline(parsed(bindings.Schema("report")))
	}
	full := parsed(bindings.ResultSchema(tool))
	s := outline(full)
	shown := s["properties"].(schema)
	for _, name := range forNode {
		delete(shown, name)
	}
	if !changes(tool) {
		// A query that fails has no result; its error takes the result's place.
		shown["error"] = schema{"type": "object", "description": "{code, message}"}
		return s
	}
	maps.DeleteFunc(shown, func(name string, _ any) bool { return !slices.Contains(decisive, name) })
	shown["effect"] = schema{"enum": properties(full)["effect"]["enum"]}
	return s
}

// outline keeps the names and types of members.
func outline(s schema) schema {
	shown := schema{}
	for name, p := range properties(s) {
		shown[name] = schema{}
		if v, ok := p["type"]; ok {
			shown[name] = schema{"type": v}
		}
	}
	return schema{"type": "object", "properties": shown}
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

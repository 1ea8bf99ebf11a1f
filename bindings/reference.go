package bindings

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"
)

//go:embed tools.d.ts
var types string

//go:embed schema/*.json
var schemaFiles embed.FS

// Types is the reference of what a script can use, as TypeScript declarations.
func Types() string { return types }

// ToolNames are the functions of `tools`, in the order in which scripts see them.
func ToolNames() []string {
	var names []string
	for _, t := range allTools() {
		names = append(names, t.name)
	}
	return names
}

// SchemaNames are the names that [Schema] knows: the tools in the order in which
// scripts see them, MoveParams, which is move's second set of arguments by
// itself, receipt and report.
func SchemaNames() []string {
	var names []string
	for _, t := range allTools() {
		names = append(names, t.name)
		if t.name == "move" {
			names = append(names, "MoveParams")
		}
	}
	return append(names, "receipt", "report")
}

// Schema is the JSON Schema (draft 2020-12) of a tool's arguments, or of what
// else [SchemaNames] lists. It refers to nothing outside itself.
func Schema(name string) (json.RawMessage, bool) {
	if !slices.Contains(SchemaNames(), name) {
		return nil, false
	}
	return wholeSchema(name + ".json"), true
}

// ResultSchema is the JSON Schema of what a tool results in when it succeeds;
// of an operation, that is the receipt.
func ResultSchema(tool string) (json.RawMessage, bool) {
	for _, t := range allTools() {
		if t.name == tool {
			return wholeSchema(t.result), true
		}
	}
	return nil, false
}

func wholeSchema(file string) json.RawMessage {
	var out bytes.Buffer
	if err := json.Indent(&out, schemaFile(file), "", "  "); err != nil {
		panic(fmt.Sprintf("bindings: schema/%s: %v", file, err)) // a test reads all
	}
	return json.RawMessage(bytes.TrimSpace(out.Bytes()))
}

// Schemas are all schemas by name.
func Schemas() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, name := range SchemaNames() {
		all[name], _ = Schema(name)
	}
	return all
}

var (
	include = onDemand(`\{"\$include": "([A-Za-z]+\.json)"\}`)
	dialect = onDemand(`\s*"\$schema": "[^"]*",`)
)

// onDemand compiles an expression when it is first used, which most processes
// never do.
func onDemand(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// schemaFile reads an embedded schema and puts others where it includes them,
// so that each thing is described in one file only.
func schemaFile(file string) []byte {
	data, err := schemaFiles.ReadFile("schema/" + file)
	if err != nil {
		panic("bindings: " + err.Error()) // it is embedded
	}
	return include().ReplaceAllFunc(data, func(place []byte) []byte {
		inner := schemaFile(string(include().FindSubmatch(place)[1]))
		return dialect().ReplaceAll(inner, nil)
	})
}

package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"codemode/bindings"
	"codemode/ops/policy"
)

func newSchemaCommand(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [TOOL]",
		Short: "Print the JSON Schemas of the tools' arguments",
		Long:  "Schema prints the JSON Schema of one tool's arguments, or an object with all of them by name.",
		Example: `  codemode schema
  codemode schema move`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse("codemode schema takes at most one TOOL, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(bindings.SchemaNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.schema(bindings.Schemas())
			}
			schema, ok := bindings.Schema(args[0])
			if !ok {
				return misuse("there is no tool %s; there are %s", policy.Printable(args[0]), strings.Join(bindings.SchemaNames(), ", "))
			}
			return p.schema(schema)
		},
	}
}

// schema prints a schema, or several, indented.
func (p *program) schema(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return failure("the schema cannot be written: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return failure("the schema cannot be written: %w", err)
	}
	p.screen.say(b.String())
	return nil
}

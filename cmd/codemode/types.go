package main

import (
	"io"

	"github.com/spf13/cobra"

	"codemode/bindings"
)

func newTypesCommand(p *program) *cobra.Command {
	return &cobra.Command{
		Use:     "types",
		Short:   "Print the TypeScript declarations of what scripts can call",
		Example: `  codemode types > codemode.d.ts`,
		Args:    exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(p.screen.stdout(), bindings.Types())
			return err
		},
	}
}

package main

import (
	"github.com/spf13/cobra"

	"codemode/ops"
)

func newDeleteCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete [flags] PATH",
		Short: "Delete one file, directory or symlink",
		Long: `Delete removes one object: a regular file, a directory with everything in it, or
a symlink (never what it points to).

Nothing in PATH is expanded: ~, * and $NAME are ordinary characters here. A name
that starts with a dash goes after --.`,
		Example: `  codemode delete build
  codemode delete --json --approve deny old/notes.txt
  codemode delete -- -oddly-named`,
		Args: exactly(1, "one PATH"),
	}
	f := addFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.operate(cmd, f, ops.Request{Operation: ops.Delete, Path: args[0]})
	}
	return cmd
}

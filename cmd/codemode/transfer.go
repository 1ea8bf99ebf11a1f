package main

import (
	"github.com/spf13/cobra"

	"codemode/ops"
)

func newCopyCommand(p *program) *cobra.Command {
	return newTransferCommand(p, ops.Copy, &cobra.Command{
		Use:   "copy [flags] PATH TARGET",
		Short: "Copy one file, directory or symlink",
		Long: `Copy puts a copy of PATH at exactly TARGET. TARGET names the resulting object,
never a directory to put it into. Missing parents are made, an existing regular
file is overwritten, an existing directory is merged with.`,
		Example: `  codemode copy templates/service services/billing
  codemode copy --no-overwrite .env.example .env
  codemode copy --json assets site/assets`,
	})
}

func newMoveCommand(p *program) *cobra.Command {
	return newTransferCommand(p, ops.Move, &cobra.Command{
		Use:   "move [flags] PATH TARGET",
		Short: "Move or rename one file, directory or symlink",
		Long: `Move puts PATH at exactly TARGET. TARGET names the resulting object, never a
directory to put it into. Missing parents are made, an existing regular file is
overwritten, an existing directory is replaced: what only it had is gone.`,
		Example: `  codemode move src/util src/internal/text
  codemode move --no-overwrite draft.md published.md
  codemode move --json -- -old new`,
	})
}

// newTransferCommand completes copy or move.
func newTransferCommand(p *program, op ops.Operation, cmd *cobra.Command) *cobra.Command {
	cmd.Args = exactly(2, "PATH and TARGET")
	var overwrite, noOverwrite bool
	cmd.Flags().BoolVar(&noOverwrite, "no-overwrite", false, "refuse an existing TARGET")
	cmd.Flags().BoolVar(&overwrite, "overwrite", false, "overwrite TARGET also where an earlier operation of the same run put it there")
	f := addFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if given := cmd.Flags().Changed; given("overwrite") && given("no-overwrite") {
			return misuse("--overwrite and --no-overwrite exclude each other")
		}
		req := ops.Request{Operation: op, Path: args[0], Target: args[1]}
		switch {
		case noOverwrite, cmd.Flags().Changed("overwrite") && !overwrite:
			req.Overwrite = ops.OverwriteNothing
		case overwrite:
			req.Overwrite = ops.OverwriteAny
		}
		return p.operate(cmd, f, req)
	}
	return cmd
}

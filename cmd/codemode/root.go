package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const about = `codemode runs scripts that delete, copy, move and edit file trees safely.

A script calls tools.delete, copy, move, write and edit; every call is checked,
asked about where it must be, recorded in a journal, and answered with a receipt
that says what happened. Delete, copy and move are commands, too.

Exit status: 0 success, 1 the script failed, 2 wrong usage, 3 refused and nothing
changed, 4 the effect is unknown, 124 deadline, 130 cancelled.`

// newRootCommand puts the commands together.
func newRootCommand(p *program) *cobra.Command {
	root := &cobra.Command{
		Use:   "codemode",
		Short: "Run scripts that change file trees, safely",
		Long:  about,
		Example: `  codemode demo                                  see everything once, on a tree made for it
  codemode run reorganise.js                     run a script on the current directory
  codemode run -e 'return await tools.list({path: "."})'
  codemode move --json src/old src/new           one operation, one receipt
  codemode mcp --print-config claude             let an agent use it
  codemode log last                              what the last run did`,
		SilenceErrors: true, // said in one place, see conclude
		SilenceUsage:  true,
	}
	root.SetIn(p.in)
	root.SetOut(p.screen.stdout())
	root.SetErr(p.screen.stderr())
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveDefault)
	root.AddGroup(
		&cobra.Group{ID: "act", Title: "Change files:"},
		&cobra.Group{ID: "see", Title: "Look things up:"},
	)
	root.Version, _ = built()
	root.SetVersionTemplate("codemode {{.Version}}\n")
	act := []*cobra.Command{newRunCommand(p), newREPLCommand(p), newDeleteCommand(p), newCopyCommand(p), newMoveCommand(p), newMCPCommand(p), newDemoCommand(p)}
	see := []*cobra.Command{newLogCommand(p), newDoctorCommand(p), newTypesCommand(p), newSchemaCommand(p), newVersionCommand(p)}
	for _, cmd := range act {
		cmd.GroupID = "act"
	}
	for _, cmd := range see {
		cmd.GroupID = "see"
	}
	root.AddCommand(act...)
	root.AddCommand(see...)
	if p.screen.outTTY {
		// The texts are written for 80 columns; flags are said in one line each.
		wrapped := fmt.Sprintf(".FlagUsagesWrapped %d", p.screen.width(p.screen.out)-1)
		root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", wrapped))
	}
	root.SetHelpCommandGroupID("see")
	root.SetCompletionCommandGroupID("see")
	return root
}

// exactly demands n arguments, named in the message.
func exactly(n int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return misuse("%s takes exactly %s, got %d; quote names with blanks, and put a name that starts with a dash after --", cmd.CommandPath(), names, len(args))
	}
}

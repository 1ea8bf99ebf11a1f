// Command codemode runs scripts that delete, copy, move and edit file trees safely,
// and does the same three things for a person at a terminal.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"codemode/runtime/worker"
)

func main() {
	worker.Main() // in a sandbox's process it does not return
	keepOwnerBits()
	os.Exit(run(os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}, os.Environ()))
}

// stdio is what the process talks through.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// run is the whole program. It returns the exit status.
func run(args []string, std stdio, env []string) (status int) {
	p := newProgram(std, env)
	defer func() {
		// Go's own status for a panic is 2, which here means wrong usage.
		if r := recover(); r != nil {
			p.screen.complain(fmt.Sprintf("internal error, please report it: %v\n%s", r, debug.Stack()))
			p.screen.advise("what was done until then: codemode log last")
			status = statusFailed
		}
		p.screen.close()
	}()
	root := newRootCommand(p)
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	return p.conclude(cmd, err)
}

// program is what all commands share: the streams, the environment and the
// screen, which keeps output, progress and questions from mixing.
type program struct {
	in     io.Reader
	env    environment
	screen *screen
}

func newProgram(std stdio, env []string) *program {
	environ := environment(env)
	return &program{in: std.in, env: environ, screen: newScreen(std.out, std.err, environ)}
}

// conclude says what went wrong, if it has not been said, and finds the status.
func (p *program) conclude(cmd *cobra.Command, err error) int {
	if err == nil {
		return p.screen.delivered(statusOK)
	}
	var done *ended
	if errors.As(err, &done) {
		if done.err != nil {
			p.screen.complain(done.err.Error())
		}
		return p.screen.delivered(done.status)
	}
	// What the command-line library itself refuses is wrong usage.
	p.screen.complain(err.Error())
	if cmd != nil {
		p.screen.advise("see: " + cmd.CommandPath() + " --help")
	}
	return statusUsage
}

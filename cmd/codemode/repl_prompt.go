package main

import (
	"errors"
	"io"

	"codemode/bindings"
	"codemode/cmd/codemode/repl"
	"codemode/ops/policy"
)

const mainPrompt = "> "

// maxFailures is how often in a row the editor may fail.
const maxFailures = 3

// converse reads from a person at a terminal.
func (r *replSession) converse() error {
	r.greet()
	file := r.historyFile()
	if r.f.noJournal {
		file = "" // who wants no record of what is done wants none of what is typed
	}
	history, err := repl.OpenHistory(file)
	if err != nil {
		r.screen.complain("the history cannot be read: " + policy.Printable(err.Error()))
	}
	editor := repl.NewEditor(repl.Config{
		Prompt: mainPrompt, Language: r.language(), World: r, History: history, Whole: func(input string) bool { return !r.goesOn(input) },
		Colours: r.screen.colours, Program: r.env.editor(), Size: r.screen.size,
	})
	r.breaks.onWaiting(editor.Wake)
	failures := 0
	for !r.over && r.breaks.ctx.Err() == nil && !r.breaks.gaveUp() {
		input, err := editor.Read()
		var broken *repl.Failure
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, repl.ErrInterrupted):
		case errors.As(err, &broken) && failures < maxFailures:
			failures++
			r.screen.complain(err.Error() + "; type it again")
		case err != nil:
			return failure("the terminal cannot be read: %w", err)
		default:
			failures = 0
			r.take(input)
		}
	}
	return nil
}

// language is what the prompt knows of the tools, from their schemas, and of its
// own commands.
func (r *replSession) language() repl.Language {
	l := repl.Language{}
	for _, c := range dotCommands() {
		l.Commands = append(l.Commands, repl.DotCommand{Name: c.name, Argument: c.argument, About: c.about})
	}
	for _, name := range bindings.ToolNames() {
		schema, _ := bindings.Schema(name)
		l.Tools = append(l.Tools, repl.NewSignature(name, schema))
	}
	return l
}

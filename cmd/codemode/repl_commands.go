package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"codemode/bindings"
	"codemode/ops/plain"
	"codemode/ops/policy"
	"codemode/ops/wording"
	"codemode/runtime"
)

// A dotCommand is a command of the prompt itself.
type dotCommand struct {
	name, argument, about string
	run                   func(r *replSession, argument string) (ok bool)
}

func dotCommands() []dotCommand {
	return []dotCommand{
		{"help", "", "this text", (*replSession).help},
		{"ops", "", "all operations of this session, with what became of them", (*replSession).operations},
		{"load", "FILE", "run a file, as one input", (*replSession).load},
		{"save", "FILE", "write the inputs that succeeded into a new file", (*replSession).save},
		{"types", "", "everything that a script can use", (*replSession).types},
		{"clear", "", "forget everything that was declared", (*replSession).clear},
		{"cwd", "", "where relative paths start", (*replSession).cwd},
		{"exit", "", "leave", (*replSession).exit},
	}
}

// command carries out a command of the repl.
func (r *replSession) command(name, argument string) (ok bool) {
	for _, c := range dotCommands() {
		if c.name != name {
			continue
		}
		switch {
		case c.argument == "" && argument != "":
			r.screen.complain("." + name + " takes nothing")
		case c.argument != "" && argument == "":
			r.screen.complain("." + name + " takes a " + c.argument)
		default:
			return c.run(r, argument)
		}
		return false
	}
	r.screen.complain("there is no command ." + name + "; .help lists all")
	return false
}

func (r *replSession) help(string) bool {
	var rows [][]string
	for _, c := range dotCommands() {
		rows = append(rows, []string{strings.TrimSpace("." + c.name + " " + c.argument), c.about})
	}
	rows = append(rows,
		[]string{"Tab", "complete: names, members, arguments, and paths in strings"},
		[]string{"Ctrl-R", "search what was typed before; Up and Down walk through it"},
		[]string{"Ctrl-C", "stop what is being carried out; at the prompt, clear the input"},
		[]string{"Ctrl-X Ctrl-E", "write the input in $EDITOR"},
		[]string{"Ctrl-D", "leave"},
	)
	for _, line := range rows {
		const column = len("Ctrl-X Ctrl-E") + 2
		for i, piece := range words(line[1], max(r.screen.width(r.screen.out)-column-1, minWidth)) {
			label := line[0]
			if i > 0 {
				label = ""
			}
			r.screen.say(fmt.Sprintf("%-*s%s", column, label, piece))
		}
	}
	return true
}

func (r *replSession) operations(string) bool {
	list := r.h.session.Receipts()
	if len(list) == 0 {
		r.screen.say("no operations")
		return true
	}
	for _, receipt := range list {
		r.screen.receipt(r.screen.stdout(), receipt, r.h.session.Dir(), r.screen.outTTY)
	}
	r.screen.say(wording.Tally(list))
	return true
}

// load runs a file that the session can read: a root confines this, too.
func (r *replSession) load(file string) bool {
	args, err := json.Marshal(struct {
		Path  plain.Text `json:"path"`
		Limit int        `json:"limit"`
	}{plain.Text(file), runtime.MaxSource + 1})
	if err != nil {
		return r.refuse(".load", err)
	}
	value, err := r.h.session.Query(r.breaks.ctx, "read", args, "")
	if err != nil {
		return r.refuse(".load", err)
	}
	content, err := plain.Parse(value)
	if err != nil {
		return r.refuse(".load", err)
	}
	text, isText := "", false
	if o, ok := content.(*plain.Object); ok {
		v, _ := o.Get("text")
		text, isText = v.(string)
	}
	if !isText {
		return r.refuse(".load", fmt.Errorf("%s is not text", policy.Printable(file)))
	}
	return r.evaluate(text, file)
}

// save writes a new file. It overwrites nothing, since nobody would be asked.
func (r *replSession) save(file string) bool {
	if !r.person {
		return r.refuse(".save", fmt.Errorf("only a person at a terminal can write files with it"))
	}
	var text strings.Builder
	for _, input := range r.done {
		text.WriteString(strings.TrimRight(input, "\n") + "\n")
	}
	if err := r.write(file, text.String()); err != nil {
		return r.refuse(".save", err)
	}
	r.screen.note(wording.Plural(int64(len(r.done)), "input", "inputs") + " written to " + policy.Printable(file))
	return true
}

func (r *replSession) write(file, text string) (err error) {
	root, name, err := r.place(file)
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err = f.WriteString(text); err == nil {
		return f.Close()
	}
	f.Close()
	return err
}

// place is the directory that a path of the person's own lies in.
func (r *replSession) place(file string) (*os.Root, string, error) {
	if r.f.rootGiven {
		root, err := os.OpenRoot(r.h.session.Dir())
		return root, strings.TrimLeft(filepath.Clean("/"+file), "/"), err
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.h.session.Dir(), file)
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	return root, filepath.Base(file), err
}

func (r *replSession) types(string) bool {
	r.screen.say(strings.TrimRight(bindings.Types(), "\n"))
	return true
}

func (r *replSession) clear(string) bool {
	r.session.Close()
	r.session = runtime.NewSession()
	r.screen.note("what was declared is forgotten; what was stored, and the session's operations, are not")
	return true
}

func (r *replSession) cwd(string) bool {
	r.screen.say(r.where())
	return true
}

// where is the session's directory.
func (r *replSession) where() string { return policy.Printable(r.h.session.Dir()) }

func (r *replSession) exit(string) bool {
	r.over = true
	return true
}

// refuse says why a command of the prompt could not be carried out.
func (r *replSession) refuse(command string, err error) bool {
	r.screen.complain(command + ": " + tame(err.Error()))
	return false
}

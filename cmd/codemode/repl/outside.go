package repl

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

// outside runs f with the terminal as it was before, and then shows the prompt
// anew.
func (e *Editor) outside(f func()) {
	fd := int(os.Stdin.Fd())
	raw, err := term.GetState(fd)
	if err != nil || e.cooked == nil {
		return
	}
	e.shell.Display.AcceptLine()
	io.WriteString(e.out, pasteOff)
	_ = term.Restore(fd, e.cooked) // what a terminal can be set to once it can be again
	f()
	_ = term.Restore(fd, raw)
	io.WriteString(e.out, pasteOn)
	e.shell.Display.PrintPrimaryPrompt()
}

const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
)

// edit lets the person write the input in an editor of their own. The library has
// that, too, but finds no editor and leaves the input where others can read it.
func (e *Editor) edit() {
	e.outside(func() {
		text, err := edited(string(*e.shell.Line()), e.config.Program, e.out)
		if err != nil {
			io.WriteString(os.Stderr, "codemode: the editor: "+err.Error()+"\n")
			return
		}
		e.shell.Line().Set([]rune(text)...)
		e.shell.Cursor().Set(len([]rune(text)))
	})
}

// edited is text after the program, a command of the shell, had it in a file.
func edited(text, program string, out *os.File) (string, error) {
	dir, err := os.MkdirTemp("", "codemode-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "input.js")
	if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
		return "", err
	}
	cmd := exec.Command("sh", "-c", program+` "$1"`, "sh", file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, out, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	written, err := os.ReadFile(file)
	return tamed(strings.TrimRight(string(written), "\n")), err
}

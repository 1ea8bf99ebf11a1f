package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"
	"golang.org/x/term"
)

// ErrInterrupted is what reading ends with at Ctrl-C. What was typed is gone.
var ErrInterrupted = errors.New("interrupted")

// A Config says how an [Editor] works.
type Config struct {
	Prompt   string
	Language Language
	World    World
	History  *History
	// Whole reports whether input is whole, so that Enter sends it off. Otherwise
	// Enter begins another line.
	Whole   func(input string) bool
	Colours bool
	// Program is the person's editor, as a command of the shell.
	Program string
	// Size is how large the terminal is at the moment.
	Size func() (columns, rows int)
}

// An Editor reads input at a terminal, which standard input and output are. It
// knows the keys of GNU readline and the person's inputrc.
type Editor struct {
	config Config
	shell  *readline.Shell
	cooked *term.State // of the terminal between inputs
	out    *os.File
}

// NewEditor returns an editor. There can be one in a process.
func NewEditor(c Config) *Editor {
	e := &Editor{config: c, shell: readline.NewShell(inputrc.WithApp("codemode")), out: os.Stdout}
	sh := e.shell
	sh.Prompt.Primary(e.prompt)
	sh.Prompt.Secondary(func() string { return "" })
	sh.AcceptMultiline = func(input []rune) bool { return c.Whole(string(input)) }
	sh.SyntaxHighlighter = e.draw
	sh.PasteTransformer = tamed
	sh.Completer = e.complete
	sh.History.Add("history", past{c.History})
	sh.Hint.SetProvider(e.hint)
	e.configure()
	e.bind()
	return e
}

// configure sets what the editor relies on, whatever the person's inputrc says.
func (e *Editor) configure() {
	for name, value := range map[string]any{
		// The library would ask the terminal where the cursor is, before each
		// drawing, and lose what is typed while the answer is on its way.
		"cursor-position-probe":        false,
		"enable-bracketed-paste":       true,
		"menu-complete-display-prefix": true,
		"autocomplete":                 false,
		"multiline-column":             false,
		"revert-all-at-newline":        true,  // else it remembers every change of every line
		"echo-control-characters":      false, // it would not know that the cursor has moved
		"convert-meta":                 false,
		"input-meta":                   true,
		"output-meta":                  true,
		"cursor-emacs":                 "default", // not another shape of cursor
		"comment-begin":                `[^\s\S]`, // a pattern that the library would colour
	} {
		_ = e.shell.Config.Set(name, value) // all are known
	}
}

// bind gives keys that every terminal has to what they are for here.
func (e *Editor) bind() {
	e.guard()
	accept, abort := e.shell.Keymap.Commands()["accept-line"], e.shell.Keymap.Commands()["abort"]
	e.shell.Keymap.Register(map[string]func(){
		"accept-line":              func() { e.enter(accept) },
		"abort":                    func() { e.abort(abort) },
		"close-bracket":            e.closeBracket,
		"edit-command-line":        e.edit,
		"edit-and-execute-command": e.edit,
		"suspend":                  e.suspend,
		"nothing":                  func() {},
	})
	for _, keymap := range []string{"emacs", "emacs-standard", "vi-insert"} {
		for key, command := range keys {
			e.shell.Config.Bind(keymap, inputrc.Unescape(key), command, false)
			if rest, ok := strings.CutPrefix(key, `\e`); ok && rest != "[" { // its defaults are written like that
				e.shell.Config.Bind(keymap, inputrc.Unescape(`\M-`+rest), command, false)
			}
		}
	}
	for _, bracket := range []string{")", "]", "}"} {
		e.shell.Config.Bind("emacs", bracket, "close-bracket", false)
	}
	e.silence()
}

var keys = map[string]string{
	`\C-i`: "menu-complete", `\e[Z`: "menu-complete-backward",
	`\e[A`: "up-line-or-history", `\eOA`: "up-line-or-history", `\C-p`: "up-line-or-history",
	`\e[B`: "down-line-or-history", `\eOB`: "down-line-or-history", `\C-n`: "down-line-or-history",
	`\C-z`: "suspend",
	`\e[`:  "skip-csi-sequence", // a key that nothing is bound to types nothing
}

// guard keeps the library's commands from doing harm. Those for words of a shell
// can loop for ever, and are of no use for JavaScript; what panics changes
// nothing.
func (e *Editor) guard() {
	guarded := map[string]func(){}
	for name, run := range e.shell.Keymap.Commands() {
		if strings.Contains(name, "shell") || strings.Contains(name, "keyword") {
			run = func() {}
		}
		guarded[name] = func() {
			line, at := string(*e.shell.Line()), e.shell.Cursor().Pos()
			defer func() {
				if recover() != nil {
					e.shell.Line().Set([]rune(line)...)
					e.shell.Cursor().Set(at)
				}
			}()
			run()
		}
	}
	e.shell.Keymap.Register(guarded)
}

// silence lets Escape and a key that nothing is bound to do nothing; they would
// be typed. Escape alone waits for another key, which may be Ctrl-C.
func (e *Editor) silence() {
	binds := e.shell.Config.Binds["emacs"]
	for c := rune(0); c < 0x80; c++ {
		if c == '[' || c == 'O' {
			continue
		}
		command := "nothing"
		if c == interrupt {
			command = "abort"
		}
		for _, key := range []string{"\x1b" + string(c), string(c | 0x80)} {
			if action := binds[key].Action; action == "" || action == "self-insert" {
				binds[key] = inputrc.Bind{Action: command}
			}
		}
	}
}

// interrupt is Ctrl-C.
const interrupt = 'C' - '@'

// Read shows the prompt and reads one input. It ends with [io.EOF] at Ctrl-D, or
// when the terminal is gone, and with [ErrInterrupted] at Ctrl-C.
func (e *Editor) Read() (input string, err error) {
	e.cooked, _ = term.GetState(int(os.Stdin.Fd())) // fails where there is no terminal
	defer func() {
		if x := recover(); x != nil {
			err = &Failure{x}
		}
	}()
	if e.config.Colours {
		input, err = e.shell.Readline()
	} else {
		withoutColours(func() { input, err = e.shell.Readline() })
	}
	switch {
	case errors.Is(err, readline.ErrInterrupt):
		return "", ErrInterrupted
	case errors.Is(err, io.EOF):
		return "", io.EOF
	case err != nil:
		return "", err
	}
	return input, nil
}

// A Failure is a bug of the editor. What was typed is gone; it can read on.
type Failure struct{ What any }

func (f *Failure) Error() string { return fmt.Sprintf("the line editor failed: %v", f.What) }

// Wake makes Read end with [ErrInterrupted]. It may be called from any goroutine.
func (e *Editor) Wake() {
	e.shell.Keys.Feed(false, interrupt, interrupt) // the first may only end a search
	e.shell.Keys.RequestRefresh()
}

// belowAndBack makes the terminal scroll if the cursor is in its last line, so
// that there is a line below: the library clears it by moving down and up again.
const belowAndBack = "\x1bD\x1b[A"

// draw is what is shown for input.
func (e *Editor) draw(input []rune) string {
	if !e.config.Colours {
		return string(input) + belowAndBack
	}
	known := func(name string) bool {
		_, ok := e.config.Language.tool(name)
		return ok
	}
	return colour(string(input), known) + belowAndBack
}

// enter is what Enter does. A line that it begins is indented as deep as brackets
// are open.
func (e *Editor) enter(accept func()) {
	line := e.shell.Line()
	before := line.Len()
	accept()
	at := e.shell.Cursor().Pos()
	if line = e.shell.Line(); line.Len() != before+1 || at == 0 || (*line)[at-1] != '\n' {
		return
	}
	indent := depth(string((*line)[:at])) * indentation
	e.shell.Cursor().InsertAt([]rune(strings.Repeat(" ", indent))...)
}

const indentation = 2

// abort is what Ctrl-C does. The library's own looks at the key behind it, if that
// has come, and then does nothing.
func (e *Editor) abort(leaveSearch func()) {
	if e.shell.Keymap.Local() == keymapSearch {
		leaveSearch()
		return
	}
	e.shell.Display.ResetHelpers()
	e.shell.Display.AcceptLine()
	e.shell.History.Accept(false, false, readline.ErrInterrupt)
}

// keymapSearch is the library's name for the keys of Ctrl-R.
const keymapSearch = "isearch"

// closeBracket types a bracket. Alone in its line it goes one level out.
func (e *Editor) closeBracket() {
	cursor := e.shell.Cursor()
	for range indentation {
		before := string((*e.shell.Line())[:cursor.Pos()])
		start := strings.LastIndexByte(before, '\n') + 1
		if start == 0 || start == len(before) || strings.Trim(before[start:], " ") != "" {
			break
		}
		cursor.Dec()
		e.shell.Line().CutRune(cursor.Pos())
	}
	cursor.InsertAt(e.shell.Keys.Caller()...)
}

// hint is what stands below the input.
func (e *Editor) hint(input []rune, cursor int) []rune {
	columns, rows := e.config.Size()
	call, about := e.config.Language.Hint(string(input[:min(cursor, len(input))]))
	if strings.Count(string(input), "\n")+2 >= rows { // what has left the screen cannot be shown again
		call, about = "Ctrl-X Ctrl-E edits this in "+e.config.Program, ""
	}
	if call == "" {
		return nil
	}
	width := max(columns-1, 10)
	lines := runewidth.Truncate(call, width, "...")
	if about != "" {
		lines += "\n" + runewidth.Truncate(about, width, "...")
	}
	if e.config.Colours {
		lines = painted(colourComment, lines)
	}
	return []rune(lines)
}

// complete offers what can follow. The library replaces what it takes for the
// word before the cursor, which for JavaScript it is not, and counts bytes where
// characters are meant; so it is told that the word is the one character there.
func (e *Editor) complete(input []rune, cursor int) readline.Completions {
	before := string(input[:min(cursor, len(input))])
	list := e.config.Language.Complete(before, e.config.World)
	last, size := utf8.DecodeLastRuneInString(before)
	if size > 1 || last == '\n' {
		e.extend(list)
		return readline.Completions{}
	}
	prefix := before[len(before)-size:]
	var values []readline.Completion
	for _, c := range list {
		values = append(values, readline.Completion{Value: prefix + c.Rest, Display: c.Show, Description: c.About, Tag: c.Group})
	}
	values = distinct(values)
	list2 := readline.CompleteRaw(values).NoSort()
	list2.PREFIX = prefix
	return list2
}

// extend adds what all candidates begin with.
func (e *Editor) extend(list []Candidate) {
	if len(list) == 0 {
		return
	}
	common := list[0].Rest
	for _, c := range list[1:] {
		for !strings.HasPrefix(c.Rest, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	e.shell.Cursor().InsertAt([]rune(common)...)
}

// distinct keeps the first of values that are alike: the library takes others for
// names of the same thing.
func distinct(values []readline.Completion) []readline.Completion {
	seen := map[string]bool{}
	kept := values[:0]
	for _, v := range values {
		if !seen[v.Value] {
			seen[v.Value] = true
			kept = append(kept, v)
		}
	}
	return kept
}

// tamed takes out of a paste what would steer the terminal.
func tamed(paste string) string {
	paste = strings.TrimRight(paste, "\n")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, paste)
}

// past shows a history to the library.
type past struct{ *History }

func (p past) Write(entry string) (int, error) {
	err := p.Add(strings.TrimRight(entry, " \n"))
	return p.Len(), err
}

func (p past) GetLine(i int) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i < 0 || i >= len(p.entries) {
		return "", errors.New("there is no such entry")
	}
	return p.entries[i], nil
}

func (p past) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.entries)
}

func (p past) Dump() any { return p.Entries() }

package main

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"codemode/ops/policy"
	"codemode/ops/wording"
)

// minWidth is what a dialog needs; a narrower terminal wraps it once more.
const minWidth = 24

// question is a dialog ready to be shown. Every line of it starts with a bar
// that no name can bring along, so that a long or cunning name cannot pass for
// a line of the dialog.
type question struct {
	text   string
	prompt string
}

// dialog words a question. Width is the terminal's; 0 is unknown.
func dialog(q policy.Question, colours bool, width int) question {
	if width <= 0 {
		width = 80
	}
	d := &frame{width: max(width, minWidth), colours: colours}
	const asks = "codemode asks:"
	for i, piece := range words(asks+" "+wording.Heading(q), d.width-len("| ")-1) {
		if rest, first := strings.CutPrefix(piece, asks); first && i == 0 {
			piece = d.paint(yellow, asks) + rest
		}
		d.line("", piece)
	}
	d.line("", "")
	d.item("what", policy.Printable(string(q.Path)))
	if q.ResolvedPath != "" && q.ResolvedPath != q.Path {
		d.item("which is", policy.Printable(string(q.ResolvedPath)))
	}
	d.prose("at stake", wording.Stake(q.Kind, q.Entries, q.Bytes))
	switch {
	case q.Diff != "":
		d.diff(string(q.Diff))
	case q.Overwrites && q.Source != "":
		d.item("by", q.Operation+" of "+policy.Printable(string(q.Source)))
	case q.Target != "":
		d.item("goes to", policy.Printable(string(q.Target)))
		if q.Replaced != nil {
			d.prose("replaces", "a "+wording.Stake(q.Replaced.Kind, q.Replaced.Entries, q.Replaced.Bytes)+" there, which is then gone")
		}
	}
	for i, r := range q.Reasons {
		label := "because"
		if i > 0 {
			label = ""
		}
		d.prose(label, wording.Because(r, q))
	}
	d.line("", "")
	// The answer needs some columns, too.
	prompt := words("Allow it? Only y or yes means yes. [y/N]", d.width-len("| ")-len(" yes")-1)
	return question{text: d.b.String(), prompt: "| " + strings.Join(prompt, "\n| ") + " "}
}

// diff shows what would be changed, each line within its column.
func (d *frame) diff(text string) {
	label := "change"
	for _, line := range wording.ChangeLines(text) {
		d.column(label, wrap(line, d.room(), ' '))
		label = ""
	}
}

// frame builds the lines of a dialog.
type frame struct {
	b       strings.Builder
	width   int
	colours bool
}

func (d *frame) paint(c colour, text string) string {
	if !d.colours {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// labelWidth is the width of the column of labels.
const labelWidth = 10

// item writes a labelled name, wrapped within its column.
func (d *frame) item(label, name string) { d.column(label, wrap(name, d.room(), '/')) }

// prose writes a labelled text, wrapped within its column.
func (d *frame) prose(label, text string) { d.column(label, words(text, d.room())) }

func (d *frame) room() int { return d.width - len("|   ") - labelWidth - 1 }

func (d *frame) column(label string, pieces []string) {
	for i, piece := range pieces {
		if i > 0 {
			label = ""
		}
		d.line(fmt.Sprintf("  %-*s", labelWidth, label), d.paint(bold, piece))
	}
}

func (d *frame) line(indent, text string) {
	d.b.WriteString(strings.TrimRight("| "+indent+text, " ") + "\n")
}

// words cuts prose into pieces of at most width columns, between words.
func words(text string, width int) []string {
	pieces := wrap(text, width, ' ')
	for i, piece := range pieces {
		pieces[i] = strings.Trim(piece, " ")
	}
	return pieces
}

// wrap cuts text into pieces of at most width columns that together are the
// text: before a blank, which then shows at the beginning of a line, or behind
// a separator, and anywhere where there is neither.
func wrap(text string, width int, separator rune) []string {
	var pieces []string
	start, used := 0, 0   // of the piece, and the columns it takes so far
	place, before := 0, 0 // where it can be cut best, and the columns until there
	for i, r := range text {
		if r == ' ' {
			place, before = i, used
		}
		w := runewidth.RuneWidth(r)
		for used+w > width && used > 0 {
			if place <= start {
				place, before = i, used
			}
			pieces = append(pieces, text[start:place])
			start, used = place, used-before
		}
		used += w
		if r == separator {
			place, before = i+utf8.RuneLen(r), used
		}
	}
	return append(pieces, text[start:])
}

// askAt puts a question on the terminal and reads the answer. Anything but a
// clear yes is a no. When ctx is done it returns at once.
func askAt(ctx context.Context, tty *terminal, q question) (bool, error) {
	if err := tty.foreground(); err != nil {
		return false, err
	}
	type answer struct {
		yes bool
		err error
	}
	given := make(chan answer, 1)
	// Writing may block, too: a terminal can be stopped with Ctrl-S.
	go func() {
		yes, err := converse(ctx, tty, q)
		given <- answer{yes, err}
	}()
	select {
	case a := <-given:
		return a.yes, a.err
	case <-ctx.Done():
		// The reader wakes up by the same and ends the line, so that what is
		// said next does not stand behind the prompt. A stopped terminal
		// cannot.
		select {
		case <-given:
		case <-time.After(50 * time.Millisecond):
		}
		return false, ctx.Err()
	}
}

func converse(ctx context.Context, tty *terminal, q question) (bool, error) {
	if err := tty.write(q.text); err != nil {
		return false, err
	}
	// What was typed before the question stood there is no answer to it.
	if err := tty.discard(); err != nil {
		return false, err
	}
	if err := tty.write(q.prompt); err != nil {
		return false, err
	}
	line, whole, err := tty.readLine(ctx)
	// What was pasted behind the answer would go to the shell, as commands.
	tty.settle()
	if err != nil || !whole {
		tty.write("\n")
		return false, err
	}
	return means(line), nil
}

// means reports whether an answer is a clear yes.
func means(line string) bool {
	switch strings.ToLower(line) {
	case "y", "yes":
		return true
	}
	return false
}

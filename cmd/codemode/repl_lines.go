package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"codemode/cmd/codemode/repl"
	"codemode/runtime"
)

// readLines takes input line by line, without any editing: from a pipe or file,
// or from a person at a terminal that cannot move its cursor. Lines are put
// together until they are whole.
func (r *replSession) readLines(in io.Reader) error {
	lines := newLineReader(in)
	interrupted := make(chan struct{}, 1)
	if r.person {
		r.greet()
		r.breaks.onWaiting(func() {
			select {
			case interrupted <- struct{}{}:
			default:
			}
		})
	}
	input := ""
	for !r.over && r.breaks.ctx.Err() == nil && !r.breaks.gaveUp() {
		r.prompt(input != "")
		select {
		case line := <-lines.next():
			lines.taken()
			if line.err != nil && line.text == "" {
				r.ended(input)
				if errors.Is(line.err, io.EOF) {
					return nil
				}
				return failure("the input cannot be read: %w", line.err)
			}
			if input += line.text; r.goesOn(input) && line.err == nil {
				continue
			}
			ok := r.take(input)
			input = ""
			if !ok && !r.person {
				return nil
			}
		case <-interrupted:
			if r.breaks.ctx.Err() == nil {
				r.screen.note("")
			}
			input = ""
		case <-r.breaks.ctx.Done():
		}
	}
	return nil
}

// prompt asks a person for a line.
func (r *replSession) prompt(goesOn bool) {
	if !r.person {
		return
	}
	mark := mainPrompt
	if goesOn {
		mark = "| "
	}
	to := r.screen.stdout()
	if !r.screen.outTTY {
		to = r.screen.stderr()
	}
	io.WriteString(to, mark)
}

// ended takes what was left when the input ended.
func (r *replSession) ended(input string) {
	if r.person {
		r.screen.note("")
	}
	if strings.TrimSpace(input) != "" {
		r.take(input)
	}
}

// manyLines is from when on an input is looked at only where a statement of its
// own may end: parsing it anew for every line takes too long.
const manyLines = 200

// goesOn reports whether more lines belong to an input.
func (r *replSession) goesOn(input string) bool {
	if _, _, ok := repl.Command(input); ok || strings.TrimSpace(input) == "" {
		return false
	}
	if strings.Count(input, "\n") > manyLines {
		text := strings.TrimSuffix(input, "\n")
		if last := text[strings.LastIndexByte(text, '\n')+1:]; last == "" || strings.ContainsAny(last[:1], " \t") {
			return true
		}
	}
	return !r.whole(input)
}

// whole reports whether the engine takes input for whole, be it right or wrong.
func (r *replSession) whole(input string) bool {
	if repl.Open(input) {
		return false
	}
	report := r.ask(input, runtime.InquireWhole, askPatience)
	return !report.Incomplete
}

// askPatience bounds what is asked while somebody types.
const askPatience = time.Second

// A lineReader reads a line when it is asked for one, so that what is typed at a
// question is left to the question.
type lineReader struct {
	in      *bufio.Reader
	pending chan readLine
	waiting bool
}

type readLine struct {
	text string
	err  error
}

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReader(in), pending: make(chan readLine, 1)}
}

// next is the channel on which the next line comes.
func (l *lineReader) next() <-chan readLine {
	if !l.waiting {
		l.waiting = true
		go func() {
			text, err := l.in.ReadString('\n')
			l.pending <- readLine{text, err}
		}()
	}
	return l.pending
}

// taken says that the line has come.
func (l *lineReader) taken() { l.waiting = false }

// greet says where a person is.
func (r *replSession) greet() {
	if r.f.quiet {
		return
	}
	text := fmt.Sprintf("codemode in %s. .help says what there is, Ctrl-D leaves.", r.where())
	for _, line := range words(text, max(r.screen.width(r.screen.err)-1, minWidth)) {
		r.screen.note(line)
	}
}

package main

// How the program speaks:
//
//   - Standard output carries results: a receipt line, a script's output and
//     value, a table, or with --json exactly one document. Everything else goes
//     to standard error.
//   - A message starts with "codemode: " and says what to do next. It names a
//     path in full, with every character that could deceive escaped.
//   - What happens is shown when it happens: an operation when it has ended, in
//     order with what the script prints; with --json and --quiet not at all.
//   - Whoever has to wait is told for what: by a progress bar, and after Ctrl-C
//     by name.
//   - Questions are put on the terminal itself, never on a stream that might be
//     a pipe; see dialog.go.
//   - Colour, progress and questions exist for people: none of them on a stream
//     that is no terminal, no colour with NO_COLOR or TERM=dumb.
//   - What a script prints cannot steer the terminal: there, control characters
//     are shown, not sent.

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// screen is everything that is written. It keeps a question, the progress bar
// and output apart: output that comes while a question stands is held back
// until it is answered, and the bar is taken away before anything is written.
type screen struct {
	mu      sync.Mutex
	out     io.Writer
	err     io.Writer
	colours bool // on standard error and in dialogs
	outTTY  bool
	errTTY  bool
	dumb    bool // a terminal that cannot move its cursor

	asking int    // questions that stand
	held   []note // what waits for them
	wipe   func() // takes the progress bar away; nil when there is none
	failed error  // the first error of writing to standard output
}

type note struct {
	to   io.Writer
	text []byte
}

func newScreen(out, err io.Writer, env environment) *screen {
	s := &screen{out: out, err: err, outTTY: isTerminal(out), errTTY: isTerminal(err), dumb: env.get("TERM") == "dumb" || env.get("TERM") == ""}
	s.colours = env.get("NO_COLOR") == "" && !s.dumb
	return s
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is how many columns a stream's terminal has; 80 where that is unknown.
func (s *screen) width(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}

// size is how large the terminal of standard output is.
func (s *screen) size() (columns, rows int) {
	if f, ok := s.out.(*os.File); ok {
		if columns, rows, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 && rows > 0 {
			return columns, rows
		}
	}
	return 80, 24
}

// stream is one of the screen's two writers.
type stream struct {
	s  *screen
	to io.Writer
}

func (s *screen) stdout() io.Writer { return stream{s, s.out} }
func (s *screen) stderr() io.Writer { return stream{s, s.err} }

// Write never fails: what can no longer be written is remembered by the
// screen, and must not stop a run whose journal goes on.
func (w stream) Write(text []byte) (int, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	if w.s.asking > 0 {
		w.s.hold(w.to, text)
		return len(text), nil
	}
	if w.s.wipe != nil {
		w.s.wipe()
	}
	w.s.put(w.to, text)
	return len(text), nil
}

// hold keeps what must wait. What goes the same way is kept as one piece, since
// a script may print a great many small ones.
func (s *screen) hold(to io.Writer, text []byte) {
	if n := len(s.held); n > 0 && s.held[n-1].to == to {
		s.held[n-1].text = append(s.held[n-1].text, text...)
		return
	}
	s.held = append(s.held, note{to, bytes.Clone(text)})
}

func (s *screen) put(to io.Writer, text []byte) {
	if to == s.out && s.failed != nil {
		return
	}
	if _, err := to.Write(text); err != nil && to == s.out {
		s.failed = err
	}
}

// ask keeps everything else away from the terminal until the returned function
// is called.
func (s *screen) ask() (answered func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking++
	if s.wipe != nil {
		s.wipe()
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.asking--; s.asking > 0 {
			return
		}
		for _, n := range s.held {
			s.put(n.to, n.text)
		}
		s.held = nil
	}
}

// draw runs a function that draws the progress bar, unless a question stands.
// wipe takes away what was drawn.
func (s *screen) draw(paint, wipe func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asking == 0 {
		paint()
		s.wipe = wipe
	}
}

// erase takes the progress bar away for good.
func (s *screen) erase() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wipe != nil {
		s.wipe()
		s.wipe = nil
	}
}

// close lets go of what a question that was cut off still holds back.
func (s *screen) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.held {
		s.put(n.to, n.text)
	}
	s.held = nil
}

// delivered turns a success into a failure when its result could not be
// written. A closed pipe is the reader's choice and no failure.
func (s *screen) delivered(status int) int {
	s.mu.Lock()
	err := s.failed
	s.mu.Unlock()
	if err == nil || isClosedPipe(err) {
		return status
	}
	s.complain("the result could not be written: " + err.Error() + "; the journal has it, see codemode log last")
	if status == statusOK {
		return statusFailed
	}
	return status
}

// complain says an error.
func (s *screen) complain(message string) {
	io.WriteString(s.stderr(), s.paint(red, "codemode: ", s.errTTY)+message+"\n")
}

// advise adds a line to what was said before.
func (s *screen) advise(message string) {
	io.WriteString(s.stderr(), s.paint(dim, message, s.errTTY)+"\n")
}

// say prints a line of result.
func (s *screen) say(line string) { io.WriteString(s.stdout(), line+"\n") }

// note prints a line that is no result.
func (s *screen) note(line string) { io.WriteString(s.stderr(), line+"\n") }

// colour is an SGR parameter.
type colour string

const (
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
	bold   colour = "1"
	dim    colour = "2"
)

// paint colours text where colour is wanted and where is a terminal.
func (s *screen) paint(c colour, text string, where bool) string {
	if !s.colours || !where || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// script prints what a script shows: as it is into a pipe or file, and on a
// terminal without anything that could steer it.
func (s *screen) script(text string, toStderr bool) {
	to, tty := s.stdout(), s.outTTY
	if toStderr {
		to, tty = s.stderr(), s.errTTY
	}
	if tty {
		text = tame(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	io.WriteString(to, text)
}

// value prints how a script's value is shown. Its colours are the engine's, which
// is not trusted with more than those on a terminal.
func (s *screen) value(shown string) {
	if s.outTTY {
		shown = tameColoured(shown)
	}
	io.WriteString(s.stdout(), shown+"\n")
}

var sgr = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[(?:1|22|3[1-6]|39|90)m") })

// tameColoured is tame for a text that may have colours.
func tameColoured(text string) string {
	var b strings.Builder
	coloured := false
	for text != "" {
		at := sgr().FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		b.WriteString(tame(text[:at[0]]))
		b.WriteString(text[at[0]:at[1]])
		coloured = coloured || at[0] < at[1]
		text = text[at[1]:]
	}
	if coloured {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}

// tame escapes control characters and stray bytes, but not line ends and tabs.
func tame(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == utf8.RuneError && n == 1:
			b.WriteRune(utf8.RuneError)
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			b.WriteRune('\u00b7')
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

package main

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"codemode/bindings"
	"codemode/ops/policy"
	"codemode/ops/wording"
)

// showRuns prints the list of runs as a table.
func (p *program) showRuns(dir string, list []bindings.Rebuilt, all int) {
	s := p.screen
	if len(list) == 0 {
		s.note("nothing is recorded in " + policy.Printable(dir))
		return
	}
	rows := [][]string{{"RUN", "STARTED", "STATUS", "APPLIED", "NOT", "UNKNOWN", "WHAT", "WHERE"}}
	for _, r := range list {
		rows = append(rows, []string{
			r.RunID, moment(r.StartedAt), r.Status,
			strconv.Itoa(r.Applied), strconv.Itoa(r.NotApplied), strconv.Itoa(r.Unknown),
			what(r), policy.Printable(string(r.Cwd)),
		})
	}
	s.fit(rows)
	for i, line := range table(rows) {
		switch {
		case i == 0:
			line = s.paint(dim, line, s.outTTY)
		case list[i-1].Unknown > 0:
			line = s.paint(red, line, s.outTTY)
		}
		s.say(line)
	}
	if all > len(list) {
		s.note("and " + wording.Grouped(int64(all-len(list))) + " older; --limit N shows more")
	}
}

// How the list is fitted to the terminal.
const (
	startedColumn = 1 // its time is in the run's name, too, in UTC
	spacious      = 120
	minWhat       = 24 // what is cut further says nothing
	maxWhat       = 80
	minWhere      = 10
	maxWhere      = 40
)

// fit cuts what runs did, and where, so that the lines fit the terminal if they
// can.
func (s *screen) fit(rows [][]string) {
	room := maxWhat
	what, where := len(rows[0])-2, len(rows[0])-1
	if s.outTTY {
		if s.width(s.out) < spacious {
			for i, row := range rows {
				rows[i] = slices.Delete(row, startedColumn, startedColumn+1)
			}
			what, where = what-1, where-1
		}
		room = s.width(s.out)
		for i := range what {
			room -= widest(rows, i) + 2
		}
		forWhere := min(max(room-minWhat-2, minWhere), maxWhere)
		for _, row := range rows[1:] {
			if extra := runewidth.StringWidth(row[where]) - forWhere; extra > 0 {
				row[where] = runewidth.TruncateLeft(row[where], extra+len("..."), "...")
			}
		}
		room -= widest(rows, where) + 2
	}
	room = min(max(room, minWhat), maxWhat)
	for _, row := range rows {
		row[what] = runewidth.Truncate(row[what], room, "...")
	}
}

func widest(rows [][]string, column int) (width int) {
	for _, row := range rows {
		width = max(width, runewidth.StringWidth(row[column]))
	}
	return width
}

// The names under which scripts that are no files are recorded.
const (
	fromLine  = "-e"
	fromStdin = "-"
)

// what says in a few words what a run was: the one operation it consisted of,
// the beginning of code that has no name, or a script's name.
func what(r bindings.Rebuilt) string {
	switch {
	case r.Script == "" && len(r.Operations) == 1 && string(r.Operations[0].Operation) == string(r.Source):
		return wording.Deed(r.Operations[0], string(r.Cwd))
	case len(r.Inputs) > 0 && r.Script == "":
		return strings.TrimSpace(string(r.Source) + " " + tame(clip(inputsInShort(r.Inputs), 4*maxWhat)))
	case nameless(r):
		code := strings.Join(strings.Fields(string(r.Script)), " ")
		return strings.TrimSpace(string(r.Source) + " " + tame(clip(code, 4*maxWhat)))
	}
	return policy.Printable(string(r.Source))
}

// nameless reports whether a run's script came from no file.
func nameless(r bindings.Rebuilt) bool { return r.Source == fromLine || r.Source == fromStdin }

// clip cuts text to at most n bytes, between characters.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// Of a script's text at most this much is shown; --json has all.
const (
	shownLines = 40
	shownWidth = 200
)

// showScript prints the text of a script that is nowhere else to be found.
func (s *screen) showScript(text string) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	s.say("")
	for i, line := range lines {
		if i == shownLines {
			s.say("    ... " + wording.Plural(int64(len(lines)-shownLines), "more line", "more lines") + ", which --json shows")
			return
		}
		shown := tame(clip(line, shownWidth))
		if len(line) > shownWidth {
			shown += "..."
		}
		s.say(strings.TrimRight("    "+shown, " "))
	}
}

// table aligns columns by what the terminal will show of them.
func table(rows [][]string) []string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], runewidth.StringWidth(cell))
		}
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", widths[i]-runewidth.StringWidth(cell)))
		}
		lines[n] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// moment is a time as a person reads it, in the local zone.
func moment(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

// showRun prints one run.
func (p *program) showRun(r bindings.Rebuilt) {
	s := p.screen
	said := what(r)
	if nameless(r) { // its text follows
		said = runewidth.Truncate(said, s.width(s.out)-len("started  ")-1, "...")
	}
	if n := len(r.Inputs); n > 0 {
		said = string(r.Source) + ", " + wording.Plural(int64(n), "input", "inputs")
	}
	head := [][]string{
		{"run", r.RunID},
		{"started", moment(r.StartedAt)},
		{"what", said},
		{"where", policy.Printable(string(r.Cwd))},
		{"status", r.Status},
	}
	if r.Script != "" {
		head = append(head, []string{"script", "SHA-256 " + r.SHA256})
	}
	if r.DurationMs > 0 {
		took := time.Duration(r.DurationMs * float64(time.Millisecond))
		head = append(head, []string{"took", took.Round(100 * time.Microsecond).String()})
	}
	for _, line := range table(head) {
		s.say(line)
	}
	if nameless(r) && r.Script != "" {
		s.showScript(string(r.Script))
	}
	if len(r.Inputs) > 0 {
		s.showInputs(r)
	} else {
		if len(r.Operations) > 0 {
			s.say("")
		}
		for _, op := range r.Operations {
			s.logged(op, string(r.Cwd))
		}
	}
	s.say("")
	if len(r.Operations) == 0 {
		s.say("no operations")
	} else {
		s.say(wording.Tally(r.Operations))
	}
	if r.Error != nil {
		s.say("ended: " + tame(r.Error.Message))
	}
	if r.Incomplete != "" {
		s.say("note: " + r.Incomplete)
	}
}

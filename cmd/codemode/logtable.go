package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"codemode/bindings"
	"codemode/ops/policy"
)

// showRuns prints the list of runs as a table.
func (p *program) showRuns(dir string, list []bindings.Summary, all int) {
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
			policy.Printable(string(r.Source)), policy.Printable(string(r.Cwd)),
		})
	}
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
		s.note("and " + grouped(int64(all-len(list))) + " older; --limit N shows more")
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
	head := [][]string{
		{"run", r.RunID},
		{"started", moment(r.StartedAt)},
		{"what", policy.Printable(string(r.Source))},
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
	if len(r.Operations) > 0 {
		s.say("")
	}
	for _, op := range r.Operations {
		s.receipt(s.stdout(), op, string(r.Cwd), s.outTTY)
	}
	s.say("")
	if len(r.Operations) == 0 {
		s.say("no operations")
	} else {
		s.say(tally(r.Operations))
	}
	if r.Error != nil {
		s.say("ended: " + tame(r.Error.Message))
	}
	if r.Incomplete != "" {
		s.say("note: " + r.Incomplete)
	}
}

package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// table writes the rows of a report: Markdown that can be read as it is. It can
// be restricted to those that have a target.
func (r *report) table(w io.Writer, targets bool) error {
	lines := [][]string{{"work", "codemode", "median (quartiles)", "against", "median (quartiles)", "times", "target", ""}}
	for _, b := range r.Benches {
		for _, row := range b.Rows {
			if targets && row.Target == "" {
				continue
			}
			ours, peer := b.side(row.Ours), b.side(row.Peer)
			against, theirs := row.Peer, peer.figure(b.Unit)
			if row.Peer == "" {
				against, theirs = "–", "–"
			}
			if b.Missing != "" {
				ours.Problem, theirs = b.Missing, "–"
			}
			lines = append(lines, []string{b.Name, row.Ours, ours.figure(b.Unit), against, theirs, row.times(), orDash(row.Target), string(row.Verdict)})
		}
	}
	return align(w, lines)
}

// align writes lines as a Markdown table, whose head is the first.
func align(w io.Writer, lines [][]string) error {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", max(width, 1))
	}
	var text strings.Builder
	for i, line := range lines {
		writeLine(&text, line, widths)
		if i == 0 {
			writeLine(&text, rule, widths)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func writeLine(text *strings.Builder, cells []string, widths []int) {
	for i, cell := range cells {
		text.WriteString("| " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
	}
	text.WriteString("|\n")
}

// figure is what a side came to, or why it came to nothing.
func (s sideResult) figure(u unit) string {
	if s.Spread == nil {
		if s.Problem != "" {
			return "missing: " + s.Problem
		}
		return "–"
	}
	return fmt.Sprintf("%s %s (%s–%s)", short(s.Spread.Median), u, short(s.Spread.Q1), short(s.Spread.Q3))
}

func (r row) times() string {
	if r.Times == nil {
		return "–"
	}
	return fmt.Sprintf("%s × (%s–%s)", short(r.Times.Median), short(r.Times.Q1), short(r.Times.Q3))
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// short writes a number with three digits that count, or all before the point.
func short(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// notes says what exactly each side did, for who wants to judge the numbers.
func (r *report) notes(w io.Writer) error {
	var text strings.Builder
	for _, b := range r.Benches {
		fmt.Fprintf(&text, "%s (%s)\n", b.Name, b.Unit)
		for _, s := range b.Sides {
			fmt.Fprintf(&text, "  %s: %s\n", s.Name, s.Does)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"codemode/ops"
	"codemode/ops/wording"
)

// document prints v as the one JSON document on standard output.
func (s *screen) document(v any) error {
	enc := json.NewEncoder(s.stdout())
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return failure("the result cannot be written as JSON: %w", err)
	}
	return nil
}

// receipt describes one call for a person: a line with its effect and what it
// was, then, if it failed, lines with why. Paths beneath base are shown from
// there; the messages name them in full.
func (s *screen) receipt(to io.Writer, r ops.Receipt, base string, tty bool) {
	w := &strings.Builder{} // written at once, since a script prints meanwhile
	effect, shade := string(r.Effect), green
	switch {
	case r.Effect == ops.Unknown:
		shade = red
	case !r.OK:
		shade = yellow
	}
	fmt.Fprintf(w, "%s  %s\n", s.paint(shade, fmt.Sprintf("%-11s", effect), tty), wording.Summary(r, base))
	if r.Error != nil {
		fmt.Fprintf(w, "%13s%s: %s\n", "", s.paint(bold, string(r.Error.Code), tty), r.Error.Message)
	}
	if r.Evidence != nil {
		fmt.Fprintf(w, "%13s%s\n", "", wording.Evidence(r))
	}
	io.WriteString(to, w.String())
}

// logged describes one call of a recorded run, with what a text became.
func (s *screen) logged(r ops.Receipt, base string) {
	s.receipt(s.stdout(), r, base, s.outTTY)
	if r.Diff == "" {
		return
	}
	for _, line := range wording.DiffLines(string(r.Diff)) {
		switch {
		case strings.HasPrefix(line, "+"):
			line = s.paint(green, line, s.outTTY)
		case strings.HasPrefix(line, "-"):
			line = s.paint(red, line, s.outTTY)
		}
		s.say(strings.Repeat(" ", 13) + line)
	}
}

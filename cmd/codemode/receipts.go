package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"codemode/ops"
	"codemode/ops/plain"
	"codemode/ops/policy"
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
	fmt.Fprintf(w, "%s  %s\n", s.paint(shade, fmt.Sprintf("%-11s", effect), tty), summary(r, base))
	if r.Error != nil {
		fmt.Fprintf(w, "%13s%s: %s\n", "", s.paint(bold, string(r.Error.Code), tty), r.Error.Message)
	}
	if r.Evidence != nil {
		fmt.Fprintf(w, "%13s%s\n", "", evidence(r))
	}
	io.WriteString(to, w.String())
}

// deed says what was called for. Paths beneath base are shown from there.
func deed(r ops.Receipt, base string) string {
	shown := func(path plain.Text) string {
		rel, beneath := strings.CutPrefix(string(path), strings.TrimSuffix(base, "/")+"/")
		if base == "" || !beneath || rel == "" {
			rel = string(path)
		}
		return policy.Printable(rel)
	}
	text := string(r.Operation) + " " + shown(r.Path)
	if r.Target != "" {
		text += " -> " + shown(r.Target)
	}
	return text
}

// summary says what a call was about, on one line.
func summary(r ops.Receipt, base string) string {
	var facts []string
	if r.SourceKind != "" {
		facts = append(facts, stake(r.SourceKind, r.Entries, r.Bytes))
	}
	if r.Replaced != nil && r.Diff != "" {
		facts = append(facts, "it had "+humanBytes(r.Replaced.Bytes))
	} else if r.Replaced != nil {
		facts = append(facts, "replaced a "+stake(r.Replaced.Kind, r.Replaced.Entries, r.Replaced.Bytes))
	}
	for _, a := range r.Approvals {
		facts = append(facts, map[string]string{"approved": "approved", "denied": "not approved", "unavailable": "nobody to ask"}[a.Decision])
	}
	if len(facts) > 0 {
		return deed(r, base) + " (" + strings.Join(facts, "; ") + ")"
	}
	return deed(r, base)
}

// stake says how much an object is.
func stake(kind string, entries, bytes int64) string {
	switch kind {
	case "directory":
		return fmt.Sprintf("directory, %s, %s", plural(entries, "entry", "entries"), humanBytes(bytes))
	case "file":
		return "file, " + humanBytes(bytes)
	}
	return kind
}

// phaseNotRecorded is what a rebuilt receipt says of an operation without an
// end, of which nothing was counted; see [bindings.Rebuilt.Look].
const phaseNotRecorded = "not recorded"

// evidence says what is known of a call whose effect is unknown.
func evidence(r ops.Receipt) string {
	there := func(is bool) string {
		if is {
			return "exists"
		}
		return "does not exist"
	}
	e := r.Evidence
	text := fmt.Sprintf("while %s: %s, %s done", e.Phase, plural(e.Entries, "entry", "entries"), humanBytes(e.Bytes))
	if e.Phase == phaseNotRecorded {
		text = "its end was not recorded"
	}
	text += "; the source " + there(e.SourceExists)
	if r.Target != "" {
		text += ", the target " + there(e.TargetExists)
	}
	if e.Leftover != "" {
		text += "; left over: " + policy.Printable(string(e.Leftover))
	}
	return text
}

// plural counts things.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// grouped writes a number with its thousands apart.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// humanBytes writes a number of bytes in the unit that suits it.
func humanBytes(n int64) string {
	if n < 1<<10 {
		return plural(n, "byte", "bytes")
	}
	value, unit := float64(n), 0
	for value >= 1<<10 {
		value /= 1 << 10
		unit++
	}
	return strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0") + " " + []string{"", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}[unit]
}

package wording

import (
	"fmt"
	"strings"

	"codemode/ops"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

// Deed says what was called for. Paths beneath base are shown from there.
func Deed(r ops.Receipt, base string) string {
	shown := func(path plain.Text) string {
		rel, beneath := strings.CutPrefix(string(path), strings.TrimSuffix(base, "/")+"/")
		if base == "" || !beneath || rel == "" {
			rel = string(path)
		}
		return policy.Printable(rel)
	}
	text := string(r.Operation)
	if r.Path != "" { // arguments that name none have a receipt, too
		text += " " + shown(r.Path)
	}
	if r.Target != "" {
		text += " -> " + shown(r.Target)
	}
	return text
}

// Summary says what a call was about, on one line.
func Summary(r ops.Receipt, base string) string {
	var facts []string
	if r.SourceKind != "" {
		facts = append(facts, Stake(r.SourceKind, r.Entries, r.Bytes))
	}
	if r.Replaced != nil && r.Target == "" {
		facts = append(facts, "it had "+Bytes(r.Replaced.Bytes))
	} else if r.Replaced != nil {
		facts = append(facts, "replaced a "+Stake(r.Replaced.Kind, r.Replaced.Entries, r.Replaced.Bytes))
	}
	for _, a := range r.Approvals {
		facts = append(facts, map[string]string{"approved": "approved", "denied": "not approved", "unavailable": "nobody to ask"}[a.Decision])
	}
	if len(facts) > 0 {
		return Deed(r, base) + " (" + strings.Join(facts, "; ") + ")"
	}
	return Deed(r, base)
}

// phaseNotRecorded is what a rebuilt receipt says of an operation without an
// end, of which nothing was counted; see [bindings.Rebuilt.Look].
const phaseNotRecorded = "not recorded"

// Evidence says what is known of a call whose effect is unknown.
func Evidence(r ops.Receipt) string {
	there := func(is bool) string {
		if is {
			return "exists"
		}
		return "does not exist"
	}
	e := r.Evidence
	text := fmt.Sprintf("while %s: %s, %s done", e.Phase, Plural(e.Entries, "entry", "entries"), Bytes(e.Bytes))
	if e.Phase == phaseNotRecorded {
		text = "its end was not recorded"
	}
	text += "; the source " + there(e.SourceExists)
	if r.Target != "" {
		text += ", the target " + there(e.TargetExists)
	}
	for i, path := range e.Left() {
		if i == 0 {
			text += "; left over: "
		} else {
			text += ", "
		}
		text += policy.Printable(string(path))
	}
	return text
}

// Tally counts operations by their effect.
func Tally(list []ops.Receipt) string {
	counts := map[ops.Effect]int64{}
	for _, r := range list {
		counts[r.Effect]++
	}
	parts := []string{Grouped(counts[ops.Applied]) + " applied"}
	if n := counts[ops.NotApplied]; n > 0 {
		parts = append(parts, Grouped(n)+" not applied")
	}
	if n := counts[ops.Unknown]; n > 0 {
		parts = append(parts, Grouped(n)+" unknown")
	}
	return Plural(int64(len(list)), "operation", "operations") + ": " + strings.Join(parts, ", ")
}

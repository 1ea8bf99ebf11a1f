package ops

import (
	"time"

	"codemode/ops/plain"
	"codemode/ops/policy"
)

// Effect is what a call did to the disk.
type Effect string

// The effects.
const (
	// Applied: all of it was done.
	Applied Effect = "applied"
	// NotApplied: nothing was changed.
	NotApplied Effect = "not-applied"
	// Unknown: the call had been dispatched to the file system and failed, or
	// its end was not seen. Evidence says how far it came.
	Unknown Effect = "unknown"
)

// Receipt is the truth about one call. The same value is the journal line, the
// script's result, the command's output and the MCP result.
type Receipt struct {
	Kind           string           `json:"kind"` // "file-operation"
	Seq            int              `json:"seq"`  // in call order within the run, from 1
	Operation      Operation        `json:"operation"`
	OK             bool             `json:"ok"`
	Effect         Effect           `json:"effect"`
	Path           plain.Text       `json:"path"` // absolute and cleaned, as it was asked for
	Target         plain.Text       `json:"target,omitempty"`
	ResolvedPath   plain.Text       `json:"resolvedPath,omitempty"` // where a parent was a link
	ResolvedTarget plain.Text       `json:"resolvedTarget,omitempty"`
	SourceKind     string           `json:"sourceKind,omitempty"`
	Error          *Error           `json:"error,omitempty"`
	Approvals      []Approval       `json:"approvals,omitempty"`
	Replaced       *policy.Replaced `json:"replaced,omitempty"`
	Entries        int64            `json:"entries"`        // of the source, the top included
	Bytes          int64            `json:"bytes"`          // in its regular files
	Diff           plain.Text       `json:"diff,omitempty"` // what a write or edit changed, as a unified diff, bounded
	Evidence       *Evidence        `json:"evidence,omitempty"`
	StartedAt      time.Time        `json:"startedAt"`
	DurationMs     float64          `json:"durationMs"`
}

// Err returns the error of a receipt that is not ok, else nil.
func (r Receipt) Err() error {
	if r.OK || r.Error == nil {
		return nil
	}
	return r.Error
}

// Approval is one question and its answer.
type Approval struct {
	Path     plain.Text      `json:"path"`
	Reasons  []policy.Reason `json:"reasons"`
	Decision string          `json:"decision"` // approved, denied, unavailable (nobody to ask)
}

// Evidence is what is known of a call with effect unknown.
type Evidence struct {
	Phase        string `json:"phase"`   // what was being done
	Entries      int64  `json:"entries"` // done so far in this phase
	Bytes        int64  `json:"bytes"`
	SourceExists bool   `json:"sourceExists"`
	TargetExists bool   `json:"targetExists"`
	// Leftover is something that was not cleaned up: under a hidden name, or a
	// parent that was made for nothing. Leftovers are all where there are several.
	Leftover  plain.Text   `json:"leftover,omitempty"`
	Leftovers []plain.Text `json:"leftovers,omitempty"`
}

// Leave notes what is left over.
func (e *Evidence) Leave(paths []string) {
	e.Leftover, e.Leftovers = "", nil
	if len(paths) == 0 {
		return
	}
	e.Leftover = plain.Text(paths[0])
	if len(paths) == 1 {
		return
	}
	for _, path := range paths {
		e.Leftovers = append(e.Leftovers, plain.Text(path))
	}
}

// Left are the paths of everything that was left over.
func (e *Evidence) Left() []plain.Text {
	if len(e.Leftovers) == 0 && e.Leftover != "" {
		return []plain.Text{e.Leftover}
	}
	return e.Leftovers
}

package bindings

import (
	"encoding/json"
	"time"

	"codemode/ops"
	"codemode/runtime"
)

// Report is what became of one run.
type Report struct {
	OK         bool             `json:"ok"`
	RunID      string           `json:"runId"`
	Value      json.RawMessage  `json:"value"`      // what the script returned; null when nothing
	Output     []runtime.Output `json:"output"`     // in the order it was made, bounded
	Operations []ops.Receipt    `json:"operations"` // in call order
	Error      *runtime.Error   `json:"error"`      // null exactly when ok
	DurationMs float64          `json:"durationMs"`

	Shown string `json:"-"` // of an interactive script: its value for a person to read

	Incomplete bool `json:"-"` // nothing ran, and more lines could make the script whole
	Lost       bool `json:"-"` // what the runtime's session held is gone
}

func newReport(runID string, r runtime.Report, operations []ops.Receipt) Report {
	report := Report{
		OK: r.OK, RunID: runID, Value: r.Value, Output: r.Output, Operations: operations, Error: r.Error,
		DurationMs: milliseconds(r.Duration), Shown: r.Shown, Incomplete: r.Incomplete, Lost: r.Lost,
	}
	return report.complete()
}

// complete puts what JSON must not lack into a report.
func (r Report) complete() Report {
	if len(r.Value) == 0 {
		r.Value = json.RawMessage("null")
	}
	if r.Output == nil {
		r.Output = []runtime.Output{}
	}
	if r.Operations == nil {
		r.Operations = []ops.Receipt{}
	}
	return r
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

package bindings

import (
	"encoding/json"
	"time"

	"codemode/ops/plain"
	"codemode/runtime"
)

// The types of journal records of one input of a run that a person steers: a
// prompt is one run of many inputs. An operation belongs to the input that was
// recorded before it.
const (
	TypeInputStarted  = "input-started"
	TypeInputFinished = "input-finished"
)

// InputStarted is written before an input is carried out.
type InputStarted struct {
	Type   string     `json:"type"`
	Input  int        `json:"input"` // counted from 1
	Time   time.Time  `json:"time"`
	Script plain.Text `json:"script"`
}

// InputFinished is written after an input.
type InputFinished struct {
	Type       string         `json:"type"`
	Input      int            `json:"input"`
	Time       time.Time      `json:"time"`
	OK         bool           `json:"ok"`
	Error      *runtime.Error `json:"error"`
	Lost       bool           `json:"lost,omitempty"` // what earlier inputs had declared was lost
	DurationMs float64        `json:"durationMs"`
}

// NewInputStarted words the start of an input, which is now.
func NewInputStarted(n int, script string) InputStarted {
	return InputStarted{Type: TypeInputStarted, Input: n, Time: time.Now().UTC(), Script: plain.Text(script)}
}

// NewInputFinished words the end of an input, which is now. What it came to is
// not kept: it may be large, and its operations have records of their own.
func NewInputFinished(n int, r Report) InputFinished {
	return InputFinished{Type: TypeInputFinished, Input: n, Time: time.Now().UTC(), OK: r.OK, Error: r.Error, Lost: r.Lost, DurationMs: r.DurationMs}
}

// Input is one input of a run as its journal tells it.
type Input struct {
	Input      int            `json:"input"`
	StartedAt  time.Time      `json:"startedAt"`
	Script     plain.Text     `json:"script"`
	Status     string         `json:"status"` // like that of a run
	OK         bool           `json:"ok"`
	Error      *runtime.Error `json:"error"`
	Lost       bool           `json:"lost,omitempty"`
	Operations []int          `json:"operations"` // their numbers
	DurationMs float64        `json:"durationMs"`
}

func (b *rebuilding) inputStarted(record *plain.Object) {
	b.Inputs = append(b.Inputs, Input{
		Input: int(number(record, "input")), StartedAt: moment(record), Script: plain.Text(text(record, "script")),
		Status: StatusInterrupted, Operations: []int{},
	})
}

func (b *rebuilding) inputFinished(record *plain.Object, line json.RawMessage) {
	in := b.input()
	if in == nil || int(number(record, "input")) != in.Input {
		return
	}
	in.Status = StatusFinished
	in.OK = member(record, "ok") == true
	in.Lost = member(record, "lost") == true
	in.Error = errorIn(record)
	var rest struct {
		DurationMs float64 `json:"durationMs"`
	}
	if json.Unmarshal(line, &rest) == nil {
		in.DurationMs = rest.DurationMs
	}
}

// input is the one that the records at hand belong to, or nil.
func (b *rebuilding) input() *Input {
	if len(b.Inputs) == 0 {
		return nil
	}
	return &b.Inputs[len(b.Inputs)-1]
}

// belongs notes that an operation is one of the input at hand. A started
// operation has a second record.
func (b *rebuilding) belongs(seq int) {
	in := b.input()
	if in == nil || b.claimed[seq] {
		return
	}
	b.claimed[seq] = true
	in.Operations = append(in.Operations, seq)
}

// errorIn is the error in a record of an end, or nil.
func errorIn(record *plain.Object) *runtime.Error {
	e, ok := member(record, "error").(*plain.Object)
	if !ok {
		return nil
	}
	return &runtime.Error{Kind: text(e, "kind"), Message: text(e, "message"), Stack: text(e, "stack")}
}

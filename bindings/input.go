package bindings

import (
	"encoding/json"
	"time"

	"codemode/ops/plain"
	"codemode/runtime"
)

// The types of journal records of one script of a run that has several: a prompt
// and an MCP connection are one run of many inputs. An operation belongs to the
// input that was under way, if that was one.
const (
	TypeInputStarted  = "input-started"
	TypeInputFinished = "input-finished"
)

// InputStarted is written before an input is carried out.
type InputStarted struct {
	Type    string     `json:"type"`
	Input   int        `json:"input"` // counted from 1
	Time    time.Time  `json:"time"`
	Session plain.Text `json:"session,omitempty"` // whose globals it found, where there can be several
	Script  plain.Text `json:"script"`
	SHA256  string     `json:"sha256"` // of the text
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
func NewInputStarted(n int, session, script string) InputStarted {
	return InputStarted{
		Type: TypeInputStarted, Input: n, Time: time.Now().UTC(), Session: plain.Text(session), Script: plain.Text(script), SHA256: digest(script),
	}
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
	Session    plain.Text     `json:"session,omitempty"`
	Script     plain.Text     `json:"script"`
	SHA256     string         `json:"sha256"`
	Status     string         `json:"status"` // like that of a run
	OK         bool           `json:"ok"`
	Error      *runtime.Error `json:"error"`
	Lost       bool           `json:"lost,omitempty"`
	Operations []int          `json:"operations"` // their numbers
	DurationMs float64        `json:"durationMs"`
}

func (b *rebuilding) inputStarted(record *plain.Object) {
	b.Inputs = append(b.Inputs, Input{
		Input: int(number(record, "input")), StartedAt: moment(record), Session: plain.Text(text(record, "session")),
		Script: plain.Text(text(record, "script")), SHA256: text(record, "sha256"), Status: StatusInterrupted, Operations: []int{},
	})
}

func (b *rebuilding) inputFinished(record *plain.Object, line json.RawMessage) {
	in := b.numbered(int(number(record, "input")))
	if in == nil {
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

// numbered is the input of a number that has not ended, or nil.
func (b *rebuilding) numbered(n int) *Input {
	for i := len(b.Inputs) - 1; i >= 0; i-- {
		if in := &b.Inputs[i]; in.Input == n && in.Status != StatusFinished {
			return in
		}
	}
	return nil
}

// belongs notes that an operation is one of the input under way. Of several at
// once nobody can tell. A started operation has a second record.
func (b *rebuilding) belongs(seq int) {
	if b.claimed[seq] {
		return
	}
	b.claimed[seq] = true
	var under *Input
	for i := range b.Inputs {
		if b.Inputs[i].Status == StatusFinished {
			continue
		}
		if under != nil {
			return
		}
		under = &b.Inputs[i]
	}
	if under != nil {
		under.Operations = append(under.Operations, seq)
	}
}

// errorIn is the error in a record of an end, or nil.
func errorIn(record *plain.Object) *runtime.Error {
	e, ok := member(record, "error").(*plain.Object)
	if !ok {
		return nil
	}
	return &runtime.Error{Kind: text(e, "kind"), Message: text(e, "message"), Stack: text(e, "stack")}
}

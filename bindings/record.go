package bindings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"codemode/ops/plain"
	"codemode/runtime"
)

// The types of journal records of a run as a whole. Those of its operations are
// the session's, see package ops.
const (
	TypeRunStarted  = "run-started"
	TypeRunFinished = "run-finished"
)

// MaxRecorded bounds what a journal keeps of a run's value and output.
const MaxRecorded = 64 << 10

// RunStarted is the first line of a journal.
type RunStarted struct {
	Type    string     `json:"type"`
	RunID   string     `json:"runId"`
	Time    time.Time  `json:"time"`
	Cwd     plain.Text `json:"cwd"`
	Source  plain.Text `json:"source"` // what started the run: a script's name, "-e", "delete", …
	Script  plain.Text `json:"script"` // its text, "" when there is none
	SHA256  string     `json:"sha256"` // of the text
	Options any        `json:"options,omitempty"`
}

// NewRunStarted words the start of a run, which is now. Options are the host's,
// as they are to be shown.
func NewRunStarted(runID, cwd, source, script string, options any) RunStarted {
	return RunStarted{
		Type: TypeRunStarted, RunID: runID, Time: time.Now().UTC(), Cwd: plain.Text(cwd), Source: plain.Text(source),
		Script: plain.Text(script), SHA256: digest(script), Options: options,
	}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// RunFinished is the last line of a journal.
type RunFinished struct {
	Type       string           `json:"type"`
	Time       time.Time        `json:"time"`
	OK         bool             `json:"ok"`
	Error      *runtime.Error   `json:"error"`
	Value      json.RawMessage  `json:"value"`
	Output     []runtime.Output `json:"output"`
	Incomplete string           `json:"incomplete,omitempty"` // what of value and output was left out
	DurationMs float64          `json:"durationMs"`
}

// NewRunFinished words the end of a run, which is now. Of its value and output
// it keeps [MaxRecorded] bytes; the operations have records of their own.
func NewRunFinished(r Report) RunFinished {
	r = r.complete()
	f := RunFinished{
		Type: TypeRunFinished, Time: time.Now().UTC(), OK: r.OK, Error: r.Error,
		Value: r.Value, DurationMs: r.DurationMs,
	}
	left := MaxRecorded
	var omitted []string
	// A value that is cut is no value: it is kept whole or not at all, and may
	// not take the room of all output.
	if n := len(r.Value); n > MaxRecorded/2 {
		f.Value = json.RawMessage("null")
		omitted = append(omitted, fmt.Sprintf("the value of %d bytes", n))
	}
	left -= len(f.Value)
	var lost int
	f.Output, lost = boundOutput(r.Output, left)
	if lost > 0 {
		omitted = append(omitted, fmt.Sprintf("%d bytes of output", lost))
	}
	if len(omitted) > 0 {
		f.Incomplete = "the journal does not keep " + strings.Join(omitted, " and ")
	}
	return f
}

// boundOutput keeps the beginning of the output that fits into limit bytes of
// JSON and says how many bytes of text and images it left out.
func boundOutput(pieces []runtime.Output, limit int) (kept []runtime.Output, lost int) {
	kept = []runtime.Output{}
	for i, piece := range pieces {
		n := recordedSize(piece)
		if n <= limit {
			kept = append(kept, piece)
			limit -= n
			continue
		}
		if piece.Type == runtime.OutputText {
			if text := beginning(piece, limit); text != "" {
				lost -= len(text)
				cut := piece
				cut.Text = text
				kept = append(kept, cut)
			}
		}
		for _, rest := range pieces[i:] {
			lost += len(rest.Text) + len(rest.Data)
		}
		return kept, lost
	}
	return kept, 0
}

// beginning is as much of a piece's text as fits into limit bytes of JSON. Text
// may take up to six times its length there, so that the fit has to be tried.
func beginning(piece runtime.Output, limit int) string {
	text := piece.Text
	for len(text) > 0 {
		piece.Text = wholeRunes(text, max(limit, 0))
		if recordedSize(piece) <= limit {
			return piece.Text
		}
		text = piece.Text[:len(piece.Text)*3/4]
	}
	return ""
}

// wholeRunes is the first n bytes of s, or a few less where that would split a
// character.
func wholeRunes(s string, n int) string {
	if n >= len(s) {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func recordedSize(o runtime.Output) int {
	data, err := json.Marshal(o)
	if err != nil {
		return MaxRecorded + 1
	}
	return len(data) + len(",")
}

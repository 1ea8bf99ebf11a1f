package runtime

import (
	"encoding/json"
	"time"

	"codemode/ops/plain"
)

// The kinds of [Error].
const (
	KindScript  = "script"  // the script failed: it threw, or does not parse
	KindTimeout = "timeout" // the deadline passed
	KindAborted = "aborted" // the caller's context ended
	KindMemory  = "memory"  // the memory limit was reached
	KindOutput  = "output"  // too much output, or too large a value returned
	KindSandbox = "sandbox" // the engine itself failed
)

// Error says why a run is not OK.
type Error struct {
	Kind    string
	Message string
	Stack   string // the script's own frames, "" when there are none
}

func (e *Error) Error() string { return e.Message }

// MarshalJSON writes e with stray bytes of file names kept.
func (e *Error) MarshalJSON() ([]byte, error) {
	dst := appendField([]byte{'{'}, "kind", e.Kind)
	dst = appendField(dst, "message", e.Message)
	if e.Stack != "" {
		dst = appendField(dst, "stack", e.Stack)
	}
	return append(dst, '}'), nil
}

// The types of [Output].
const (
	OutputText  = "text"
	OutputImage = "image"
)

// Output is one piece of what a script showed.
type Output struct {
	Type     string // [OutputText] or [OutputImage]
	Text     string // may hold stray bytes of file names
	Stream   string // "stdout" or "stderr" for the console, "" for text()
	MimeType string // of an image
	Data     string // of an image: base64
}

// MarshalJSON writes o in the form of an MCP content block, with stray bytes of
// file names kept.
func (o Output) MarshalJSON() ([]byte, error) {
	dst := appendField([]byte{'{'}, "type", o.Type)
	if o.Type == OutputImage {
		dst = appendField(dst, "data", o.Data)
		dst = appendField(dst, "mimeType", o.MimeType)
	} else {
		dst = appendField(dst, "text", o.Text)
	}
	if o.Stream != "" {
		dst = appendField(dst, "stream", o.Stream)
	}
	return append(dst, '}'), nil
}

func appendField(dst []byte, name, value string) []byte {
	if len(dst) > 1 {
		dst = append(dst, ',')
	}
	dst = plain.AppendString(dst, name)
	dst = append(dst, ':')
	return plain.AppendString(dst, value)
}

// Report is what became of a run.
type Report struct {
	OK       bool
	Value    json.RawMessage // what the script returned; null when it returned nothing or failed
	Output   []Output        // in the order it was made, bounded by [Options.MaxOutput]
	Error    *Error          // nil exactly when OK
	Duration time.Duration

	Shown string // of an interactive script: its value for a person to read

	Incomplete bool // nothing ran: the script does not parse, and more lines could make it whole
	Lost       bool // the engine of the session was given up: whatever it held is gone
}

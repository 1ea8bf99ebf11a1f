package plain

import (
	"encoding/json"
	"strconv"
	"time"
)

// Writer appends one JSON object, member by member, without reflection: for
// what is written at every call. Names are written as they are.
type Writer struct {
	text []byte
	err  error
}

// Begin opens an object at the end of dst.
func Begin(dst []byte) *Writer { return &Writer{text: append(dst, '{')} }

// End closes the object and returns dst with it, or the first error.
func (w *Writer) End() ([]byte, error) { return append(w.text, '}'), w.err }

func (w *Writer) name(name string) {
	if w.text[len(w.text)-1] != '{' {
		w.text = append(w.text, ',')
	}
	w.text = append(w.text, '"')
	w.text = append(w.text, name...)
	w.text = append(w.text, '"', ':')
}

// String writes a member, see [AppendString].
func (w *Writer) String(name, value string) {
	w.name(name)
	w.text = AppendString(w.text, value)
}

// StringIf writes a member unless it is empty.
func (w *Writer) StringIf(name, value string) {
	if value != "" {
		w.String(name, value)
	}
}

// Bool writes a member.
func (w *Writer) Bool(name string, value bool) {
	w.name(name)
	w.text = strconv.AppendBool(w.text, value)
}

// Int writes a member.
func (w *Writer) Int(name string, value int64) {
	w.name(name)
	w.text = strconv.AppendInt(w.text, value, 10)
}

// Decimal writes a finite number with as many digits as it needs.
func (w *Writer) Decimal(name string, value float64) {
	w.name(name)
	w.text = strconv.AppendFloat(w.text, value, 'f', -1, 64)
}

// Time writes a member in the format of RFC 3339.
func (w *Writer) Time(name string, value time.Time) {
	w.name(name)
	w.text = append(w.text, '"')
	w.text = value.AppendFormat(w.text, time.RFC3339Nano)
	w.text = append(w.text, '"')
}

// Any writes a member as encoding/json does.
func (w *Writer) Any(name string, value any) {
	data, err := json.Marshal(value)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.name(name)
	w.text = append(w.text, data...)
}

// Append writes a member that appends itself.
func (w *Writer) Append(name string, appendJSON func([]byte) ([]byte, error)) {
	w.name(name)
	text, err := appendJSON(w.text)
	if err != nil {
		if w.err == nil {
			w.err = err
		}
		return
	}
	w.text = text
}

package runtime

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja/file"
)

// positions say how positions in the text that esbuild was given become those of
// the script. They differ on the first line only: a header stands there, whose
// segments are import statements from elsewhere.
type positions struct {
	header   int // length of the header
	segments []segment
}

// A segment is a part of the header that comes from elsewhere in the script.
type segment struct{ from, line, column int }

// position takes a line that counts from 1 and a column that counts from 0.
func (p positions) position(line, column int) (int, int) {
	if line != 1 {
		return line, column
	}
	if column >= p.header || len(p.segments) == 0 {
		return line, max(column-p.header, 0)
	}
	s := p.segments[0]
	for _, next := range p.segments[1:] {
		if next.from > column {
			break
		}
		s = next
	}
	return s.line, s.column
}

// lineColumn is the position of an offset, the line counted from 1 and the
// column, in UTF-16 units, from 0.
func lineColumn(text []byte, offset int) (line, column int) {
	before := string(text[:offset])
	line = strings.Count(before, "\n") + 1
	return line, units(before[strings.LastIndexByte(before, '\n')+1:])
}

// offsetOf is the inverse, for a column in bytes.
func offsetOf(text string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	return min(at+column, len(text))
}

// units is the length of s as JavaScript counts it.
func units(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r > 0xffff {
			n++
		}
	}
	return n
}

// remap turns the source map of esbuild into the one that the engine is given.
// The engine looks up columns that count from 1 in mappings that count from 0,
// and reports what it finds as if it counted from 1: so both are made to count
// from 1. The positions become the script's own.
func remap(data []byte, name string, p positions) ([]byte, error) {
	var m struct {
		Version  int      `json:"version"`
		Sources  []string `json:"sources"`
		Names    []string `json:"names"`
		Mappings string   `json:"mappings"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	m.Sources, m.Names = []string{name}, []string{}
	out := make([]byte, 0, len(m.Mappings)+64)
	var line, column int               // of the source, as esbuild counts: from 0
	var oldLine, oldColumn, oldOut int // as written
	for generated := range strings.SplitSeq(m.Mappings, ";") {
		at, first := 0, true
		oldOut = 0
		for mapping := range strings.SplitSeq(generated, ",") {
			fields, err := decodeVLQ(mapping)
			if err != nil {
				return nil, err
			}
			if len(fields) == 0 {
				continue
			}
			at += fields[0]
			if len(fields) < 4 {
				continue
			}
			line += fields[2]
			column += fields[3]
			toLine, toColumn := p.position(line+1, column)
			if !first {
				out = append(out, ',')
			}
			first = false
			out = appendVLQ(out, at+1-oldOut)
			out = appendVLQ(out, 0)
			out = appendVLQ(out, toLine-1-oldLine)
			out = appendVLQ(out, toColumn+1-oldColumn)
			oldOut, oldLine, oldColumn = at+1, toLine-1, toColumn+1
		}
		out = append(out, ';')
	}
	m.Mappings = string(out)
	return json.Marshal(m)
}

const vlqDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func decodeVLQ(s string) (fields []int, err error) {
	value, shift := 0, 0
	for i := 0; i < len(s); i++ {
		digit := strings.IndexByte(vlqDigits, s[i])
		if digit < 0 || shift > 30 {
			return nil, errors.New("malformed source map")
		}
		value |= digit & 31 << shift
		if digit&32 != 0 {
			shift += 5
			continue
		}
		if value&1 != 0 {
			fields = append(fields, -(value >> 1))
		} else {
			fields = append(fields, value>>1)
		}
		value, shift = 0, 0
	}
	return fields, nil
}

func appendVLQ(out []byte, n int) []byte {
	v := n << 1
	if n < 0 {
		v = -n<<1 | 1
	}
	for {
		digit := v & 31
		if v >>= 5; v > 0 {
			digit |= 32
		}
		out = append(out, vlqDigits[digit])
		if v == 0 {
			return out
		}
	}
}

// shownName is how the engine writes the name of a file with a source map.
func shownName(name string) string {
	if u := file.ResolveSourcemapURL(transformedName, name); u != nil {
		return u.String()
	}
	return name
}

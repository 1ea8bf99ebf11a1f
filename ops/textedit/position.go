package textedit

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// place is where a byte of the text is.
func (f *finder) place(at int) Place {
	start := bytes.LastIndexByte(f.old[:at], '\n') + 1
	p := Place{Line: bytes.Count(f.old[:at], []byte{'\n'}) + 1, Column: 1}
	for _, r := range string(f.old[start:at]) {
		p.Column += units(r)
	}
	return p
}

// units is how many UTF-16 units a character takes.
func units(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// between finds the bytes of a range.
func (f *finder) between(i int, r Range) (start, end int, err error) {
	if start, err = f.at(i, "start", r.Start); err != nil {
		return 0, 0, err
	}
	if end, err = f.at(i, "end", r.End); err != nil {
		return 0, 0, err
	}
	if end < start {
		return 0, 0, badRange(i, "its end comes before its start")
	}
	for _, at := range []int{start, end} {
		if f.crlf && at > 0 && at < len(f.old) && f.old[at-1] == '\r' && f.old[at] == '\n' {
			return 0, 0, badRange(i, "it takes the end of a line, which is CRLF, apart")
		}
	}
	return max(start, f.start), max(end, f.start), nil
}

func badRange(i int, format string, args ...any) error {
	return &Problem{Kind: BadRange, Edit: i, Message: fmt.Sprintf("the range of edit %d does not exist: ", i+1) + fmt.Sprintf(format, args...)}
}

// at finds the byte of a position.
func (f *finder) at(i int, which string, p Position) (int, error) {
	if p.Line == 0 {
		at, left := advance(f.old, p.Offset)
		switch {
		case left > 0:
			return 0, badRange(i, "its %s is at %d, and the text has %d UTF-16 units", which, p.Offset, p.Offset-left)
		case left < 0:
			return 0, badRange(i, "its %s at %d splits a character", which, p.Offset)
		}
		return at, nil
	}
	at := 0
	for line := 1; line < p.Line; line++ {
		next := bytes.IndexByte(f.old[at:], '\n')
		if next < 0 {
			return 0, badRange(i, "its %s is in line %d, and the text has %d", which, p.Line, line)
		}
		at += next + 1
	}
	line := f.old[at:]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	n, left := advance(line, p.Column-1)
	switch {
	case left > 0:
		return 0, badRange(i, "its %s is at column %d of line %d, which has %d", which, p.Column, p.Line, p.Column-left)
	case left < 0:
		return 0, badRange(i, "its %s at column %d of line %d splits a character", which, p.Column, p.Line)
	}
	return at + n, nil
}

// advance goes n UTF-16 units into a text. Left is what the text was short of, or
// negative if that splits a character.
func advance(text []byte, n int) (at, left int) {
	for n > 0 && at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		n -= units(r)
		at += size
	}
	return at, n
}

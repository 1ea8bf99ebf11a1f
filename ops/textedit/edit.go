package textedit

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Edit is one change of a text. Either Find or Range says where; Replace is what
// stands there afterwards.
type Edit struct {
	Find    string // a text that occurs exactly once, or with All at least once
	All     bool   // every occurrence, from left to right
	Range   *Range
	Replace string
}

// Range is a part of a text, from Start up to End.
type Range struct{ Start, End Position }

// Position is a place in a text: Offset counts UTF-16 units from 0, as indices of
// JavaScript strings do. Where Line is not 0, line and column count from 1 in its
// stead, the column in UTF-16 units.
type Position struct{ Offset, Line, Column int }

// Span is a change in bytes: Text stands for old[Start:End].
type Span struct {
	Start, End int
	Text       string
}

// Place is a position that a [Problem] names.
type Place struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // from 1, in UTF-16 units
}

// The kinds of [Problem].
const (
	NoMatch   = "no match"
	Ambiguous = "ambiguous"
	Overlap   = "overlap"
	BadRange  = "bad range"
	NotText   = "not text"
	TooMuch   = "too much"
)

// Problem is why edits cannot be applied. Nothing is applied then.
type Problem struct {
	Kind    string
	Edit    int     // which edit, from 0
	Other   int     // Overlap: which other one
	Places  []Place // where: of several matches the first ones, of a near miss that one
	Message string
}

func (p *Problem) Error() string { return p.Message }

const (
	maxPlaces  = 10      // that a problem names
	maxCounted = 100     // occurrences that a problem counts
	maxChanges = 2 << 20 // places that edits may change
	checkEvery = 1 << 14 // places after which to look whether the edit is still wanted
)

// MaxSize is how many bytes a text may have, before and after its edits: both are
// held in memory at once.
const MaxSize = 256 << 20

const bom = "\ufeff"

// Find says what edits change in old, which must be UTF-8: spans in order that do
// not overlap. All edits are held against old as it is. In a text whose lines all
// end in CRLF, an edit's LF means that, and no edit takes one apart. A byte order
// mark counts as the character that it is and stays where it is. The error is a
// *[Problem], or that of ctx.
func Find(ctx context.Context, old []byte, edits []Edit) ([]Span, error) {
	if !utf8.Valid(old) {
		return nil, &Problem{Kind: NotText, Message: "it is not UTF-8 text"}
	}
	if len(old) > MaxSize {
		return nil, &Problem{Kind: TooMuch, Message: fmt.Sprintf("it has more than %d bytes", MaxSize)}
	}
	f := finder{ctx: ctx, old: old, size: len(old), crlf: allCRLF(old)}
	if bytes.HasPrefix(old, []byte(bom)) {
		f.start = len(bom)
	}
	for i, e := range edits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := f.edit(i, e); err != nil {
			return nil, err
		}
	}
	if err := f.bounded(len(edits) - 1); err != nil {
		return nil, err
	}
	slices.SortStableFunc(f.found, func(a, b found) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End // what is inserted comes before what is replaced
	})
	spans := make([]Span, len(f.found))
	for i, s := range f.found {
		if i > 0 && s.Start < f.found[i-1].End {
			return nil, f.overlap(f.found[i-1], s)
		}
		spans[i] = s.Span
	}
	return spans, nil
}

// Apply makes the new text.
func Apply(old []byte, spans []Span) []byte {
	size := len(old)
	for _, s := range spans {
		size += len(s.Text) - (s.End - s.Start)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, s := range spans {
		out = append(out, old[at:s.Start]...)
		out = append(out, s.Text...)
		at = s.End
	}
	return append(out, old[at:]...)
}

// found is a span and the edit that it is of.
type found struct {
	Span
	edit int
}

type finder struct {
	ctx   context.Context
	old   []byte
	size  int // of the text that is made
	crlf  bool
	start int // after a byte order mark
	found []found
}

func (f *finder) edit(i int, e Edit) error {
	replace := e.Replace
	if f.crlf {
		replace = toCRLF(replace)
	}
	if e.Range != nil {
		start, end, err := f.between(i, *e.Range)
		if err != nil {
			return err
		}
		f.add(i, start, end, replace)
		return nil
	}
	find, first := []byte(e.Find), -1
	if f.crlf {
		find = []byte(toCRLF(e.Find))
	}
	switch {
	case !utf8.Valid(find): // it would match parts of characters
	case f.crlf && find[len(find)-1] == '\r': // it would match a part of a line end
	case f.start > 0 && bytes.HasPrefix(find, []byte(bom)):
		if find = find[len(bom):]; bytes.HasPrefix(f.old[f.start:], find) {
			f.add(i, f.start, f.start+len(find), replace)
			return nil
		}
	default:
		first = f.index(find, f.start)
	}
	if first < 0 {
		return f.nowhere(i, e.Find)
	}
	if !e.All {
		if second := f.index(find, first+1); second >= 0 {
			return f.several(i, find, first)
		}
	}
	for at := first; at >= 0; at = f.index(find, at+len(find)) {
		f.add(i, at, at+len(find), replace)
		if !e.All {
			break
		}
		if err := f.bounded(i); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) add(i, start, end int, text string) {
	if f.start > 0 && start == f.start {
		text = strings.TrimPrefix(text, bom) // it is there
	}
	f.found = append(f.found, found{Span{start, end, text}, i})
	f.size += len(text) - (end - start)
}

// bounded ends an edit that changes too much, or that nobody waits for any more.
func (f *finder) bounded(i int) error {
	switch {
	case len(f.found) > maxChanges:
		return &Problem{Kind: TooMuch, Edit: i, Message: fmt.Sprintf("the edits change more than %d places", maxChanges)}
	case f.size > MaxSize:
		return &Problem{Kind: TooMuch, Edit: i, Message: fmt.Sprintf("with the edits it would have more than %d bytes", MaxSize)}
	case len(f.found)%checkEvery == 0:
		return f.ctx.Err()
	}
	return nil
}

// index is where find next occurs, or -1.
func (f *finder) index(find []byte, from int) int {
	if at := bytes.Index(f.old[from:], find); at >= 0 {
		return from + at
	}
	return -1
}

func (f *finder) nowhere(i int, find string) error {
	p := &Problem{Kind: NoMatch, Edit: i, Message: fmt.Sprintf("the text of edit %d does not occur", i+1)}
	if at := f.near(find); at >= 0 {
		place := f.place(at)
		p.Places = []Place{place}
		p.Message += fmt.Sprintf("; something that differs from it only in white space is in line %d", place.Line)
	}
	return p
}

// near finds a text that differs from find in white space alone, in a file that
// is not too large to look for it.
func (f *finder) near(find string) int {
	const enough = 4 << 20
	want := bytes.Join(bytes.Fields([]byte(find)), nil)
	if len(want) < 3 || len(f.old) > enough {
		return -1
	}
	bare := make([]byte, 0, len(f.old))
	for _, c := range f.old {
		if !isSpace(c) {
			bare = append(bare, c)
		}
	}
	at := bytes.Index(bare, want)
	if at < 0 {
		return -1
	}
	for i, c := range f.old {
		if isSpace(c) {
			continue
		}
		if at == 0 {
			return i
		}
		at--
	}
	return -1
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (f *finder) several(i int, find []byte, first int) error {
	p := &Problem{Kind: Ambiguous, Edit: i}
	count := 0
	for at := first; at >= 0 && count < maxCounted; at = f.index(find, at+1) {
		if count++; count <= maxPlaces {
			p.Places = append(p.Places, f.place(at))
		}
	}
	times := fmt.Sprint(count)
	if count == maxCounted {
		times = "at least " + times
	}
	p.Message = fmt.Sprintf("the text of edit %d occurs %s times, in %s", i+1, times, lines(p.Places, count))
	return p
}

func (f *finder) overlap(a, b found) error {
	p := &Problem{Kind: Overlap, Edit: a.edit, Other: b.edit, Places: []Place{f.place(a.Start), f.place(b.Start)}}
	p.Message = fmt.Sprintf("edits %d and %d change the same text, in %s", a.edit+1, b.edit+1, lines(p.Places, 2))
	return p
}

// lines names the lines of places, of which there are count.
func lines(places []Place, count int) string {
	text := ""
	last := 0
	for i, p := range places {
		switch {
		case i == 0:
			text = fmt.Sprintf("line %d", p.Line)
		case p.Line != last:
			text += fmt.Sprintf(", %d", p.Line)
		}
		last = p.Line
	}
	if count > len(places) {
		text += ", …"
	}
	return text
}

// allCRLF reports whether there are lines and all of them end in CRLF.
func allCRLF(text []byte) bool {
	any := false
	for at := 0; ; any = true {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return any
		}
		if at += i; at == 0 || text[at-1] != '\r' {
			return false
		}
		at++
	}
}

// toCRLF ends the lines of a text in CRLF.
func toCRLF(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if text[i] == '\n' && (i == 0 || text[i-1] != '\r') {
			out = append(out, '\r')
		}
		out = append(out, text[i])
	}
	return string(out)
}

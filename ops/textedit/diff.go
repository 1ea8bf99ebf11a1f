package textedit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

const (
	contextLines = 2
	maxLine      = 400     // bytes of a line that a diff shows
	maxCompared  = 1 << 20 // bytes of texts that are compared line by line
)

// IsText reports whether something can be shown as text.
func IsText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// Between is what was changed to make text of old.
func Between(old, text []byte) []Span {
	head := commonLines(old, text)
	tail := commonTail(old[head:], text[head:])
	before, after := old[head:len(old)-tail], text[head:len(text)-tail]
	if len(before) == 0 && len(after) == 0 {
		return nil
	}
	if max(len(before), len(after)) > maxCompared || !utf8.Valid(before) || !utf8.Valid(after) {
		return []Span{{head, len(old) - tail, string(after)}}
	}
	var spans []Span
	for _, e := range udiff.Lines(string(before), string(after)) {
		spans = append(spans, Span{head + e.Start, head + e.End, e.New})
	}
	return spans
}

// commonLines is the length of the whole lines with which both texts begin.
func commonLines(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) && n == len(b) {
		return n
	}
	return bytes.LastIndexByte(a[:n], '\n') + 1
}

// commonTail is the length of whole lines with which both texts end.
func commonTail(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	at := bytes.IndexByte(a[len(a)-n:], '\n')
	if at < 0 {
		return 0
	}
	return n - at - 1
}

// Diff shows changes of a text as a unified diff without file names, in about
// limit bytes. What does not fit is counted in the last line.
func Diff(old []byte, spans []Span, limit int) string {
	d := differ{old: old, limit: limit}
	blocks := blocksOf(old, spans)
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && near(old[blocks[n-1].end:blocks[n].start]) {
			n++
		}
		d.hunk(blocks[:n])
		blocks = blocks[n:]
	}
	if d.left > 0 {
		fmt.Fprintf(&d.out, "… %d changed lines more …\n", d.left)
	}
	return d.out.String()
}

// near reports whether unchanged text between two changes is short enough to be
// shown whole.
func near(between []byte) bool { return bytes.Count(between, []byte{'\n'}) <= 2*contextLines }

// A block is a change of whole lines: text stands for old[start:end].
type block struct {
	start, end int
	text       []byte
}

// blocksOf is what spans change, in whole lines.
func blocksOf(old []byte, spans []Span) []block {
	var blocks []block
	for len(spans) > 0 {
		start, end := wholeLines(old, spans[0])
		n := 1
		for n < len(spans) && meets(old, end, spans[n].Start) {
			if spans[n].End >= end {
				_, to := wholeLines(old, spans[n])
				end = max(end, to)
			}
			n++
		}
		inside := make([]Span, n)
		for i, s := range spans[:n] {
			inside[i] = Span{s.Start - start, s.End - start, s.Text}
		}
		for _, s := range Between(old[start:end], Apply(old[start:end], inside)) {
			blocks = append(blocks, block{start + s.Start, start + s.End, []byte(s.Text)})
		}
		spans = spans[n:]
	}
	return blocks
}

// meets reports whether a change at a place begins in the line at end or before.
func meets(old []byte, end, at int) bool {
	return at <= end || bytes.IndexByte(old[end:at], '\n') < 0
}

// wholeLines are the lines that a change touches: none where it puts whole ones
// between them.
func wholeLines(old []byte, s Span) (start, end int) {
	start = lineStart(old, s.Start)
	whole := s.Text == "" || strings.HasSuffix(s.Text, "\n")
	if whole && start == s.Start && lineStart(old, s.End) == s.End {
		return start, s.End
	}
	if i := bytes.IndexByte(old[s.End:], '\n'); i >= 0 {
		return start, s.End + i + 1
	}
	return start, len(old)
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// A differ writes hunks.
type differ struct {
	old   []byte
	limit int
	out   strings.Builder
	left  int // changed lines that are not shown

	at, line int // a place in old, and the number of its line, from 0
	shift    int // how many lines the changes so far have added
}

// hunk writes blocks that lie near one another.
func (d *differ) hunk(blocks []block) {
	changed := 0
	for _, b := range blocks {
		changed += len(linesOf(d.old[b.start:b.end])) + len(linesOf(b.text))
	}
	if d.out.Len() >= d.limit {
		d.left += changed
		return
	}
	start, end := d.context(blocks[0].start, -contextLines), d.context(blocks[len(blocks)-1].end, contextLines)
	var body strings.Builder
	before, after := 0, 0
	same := func(text []byte) {
		for _, line := range linesOf(text) {
			write(&body, ' ', line, 0)
			before++
			after++
		}
	}
	at, skipped := start, 0
	for _, b := range blocks {
		same(d.old[at:b.start])
		at = b.end
		old, text := linesOf(d.old[b.start:b.end]), linesOf(b.text)
		put := func(sign byte, lines, others [][]byte) {
			for i, line := range lines {
				if d.out.Len()+body.Len() >= d.limit {
					skipped++
					continue
				}
				write(&body, sign, line, window(line, others, i))
			}
		}
		put('-', old, text)
		put('+', text, old)
		before += len(old)
		after += len(text)
	}
	d.left += skipped
	if skipped == 0 {
		same(d.old[at:end])
	} else {
		rest := len(linesOf(d.old[at:end]))
		before += rest
		after += rest
	}
	from := d.lineAt(start)
	fmt.Fprintf(&d.out, "@@ -%s +%s @@\n%s", extent(from, before), extent(from+d.shift, after), body.String())
	d.shift += after - before
}

// context is the place n whole lines before or after another one.
func (d *differ) context(at, n int) int {
	for ; n < 0 && at > 0; n++ {
		at = lineStart(d.old, at-1)
	}
	for ; n > 0 && at < len(d.old); n-- {
		i := bytes.IndexByte(d.old[at:], '\n')
		if i < 0 {
			return len(d.old)
		}
		at += i + 1
	}
	return at
}

// lineAt is the number of the line that starts at a place, from 0. Places come in
// order.
func (d *differ) lineAt(at int) int {
	d.line += bytes.Count(d.old[d.at:at], []byte{'\n'})
	d.at = at
	return d.line
}

// extent is how a hunk's header names count lines from the one after before lines.
func extent(before, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", before)
	}
	return fmt.Sprintf("%d,%d", before+1, count)
}

// linesOf are the lines of a text, with their ends.
func linesOf(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	lines := bytes.SplitAfter(text, []byte{'\n'})
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// window is from where a long line is shown, so that what differs from its
// counterpart among others can be seen.
func window(line []byte, others [][]byte, i int) int {
	if len(line) <= maxLine || i >= len(others) {
		return 0
	}
	same := 0
	for same < len(line) && same < len(others[i]) && line[same] == others[i][same] {
		same++
	}
	if same < maxLine/2 {
		return 0
	}
	from := same - maxLine/4
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	return from
}

// write writes a line, or what fits of it from a place on.
func write(b *strings.Builder, sign byte, line []byte, from int) {
	text, whole := bytes.CutSuffix(line, []byte{'\n'})
	b.WriteByte(sign)
	if from > 0 {
		b.WriteString("…")
		text = text[min(from, len(text)):]
	}
	if len(text) > maxLine {
		cut := maxLine
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		b.Write(text[:cut])
		b.WriteString("…")
	} else {
		b.Write(text)
	}
	b.WriteByte('\n')
	if !whole {
		b.WriteString("\\ No newline at end of file\n")
	}
}

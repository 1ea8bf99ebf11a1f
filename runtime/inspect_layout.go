package runtime

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// quote writes a string in quotes that it does not hold, if there are such.
func quote(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") {
		switch {
		case !strings.Contains(s, `"`):
			q = '"'
		case !strings.Contains(s, "`") && !strings.Contains(s, "${"):
			q = '`'
		}
	}
	b := []byte{q}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = fmt.Appendf(b, `\udc%x`, s[i])
		case r == rune(q) || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20 || r >= 0x7f && r <= 0x9f:
			b = append(b, escape(r)...)
		default:
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return string(append(b, q))
}

func escape(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	case '\r':
		return `\r`
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	}
	return fmt.Sprintf(`\x%02X`, r)
}

// layout joins the entries of an object on one line where they fit, otherwise
// one to a line; short elements of long arrays stand in columns.
func (i *inspector) layout(sh *shape, level int) string {
	entries := len(sh.entries)
	output := sh.entries
	if sh.array && entries > 6 && i.compact > 0 {
		output = i.columns(sh)
	}
	base := sh.base
	if base != "" {
		base += " "
	}
	// Up to three inner levels share a line.
	if i.level-level < i.compact && entries == len(output) {
		start := len(output) + i.indent + units(sh.left) + units(sh.base) + 10 // Node counts the colours of these
		if fits(output, start, i.line) && !strings.Contains(sh.base, "\n") {
			if joined := strings.Join(output, ", "); !strings.Contains(joined, "\n") {
				return base + sh.left + " " + joined + " " + sh.right
			}
		}
	}
	indent := "\n" + strings.Repeat(" ", i.indent)
	return base + sh.left + indent + "  " + strings.Join(output, ","+indent+"  ") + indent + sh.right
}

func fits(output []string, start, columns int) bool {
	total := len(output) + start
	if total+len(output) > columns {
		return false
	}
	for _, entry := range output {
		if total += width(entry); total > columns {
			return false
		}
	}
	return true
}

// columns groups the entries of an array as Node does.
func (i *inspector) columns(sh *shape) []string {
	items := sh.entries
	if sh.cut {
		items = items[:len(items)-1]
	}
	const space = 2
	widths := make([]int, len(items))
	total, widest := 0, 0
	for n, item := range items {
		widths[n] = width(item)
		total += widths[n] + space
		widest = max(widest, widths[n])
	}
	column := widest + space
	if column*3+i.indent >= i.line || float64(total)/float64(column) <= 5 && widest > 6 {
		return sh.entries
	}
	bias := math.Sqrt(float64(column) - float64(total)/float64(len(sh.entries)))
	biased := math.Max(float64(column)-3-bias, 1)
	count := min(
		int(math.Round(math.Sqrt(2.5*biased*float64(len(items)))/biased)),
		(i.line-i.indent)/column,
		i.compact*4,
		15,
	)
	if count <= 1 {
		return sh.entries
	}
	var lines []string
	for row := 0; row < len(items); row += count {
		var line strings.Builder
		last := min(row+count, len(items))
		for n := row; n < last; n++ {
			lineWidth := 0
			for m := n - row; m < len(items); m += count {
				lineWidth = max(lineWidth, widths[m])
			}
			item := items[n]
			if n < last-1 {
				item += ", "
				lineWidth += space
			}
			pad := strings.Repeat(" ", max(lineWidth-width(item), 0))
			switch {
			case sh.numbers:
				line.WriteString(pad + item)
			case n < last-1:
				line.WriteString(item + pad)
			default:
				line.WriteString(item)
			}
		}
		lines = append(lines, line.String())
	}
	if sh.cut {
		lines = append(lines, sh.entries[len(sh.entries)-1])
	}
	return lines
}

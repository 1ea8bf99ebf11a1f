package repl

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escaped writes a name the way it stands in a string with such quotes; 0 is for
// showing it. A byte that is not UTF-8 is the lone surrogate that scripts know it
// by.
func escaped(name string, quote byte) string {
	var b strings.Builder
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\udc%x`, name[i])
		case quote != 0 && (r == '\\' || r == rune(quote) || quote == '`' && r == '$'):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case !unicode.IsPrint(r) && r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// unescaped reads what stands in a string, up to its end.
func unescaped(written string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(written); i++ {
		if written[i] != '\\' {
			b.WriteByte(written[i])
			continue
		}
		if i++; i == len(written) {
			return "", false
		}
		digits := map[byte]int{'x': 2, 'u': 4}[written[i]]
		switch {
		case digits > 0:
			if i+digits >= len(written) {
				return "", false
			}
			n, err := strconv.ParseUint(written[i+1:i+1+digits], 16, 32)
			if err != nil {
				return "", false
			}
			if n >= 0xdc80 && n <= 0xdcff {
				b.WriteByte(byte(n))
			} else {
				b.WriteRune(rune(n))
			}
			i += digits
		case strings.IndexByte("nrtbfv0", written[i]) >= 0:
			b.WriteByte("\n\r\t\b\f\v\x00"[strings.IndexByte("nrtbfv0", written[i])])
		default:
			b.WriteByte(written[i])
		}
	}
	return b.String(), true
}

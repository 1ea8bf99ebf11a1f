package plain

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a string of bytes that need not be UTF-8, such as a file name as the
// kernel knows it. In JSON each stray byte 0x80–0xFF is written as the lone
// surrogate U+DC80–U+DCFF, so that every name on disk can be told apart and
// named again; encoding/json alone would turn all of them into U+FFFD.
type Text string

// MarshalJSON writes t as a JSON string with stray bytes kept.
func (t Text) MarshalJSON() ([]byte, error) { return AppendString(nil, string(t)), nil }

// UnmarshalJSON is the inverse of [Text.MarshalJSON]. A lone surrogate that
// spells no stray byte is an error.
func (t *Text) UnmarshalJSON(data []byte) error {
	v, err := Parse(data)
	if err != nil {
		return err
	}
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("expected a string, got %s", KindOf(v))
	}
	*t = Text(s)
	return nil
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a quoted JSON string. Stray bytes become lone
// surrogates; control characters, U+2028 and U+2029 are escaped.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c == '\n':
				dst = append(dst, '\\', 'n')
			case c == '\r':
				dst = append(dst, '\\', 'r')
			case c == '\t':
				dst = append(dst, '\\', 't')
			case c < 0x20 || c == 0x7f:
				dst = appendEscape(dst, uint16(c))
			default:
				dst = append(dst, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = appendEscape(dst, 0xdc00|uint16(c))
		case r == '\u2028' || r == '\u2029':
			dst = appendEscape(dst, uint16(r))
		default:
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return append(dst, '"')
}

func appendEscape(dst []byte, u uint16) []byte {
	return append(dst, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

// UTF16 spells s the way JavaScript sees it: UTF-16 code units, with a lone
// surrogate for each stray byte.
func UTF16(s string) []uint16 {
	units := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			units = append(units, 0xdc00|uint16(s[i]))
		} else {
			units = utf16.AppendRune(units, r)
		}
		i += size
	}
	return units
}

// FromUTF16 is the inverse of [UTF16]. It reports false when the units hold a
// lone surrogate that spells no stray byte; that unit is then U+FFFD in the
// result, which must not be used to name anything.
func FromUTF16(units []uint16) (string, bool) {
	out := make([]byte, 0, len(units))
	ok := true
	for i := 0; i < len(units); i++ {
		u := units[i]
		switch {
		case u < 0xd800 || u > 0xdfff:
			out = utf8.AppendRune(out, rune(u))
		case u < 0xdc00 && i+1 < len(units) && units[i+1] >= 0xdc00 && units[i+1] <= 0xdfff:
			out = utf8.AppendRune(out, utf16.DecodeRune(rune(u), rune(units[i+1])))
			i++
		case u >= 0xdc80 && u <= 0xdcff:
			out = append(out, byte(u))
		default:
			ok = false
			out = utf8.AppendRune(out, utf8.RuneError)
		}
	}
	return string(out), ok
}

package runtime

import (
	"strings"
	"unicode/utf8"

	"codemode/ops/plain"

	"github.com/dop251/goja"
)

// jsString makes an engine string of s, stray bytes becoming lone surrogates.
func jsString(s string) goja.Value {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return goja.StringFromUTF16(plain.UTF16(s))
		}
	}
	var b goja.StringBuilder
	b.WriteUTF8String(s)
	return b.String()
}

// goString is the inverse of jsString. It reports false when s holds a lone
// surrogate that spells no stray byte, or surrogates that spell a character;
// the result then does for showing, and names nothing.
func goString(s goja.String) (string, bool) {
	text := s.String()
	if len(text) == s.Length() || !strings.Contains(text, "\ufffd") {
		return text, true // ASCII, or without surrogates that stand alone
	}
	units := make([]uint16, s.Length())
	for i := range units {
		units[i] = s.CharAt(i)
	}
	text, ok := plain.FromUTF16(units)
	return text, ok && len(plain.UTF16(text)) == len(units)
}

// shownString is goString for output, where nothing is named.
func shownString(s goja.String) string {
	text, _ := goString(s)
	return text
}

// utf16Of is the UTF-16 form of a string that holds no stray bytes.
func utf16Of(s string) []uint16 { return plain.UTF16(s) }

// str is String(v) for what the script passes, except for symbols.
func (e *engine) str(v goja.Value) goja.String {
	if v == nil {
		v = goja.Undefined()
	}
	if o, ok := v.(*goja.Object); ok {
		v = o.ToString()
	}
	switch v := v.(type) {
	case goja.String:
		return v
	case *goja.Symbol:
		e.typeError("Cannot convert a Symbol value to a string")
	}
	return jsString(v.String()).(goja.String)
}

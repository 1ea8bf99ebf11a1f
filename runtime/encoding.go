package runtime

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// decodeCall makes the bytes of a text, as an ArrayBuffer.
func (s *sandbox) decodeCall(c goja.FunctionCall) goja.Value {
	text, _ := c.Argument(0).(goja.String)
	return s.ToValue(s.NewArrayBuffer(decodeText(shownString(text), s.encoding(c.Argument(1)))))
}

// encodeCall makes text of the bytes of a Uint8Array, or of a part of it.
func (s *sandbox) encodeCall(c goja.FunctionCall) goja.Value {
	object, _ := c.Argument(0).(*goja.Object)
	if object == nil || kindOf(object) != kindTypedArray {
		s.typeError("Buffer: not a Buffer")
	}
	bytes, ok := object.Export().([]byte)
	if !ok {
		s.typeError("Buffer: not a Buffer")
	}
	end := int64(len(bytes))
	if v := c.Argument(3); !goja.IsUndefined(v) {
		end = min(max(v.ToInteger(), 0), end)
	}
	start := min(max(c.Argument(2).ToInteger(), 0), end)
	bytes = bytes[start:end]
	if name, ok := c.Argument(1).(goja.String); ok {
		switch name.String() {
		case "utf8-fatal":
			if !utf8.Valid(bytes) {
				return goja.Undefined()
			}
		case "utf-16le":
			units := make([]uint16, len(bytes)/2, len(bytes)/2+1)
			for i := range units {
				units[i] = uint16(bytes[i*2]) | uint16(bytes[i*2+1])<<8
			}
			if len(bytes)%2 == 1 {
				units = append(units, utf8.RuneError)
			}
			return jsString(string(utf16.Decode(units)))
		case "windows-1252":
			runes := make([]rune, len(bytes))
			for i, b := range bytes {
				runes[i] = rune(b)
				if b >= 0x80 && b < 0xa0 {
					runes[i] = windows1252[b-0x80]
				}
			}
			return jsString(string(runes))
		}
	}
	encoding := "utf8"
	if name, ok := c.Argument(1).(goja.String); !ok || name.String() != "utf8-fatal" {
		encoding = s.encoding(c.Argument(1))
	}
	return jsString(encodeText(bytes, encoding))
}

var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// validUTF8 replaces what is not UTF-8, one U+FFFD for each part that could have
// been the beginning of a character, as the encoding standard has it.
func validUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r != utf8.RuneError || size > 1 {
			out.WriteRune(r)
			b = b[size:]
			continue
		}
		out.WriteRune(utf8.RuneError)
		b = b[partial(b):]
	}
	return out.String()
}

// partial is how many bytes of an unfinished character b begins with, at least 1.
func partial(b []byte) int {
	low, high, need := byte(0x80), byte(0xbf), 0
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		need = 1
	case c == 0xe0:
		low, need = 0xa0, 2
	case c == 0xed:
		high, need = 0x9f, 2
	case c >= 0xe1 && c <= 0xef:
		need = 2
	case c == 0xf0:
		low, need = 0x90, 3
	case c == 0xf4:
		high, need = 0x8f, 3
	case c >= 0xf1 && c <= 0xf3:
		need = 3
	}
	n := 1
	for ; n <= need && n < len(b) && b[n] >= low && b[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}

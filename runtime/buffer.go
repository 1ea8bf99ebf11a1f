package runtime

import (
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/dop251/goja"
)

//go:embed buffer.js
var bufferSource string

var bufferProgram = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile(preludeName, bufferSource, true)
})

// maxBuffer is the size of a Buffer beyond which making one is refused.
const maxBuffer = 64 << 20

// newBuffer makes the Buffer class. That of goja_nodejs is not used: it shows
// scripts a Go value through a symbol that cannot be removed.
func (s *sandbox) newBuffer() goja.Value {
	decode, encode := s.function("decode", 2, s.decodeCall), s.function("encode", 4, s.encodeCall)
	known := s.function("isEncoding", 1, func(c goja.FunctionCall) goja.Value {
		text, ok := c.Argument(0).(goja.String)
		return s.ToValue(ok && encodings[strings.ToLower(text.String())] != "")
	})
	class, err := callable(must(s.RunProgram(bufferProgram())))(goja.Undefined(),
		s.uint8Array, s.arrayBuffer, s.typeErrorClass, s.rangeErrorClass, decode, encode, known, s.ToValue(maxBuffer))
	throw(err)
	return class
}

// encodings are the names of encodings and what each stands for.
var encodings = map[string]string{
	"utf8": "utf8", "utf-8": "utf8", "hex": "hex", "base64": "base64", "base64url": "base64url",
	"latin1": "latin1", "binary": "latin1", "ascii": "ascii",
	"utf16le": "utf16le", "utf-16le": "utf16le", "ucs2": "utf16le", "ucs-2": "utf16le",
}

func (s *sandbox) encoding(v goja.Value) string {
	if goja.IsUndefined(v) {
		return "utf8"
	}
	if text, ok := v.(goja.String); ok {
		if name := encodings[strings.ToLower(text.String())]; name != "" {
			return name
		}
		s.typeError("Unknown encoding: %s; there are utf8, hex, base64, base64url, latin1, ascii and utf16le", shorten(text.String(), 100))
	}
	s.typeError("Buffer: the name of an encoding must be a string")
	return ""
}

// decodeText makes bytes of text. A stray byte of a file name stays that byte.
func decodeText(text, encoding string) []byte {
	switch encoding {
	case "hex":
		bytes := make([]byte, len(text)/2)
		n, _ := hex.Decode(bytes, []byte(text[:len(bytes)*2]))
		return bytes[:n]
	case "base64", "base64url":
		text = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "", "\t", "").Replace(text)
		text, _, _ = strings.Cut(text, "=")
		if len(text)%4 == 1 {
			text = text[:len(text)-1]
		}
		bytes, _ := base64.RawStdEncoding.DecodeString(text)
		return bytes
	case "latin1", "ascii":
		var bytes []byte
		for _, r := range text {
			bytes = append(bytes, byte(r))
		}
		return bytes
	case "utf16le":
		var bytes []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			bytes = binary.LittleEndian.AppendUint16(bytes, unit)
		}
		return bytes
	}
	return []byte(text)
}

func encodeText(bytes []byte, encoding string) string {
	switch encoding {
	case "hex":
		return hex.EncodeToString(bytes)
	case "base64":
		return base64.StdEncoding.EncodeToString(bytes)
	case "base64url":
		return base64.RawURLEncoding.EncodeToString(bytes)
	case "utf16le":
		units := make([]uint16, len(bytes)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(bytes[2*i:])
		}
		return string(utf16.Decode(units))
	case "latin1", "ascii":
		most := byte(0xff)
		if encoding == "ascii" {
			most = 0x7f
		}
		runes := make([]rune, len(bytes))
		for i, b := range bytes {
			runes[i] = rune(b & most)
		}
		return string(runes)
	}
	return validUTF8(bytes)
}

package plain_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"codemode/ops/plain"
)

func TestTextKeepsStrayBytes(t *testing.T) {
	for _, tt := range []struct{ raw, encoded string }{
		{"plain", `"plain"`},
		{"caf\xe9", `"caf\udce9"`},
		{"\xff\xfe", `"\udcff\udcfe"`},
		{"é😀", `"é😀"`},
		{"a\"b\\c\n\x01\x7f", `"a\"b\\c\n\u0001\u007f"`},
		{"\xed\xa0\x80", `"\udced\udca0\udc80"`},
		{"l\u2028p", `"l\u2028p"`},
	} {
		got, err := json.Marshal(plain.Text(tt.raw))
		if err != nil || string(got) != tt.encoded {
			t.Errorf("Marshal(%q) = %s, %v; want %s", tt.raw, got, err, tt.encoded)
		}
		var back plain.Text
		if err := json.Unmarshal(got, &back); err != nil || string(back) != tt.raw {
			t.Errorf("Unmarshal(%s) = %q, %v; want %q", got, back, err, tt.raw)
		}
		if s, ok := plain.FromUTF16(plain.UTF16(tt.raw)); !ok || s != tt.raw {
			t.Errorf("UTF-16 round trip of %q = %q, %v", tt.raw, s, ok)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":               ``,
		"trailing data":         `{} {}`,
		"duplicate member":      `{"a":1,"a":2}`,
		"duplicate by escape":   `{"a":1,"\u0061":2}`,
		"high surrogate":        `"\ud800"`,
		"low surrogate":         `"\udc00"`,
		"surrogate below range": `"\udc7f"`,
		"surrogate above range": `"\udd00"`,
		"raw bytes":             "\"\xff\"",
		"control character":     "\"a\nb\"",
		"leading zero":          `01`,
		"bare word":             `nul`,
		"trailing comma":        `[1,]`,
		"NaN":                   `NaN`,
		"too deep":              strings.Repeat("[", 100) + strings.Repeat("]", 100),
		"unterminated":          `"abc`,
	} {
		if v, err := plain.Parse([]byte(text)); err == nil {
			t.Errorf("%s: Parse(%q) = %v, want an error", name, text, v)
		}
	}
}

// FuzzParse holds the parser against encoding/json: what ours accepts, it
// accepts too, and what is written back reads the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"path":"a","n":[1,2.5e3,null,true]}`, `"\udcff"`, `"\ud83d\ude00"`, `[[],{}]`, `{"a":{"b":"\u0000"}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := plain.Parse(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted %q, which is no JSON", data)
		}
		if s, ok := v.(string); ok {
			back, err := plain.Parse(plain.AppendString(nil, s))
			if err != nil || back != s {
				t.Fatalf("%q came back as %q, %v", s, back, err)
			}
			if !utf8.Valid(plain.AppendString(nil, s)) {
				t.Fatalf("%q is written as invalid UTF-8", s)
			}
		}
	})
}

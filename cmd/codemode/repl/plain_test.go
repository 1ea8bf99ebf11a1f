package repl

import (
	"bytes"
	"testing"
)

func TestColourless(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                                  "plain",
		"\x1b[31mred\x1b[39m":                    "red",
		"\x1b[1;31mbold\x1b[0m":                  "\x1b[1mbold\x1b[0m",
		"\x1b[7m\x1b[48;05;255mx\x1b[27m":        "\x1b[7mx\x1b[27m",
		"\x1b[38;5;1;2mx\x1b[m":                  "\x1b[2mx\x1b[m",
		"\x1b[2K\x1b[10;5H\x1bD\x1b[?25l":        "\x1b[2K\x1b[10;5H\x1bD\x1b[?25l",
		"\x1b[90;100;104mbright\x1b[49m\x1b[22m": "bright\x1b[22m",
		"宽\x1b[32m宽":                             "宽宽",
	} {
		for split := range len(text) {
			var got bytes.Buffer
			c := &colourless{to: &got}
			for _, part := range []string{text[:split], text[split:]} {
				if _, err := c.Write([]byte(part)); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != want {
				t.Fatalf("%q in two at %d: %q, want %q", text, split, got.String(), want)
			}
		}
	}
}

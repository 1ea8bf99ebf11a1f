package policy

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/ops/plain"
)

// Event is what a before-delete hook is told, once for every object that an
// operation would remove.
type Event struct {
	Operation    string     `json:"operation"`    // "delete" or "move"
	Path         plain.Text `json:"path"`         // absolute, as it was asked for
	ResolvedPath plain.Text `json:"resolvedPath"` // parents followed through links
	Cwd          plain.Text `json:"cwd"`
	Kind         string     `json:"kind"`      // file, directory, symlink, fifo, socket, device
	Recursive    bool       `json:"recursive"` // a directory: everything in it goes too
}

// Decision is a hook's answer. The zero value allows, which overrides nothing.
type Decision struct {
	Deny   bool
	Reason string
}

// Question is what the host is asked to approve: one object.
type Question struct {
	Operation    string
	Path         plain.Text // absolute, as it was asked for
	ResolvedPath plain.Text
	Target       plain.Text // where a Move or Copy would put the source
	Kind         string
	Reasons      []Reason
	Entries      int64 // at stake, the object included
	Bytes        int64
	Overwrites   bool // the object is what a Move or Copy would replace or overwrite
	Source       plain.Text
	// Replaced is what a Move of the object would replace elsewhere, for show.
	Replaced *Replaced
	// Diff is what a Write or Edit of the object would change, bounded.
	Diff plain.Text
}

// Replaced is something that an operation replaces or overwrites.
type Replaced struct {
	Kind    string `json:"kind"`
	Entries int64  `json:"entries"`
	Bytes   int64  `json:"bytes"`
}

// Printable spells a path or name so that a person sees what it is: control,
// invisible and direction-changing characters, stray bytes and blanks at the
// ends are escaped.
func Printable(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		edge := i == 0 || i+size == len(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\\':
			b.WriteString(`\\`)
		case r == ' ' && edge:
			b.WriteString(`\x20`)
		case r == ' ', r < 0x7f && r > ' ':
			b.WriteRune(r)
		case !unicode.IsGraphic(r) || unicode.Is(unicode.Zs, r) || invisible(r):
			switch {
			case r < utf8.RuneSelf: // above, \x stands for stray bytes
				fmt.Fprintf(&b, `\x%02x`, r)
			case r < 0x10000:
				fmt.Fprintf(&b, `\u%04x`, r)
			default:
				fmt.Fprintf(&b, `\U%08x`, r)
			}
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// invisible names graphic characters that print nothing of their own.
func invisible(r rune) bool {
	switch r {
	case 0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0:
		return true
	}
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef || unicode.Is(unicode.Cf, r)
}

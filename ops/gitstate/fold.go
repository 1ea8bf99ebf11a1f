package gitstate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold maps names that some file system takes for the same to one string. It
// joins more than any real one does, which errs towards "tracked". Bytes that
// are not UTF-8 stay as they are.
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	s = norm.NFC.String(s)
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteByte(s[i])
		case hfsIgnored(r):
		default:
			b.WriteRune(foldRune(r))
		}
		i += n
	}
	return b.String()
}

// foldRune picks the same member from every set of runes that differ in case.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A' // as ToLower does for pure ASCII
	}
	return least
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

package runtime

import "strings"

// A style is how a kind of value is coloured: the SGR parameters that turn it on
// and off, the same as Node's.
type style struct{ on, off string }

var (
	styleNumber    = style{"33", "39"} // also booleans and bigints
	styleString    = style{"32", "39"}
	styleSymbol    = style{"32", "39"}
	styleUndefined = style{"90", "39"}
	styleNull      = style{"1", "22"}
	styleSpecial   = style{"36", "39"} // functions, and what stands for something not shown
	styleDate      = style{"35", "39"}
	styleRegExp    = style{"31", "39"}
)

// styles are those of objects that are one value in braces.
var styles = map[kind]style{
	kindNumber: styleNumber, kindBoolean: styleNumber, kindBigInt: styleNumber, kindString: styleString,
	kindFunction: styleSpecial, kindDate: styleDate, kindRegExp: styleRegExp,
}

// paint colours text, if the inspector does.
func (i *inspector) paint(s style, text string) string {
	if !i.colours || s.on == "" {
		return text
	}
	return "\x1b[" + s.on + "m" + text + "\x1b[" + s.off + "m"
}

// width is the length of s as JavaScript counts it, without its colours.
func width(s string) int {
	n := 0
	for len(s) > 0 {
		at := strings.IndexByte(s, '\x1b')
		if at < 0 {
			return n + units(s)
		}
		n += units(s[:at])
		s = s[at:]
		skip := sgrLength(s)
		if skip == 0 {
			n, skip = n+1, 1
		}
		s = s[skip:]
	}
	return n
}

// sgrLength is the length of the colour sequence at the start of s, or 0.
func sgrLength(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

package runtime

import (
	"fmt"
	"strings"

	"github.com/dop251/goja"
)

// regexpEscape is RegExp.escape.
func (e *engine) regexpEscape(c goja.FunctionCall) goja.Value {
	s, ok := argument(c.Arguments, 0).(goja.String)
	if !ok {
		e.typeError("RegExp.escape: the argument must be a string")
	}
	units := unitsOf(s)
	var out []uint16
	for i, u := range units {
		pair := u&0xfc00 == 0xd800 && i+1 < len(units) && units[i+1]&0xfc00 == 0xdc00 ||
			u&0xfc00 == 0xdc00 && i > 0 && units[i-1]&0xfc00 == 0xd800
		switch {
		case i == 0 && isAlphanumeric(u):
			out = append(out, utf16Of(fmt.Sprintf(`\x%02x`, u))...)
		case u < 128 && strings.ContainsRune(`^$\.*+?()[]{}|/`, rune(u)):
			out = append(out, '\\', u)
		case u >= '\t' && u <= '\r':
			out = append(out, '\\', uint16("tnvfr"[u-'\t']))
		case u < 128 && strings.ContainsRune(",-=<>#&!%:;@~'`\"", rune(u)), u == ' ', u == 0xa0:
			out = append(out, utf16Of(fmt.Sprintf(`\x%02x`, u))...)
		case u == 0x1680, u >= 0x2000 && u <= 0x200a, u == 0x2028, u == 0x2029, u == 0x202f, u == 0x205f, u == 0x3000, u == 0xfeff,
			u&0xf800 == 0xd800 && !pair:
			out = append(out, utf16Of(fmt.Sprintf(`\u%04x`, u))...)
		default:
			out = append(out, u)
		}
	}
	return jsValue(out)
}

func isAlphanumeric(u uint16) bool {
	return u >= '0' && u <= '9' || u >= 'a' && u <= 'z' || u >= 'A' && u <= 'Z'
}

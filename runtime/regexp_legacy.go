package runtime

import (
	"strconv"

	"github.com/dop251/goja"
)

// latestMatch is what RegExp.$1 and its like are about.
type latestMatch struct {
	text  goja.String
	found []int32
}

// legacyNames are the members of RegExp that tell of the last match, by what they
// are called and by their short names.
var legacyNames = map[string]string{
	"lastMatch": "$&", "lastParen": "$+", "leftContext": "$`", "rightContext": "$'", "input": "$_",
}

// defineLegacy adds the members of RegExp that tell of the last match: nobody
// should use them, and code that does must not read undefined.
func (s *sandbox) defineLegacy() {
	define := func(name string, value func(m latestMatch) goja.Value) {
		get := s.function("get "+name, 0, func(goja.FunctionCall) goja.Value {
			if s.regexps.latest.found == nil {
				return jsString("")
			}
			return value(s.regexps.latest)
		})
		throw(s.regexps.class.DefineAccessorProperty(name, get, nil, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	capture := func(m latestMatch, n int) goja.Value {
		if n*2 >= len(m.found) || m.found[n*2] < 0 {
			return jsString("")
		}
		return group(m.text, m.found, n)
	}
	for n := 1; n <= 9; n++ {
		define("$"+strconv.Itoa(n), func(m latestMatch) goja.Value { return capture(m, n) })
	}
	for long, short := range legacyNames {
		for _, name := range []string{long, short} {
			define(name, func(m latestMatch) goja.Value {
				switch long {
				case "lastMatch":
					return capture(m, 0)
				case "lastParen":
					if len(m.found) == 2 {
						return jsString("")
					}
					return capture(m, len(m.found)/2-1)
				case "leftContext":
					return m.text.Substring(0, int(m.found[0]))
				case "rightContext":
					return m.text.Substring(int(m.found[1]), m.text.Length())
				}
				return m.text
			})
		}
	}
}

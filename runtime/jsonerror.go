package runtime

import (
	"fmt"
)

// What JSON.parse says of a text that is no JSON, in the words of V8, which are
// what everybody has read before.

const (
	jsonContext = 10                // units shown before and after the place
	jsonWhole   = 2*jsonContext + 1 // a text shorter than this is shown as a whole
)

// fail names a problem and its place.
func (p *jsonParser) fail(problem string) {
	line, start := 1, 0
	for i := range p.at {
		if c := p.unit(i); c == '\n' || c == '\r' && (i+1 == p.length || p.unit(i+1) != '\n') {
			line, start = line+1, i+1
		}
	}
	if problem != trailing {
		problem += " in JSON"
	}
	p.throwSyntaxError(fmt.Sprintf("%s at position %d (line %d column %d)", problem, p.at, line, p.at-start+1))
}

const trailing = "Unexpected non-whitespace character after JSON"

// badString is a string that ends too early or holds a control character.
func (p *jsonParser) badString() {
	if p.at >= p.length {
		p.fail("Unterminated string")
	}
	p.fail("Bad control character in string literal")
}

// expected says what should have come.
func (p *jsonParser) expected(what string) {
	p.fail("Expected " + what)
}

// unexpected shows what came where a value should be.
func (p *jsonParser) unexpected() {
	if p.at >= p.length {
		p.throwSyntaxError("Unexpected end of JSON input")
	}
	if p.length <= len("[object Object]") {
		switch text := shownString(p.text); text {
		case "NaN", "Infinity", "undefined", "[object Object]":
			p.throwSyntaxError(fmt.Sprintf("%q is not valid JSON", text))
		}
	}
	switch c := p.peek(); {
	case c == '"':
		p.fail("Unexpected string")
	case c >= '0' && c <= '9' || c == '-':
		p.fail("Unexpected number")
	}
	from, to := 0, p.length
	before, after := "", ""
	if p.length >= jsonWhole {
		if p.at >= jsonContext {
			from, before = p.at-jsonContext, "..."
		}
		if p.at < p.length-jsonContext {
			to, after = p.at+jsonContext, "..."
		}
	}
	token, shown := shownString(p.text.Substring(p.at, p.at+1)), shownString(p.text.Substring(from, to))
	p.throwSyntaxError(fmt.Sprintf(`Unexpected token '%s', %s"%s"%s is not valid JSON`, token, before, shown, after))
}

func (p *jsonParser) unit(i int) uint16 {
	if p.wide != nil {
		return p.wide[i]
	}
	return uint16(p.ascii[i])
}

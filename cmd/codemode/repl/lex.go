package repl

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind is what a token is.
type kind int

const (
	space kind = iota
	comment
	word // a name or a keyword
	number
	text     // a string
	template // a piece of a template, with its delimiters
	regex
	mark // everything else, one character or one of "?.", "=>", "..."
)

// A token is a piece of input. What is being typed need not be whole.
type token struct {
	kind kind
	text string
	open bool // its end is missing
}

// lex cuts input into tokens, which together are the input.
func lex(input string) []token {
	l := lexer{rest: input}
	for l.rest != "" {
		l.next()
	}
	return l.tokens
}

type lexer struct {
	rest   string
	tokens []token
	braces []bool // of the open braces: whether a template goes on behind it
	last   token  // neither space nor comment
}

func (l *lexer) take(k kind, n int, open bool) {
	t := token{k, l.rest[:n], open}
	l.rest = l.rest[n:]
	l.tokens = append(l.tokens, t)
	if k != space && k != comment {
		l.last = t
	}
}

func (l *lexer) next() {
	c, size := utf8.DecodeRuneInString(l.rest)
	switch {
	case unicode.IsSpace(c):
		l.take(space, prefixLength(l.rest, unicode.IsSpace), false)
	case strings.HasPrefix(l.rest, "//"):
		n := strings.IndexByte(l.rest, '\n')
		if n < 0 {
			n = len(l.rest)
		}
		l.take(comment, n, false)
	case strings.HasPrefix(l.rest, "/*"):
		if n := strings.Index(l.rest[2:], "*/"); n >= 0 {
			l.take(comment, n+4, false)
		} else {
			l.take(comment, len(l.rest), true)
		}
	case c == '"' || c == '\'':
		l.string(byte(c))
	case c == '`':
		l.template(1)
	case c == '/' && l.regexAhead():
		n, open := regexEnd(l.rest)
		l.take(regex, n, open)
	case unicode.IsDigit(c) || c == '.' && len(l.rest) > 1 && l.rest[1] >= '0' && l.rest[1] <= '9':
		l.take(number, prefixLength(l.rest, func(r rune) bool { return named(r) || r == '.' }), false)
	case named(c) || c == '#' || c == '@':
		l.take(word, size+prefixLength(l.rest[size:], named), false)
	default:
		l.mark()
	}
}

func (l *lexer) mark() {
	switch {
	case strings.HasPrefix(l.rest, "..."):
		l.take(mark, 3, false)
		return
	case strings.HasPrefix(l.rest, "?.") || strings.HasPrefix(l.rest, "=>"):
		l.take(mark, 2, false)
		return
	}
	switch l.rest[0] {
	case '{':
		l.braces = append(l.braces, false)
	case '}':
		if n := len(l.braces); n > 0 {
			goesOn := l.braces[n-1]
			l.braces = l.braces[:n-1]
			if goesOn {
				l.template(1)
				return
			}
		}
	}
	_, size := utf8.DecodeRuneInString(l.rest)
	l.take(mark, size, false)
}

func (l *lexer) string(quote byte) {
	for i := 1; i < len(l.rest); i++ {
		switch l.rest[i] {
		case '\\':
			i++
		case '\n':
			l.take(text, i, true)
			return
		case quote:
			l.take(text, i+1, false)
			return
		}
	}
	l.take(text, len(l.rest), true)
}

// template takes a piece of a template, up to its end or its next expression.
func (l *lexer) template(from int) {
	for i := from; i < len(l.rest); i++ {
		switch {
		case l.rest[i] == '\\':
			i++
		case l.rest[i] == '`':
			l.take(template, i+1, false)
			return
		case strings.HasPrefix(l.rest[i:], "${"):
			l.braces = append(l.braces, true)
			l.take(template, i+2, false)
			return
		}
	}
	l.take(template, len(l.rest), true)
}

// regexAhead reports whether a slash begins a regular expression: where a value
// can begin.
func (l *lexer) regexAhead() bool {
	switch l.last.kind {
	case space: // nothing before it
		return true
	case word:
		return keywords[l.last.text] && l.last.text != "this" && l.last.text != "super"
	case template:
		return strings.HasSuffix(l.last.text, "${")
	case mark:
		return !strings.Contains(")]}", l.last.text)
	}
	return false
}

func regexEnd(s string) (n int, open bool) {
	class := false
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1 + prefixLength(s[i+1:], named), false
			}
		}
	}
	n = strings.IndexByte(s, '\n')
	if n < 0 {
		n = len(s)
	}
	return n, true
}

func prefixLength(s string, is func(rune) bool) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !is(r) })
	if n < 0 {
		return len(s)
	}
	return n
}

// named reports whether r can be in a name.
func named(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || r == '_' || r == '$'
}

// Open reports whether input surely goes on: a bracket, a comment or a template is
// open at its end. Only the engine can tell the rest.
func Open(input string) bool {
	tokens := lex(input)
	if n := len(tokens); n == 0 {
		return false
	} else if last := tokens[n-1]; last.open && (last.kind == comment || last.kind == template) {
		return true
	}
	for _, t := range tokens {
		if t.kind == text && t.open { // a mistake, as a rule, and no reason to wait
			return false
		}
	}
	return depth(input) > 0
}

// depth is how many brackets are open at the end of input.
func depth(input string) int {
	n := 0
	for _, t := range lex(input) {
		switch {
		case t.kind == mark && strings.Contains("([{", t.text), t.kind == template && strings.HasSuffix(t.text, "${"):
			n++
		case t.kind == mark && strings.Contains(")]}", t.text):
			n = max(n-1, 0)
		}
		if t.kind == template && strings.HasPrefix(t.text, "}") {
			n = max(n-1, 0)
		}
	}
	return n
}

var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`as async await break case catch class const continue debugger default delete do else
		export extends finally for from function get if import in instanceof interface let new of return set static super
		switch this throw try type typeof var void while with yield`) {
		m[w] = true
	}
	return m
}()

var constants = map[string]bool{"true": true, "false": true, "null": true, "undefined": true, "NaN": true, "Infinity": true}

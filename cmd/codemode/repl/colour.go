package repl

import "strings"

// The colours of input are those that values have in the output.
const (
	colourKeyword  = "35"
	colourConstant = "33"
	colourString   = "32"
	colourRegex    = "31"
	colourComment  = "90"
	colourTool     = "36"
	colourCommand  = "1"
)

// colour is input as it is shown while it is typed. It adds nothing but colours.
func colour(input string, tools func(name string) bool) string {
	if _, rest, ok := command(input); ok {
		n := len(input) - len(rest)
		return painted(colourCommand, input[:n]) + rest
	}
	var b strings.Builder
	tokens := lex(input)
	for i, t := range tokens {
		code := ""
		switch t.kind {
		case comment:
			code = colourComment
		case number:
			code = colourConstant
		case text, template:
			code = colourString
		case regex:
			code = colourRegex
		case word:
			switch after := i > 0 && strings.HasSuffix(tokens[i-1].text, "."); {
			case after && i > 1 && tokens[i-2].text == "tools" && tools(t.text):
				code = colourTool
			case after: // a member may have any name
			case constants[t.text]:
				code = colourConstant
			case t.text == "tools":
				code = colourTool
			case keywords[t.text]:
				code = colourKeyword
			}
		}
		b.WriteString(painted(code, t.text))
	}
	return b.String()
}

// painted colours each line by itself, since lines are drawn one by one.
func painted(code, s string) string {
	if code == "" || s == "" {
		return s
	}
	on, off := "\x1b["+code+"m", "\x1b[0m"
	return on + strings.ReplaceAll(s, "\n", off+"\n"+on) + off
}

// command takes input apart that is for the prompt itself: a dot and a name.
func command(input string) (name, rest string, ok bool) {
	input, ok = strings.CutPrefix(strings.TrimLeft(input, " \t"), ".")
	n := prefixLength(input, func(r rune) bool { return r >= 'a' && r <= 'z' })
	if !ok || n == 0 || n < len(input) && !strings.ContainsRune(" \t\r\n", rune(input[n])) {
		return "", "", false
	}
	return input[:n], input[n:], true
}

// Command takes input apart that is for the prompt itself, such as ".load FILE".
func Command(input string) (name, argument string, ok bool) {
	name, rest, ok := command(input)
	return name, strings.TrimSpace(rest), ok
}

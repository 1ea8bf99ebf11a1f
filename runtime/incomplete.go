package runtime

import "strings"

// incomplete reports whether a script fails to parse only because it ends too
// early, so that more lines could make it whole.
func (e *syntaxError) incomplete(source string) bool {
	if e.file != "" {
		return false
	}
	return e.message == endMessage && !closesTooMuch(source) || e.message != endMessage && openImport(source)
}

// closesTooMuch reports whether there is a closing bracket too many: then it is
// not the end that is missing.
func closesTooMuch(source string) bool {
	depth, before := 0, ""
	for text := []byte(source); len(text) > 0; {
		n := max(nextToken(text), 1)
		word := string(text[:n])
		if word == "/" && strings.Contains("(,=:[!&|?{};", before) {
			n = regexLength(text)
		}
		text = text[n:]
		switch word {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return true
			}
		}
		if strings.TrimSpace(word) != "" {
			before = word
		}
	}
	return false
}

// regexLength is the length of the regular expression at the start of text, or 1
// if there is none on its line.
func regexLength(text []byte) int {
	class := false
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		}
	}
	return 1
}

// openImport reports whether the last statement is an import of which only the
// beginning is there.
func openImport(source string) bool {
	at := strings.LastIndex("\n"+source, "\nimport")
	if at < 0 {
		return false
	}
	clause := strings.TrimSpace(source[at+len("import"):])
	open := strings.HasPrefix(clause, "{") && !strings.Contains(clause, "}")
	return open || strings.HasSuffix(clause, "from") && !strings.ContainsAny(clause, `'"`)
}

package runtime

import (
	"bytes"
	"strings"
)

// A hoisted script is one whose import and export statements were taken out of
// the way, so that the rest can be the body of an async function. The text of
// the rest keeps its length and its lines: what was taken out became spaces.
//
// Where such statements are, esbuild's parser says: it stops at the first that
// it finds inside the function. So nothing in a string, template or comment is
// ever mistaken for one.
type hoisted struct {
	body    []byte
	imports []importStatement
	value   bool // the script has an export default, kept in defaultName
}

// An importStatement is one import, written on one line.
type importStatement struct {
	text   string
	offset int // in the script
}

// `export default` becomes an assignment of the same length.
const (
	defaultWord = "export default"
	defaultName = "codemode$dflt"
)

var (
	afterImport  = onDemand(`\bimport\s*$`)
	typeExport   = onDemand(`^export\s+type\s*[{*]`)
	declaration  = onDemand(`^export\s+(?:const|let|var|function|class|async|enum|namespace|module|abstract|declare|interface|type|import|@)`)
	defaultNamed = onDemand(`^export\s+default\s+(?:(?:async\s+)?function\s*\*?\s*[\w$]|(?:abstract\s+)?class\s+(?:[\w$]+\s*[{<]|[\w$]+\s+(?:extends|implements))|interface\b)`)
	defaultAny   = onDemand(`^export\s+default\b`)
)

// takeOut takes out the import or export statement at which the parser stopped,
// and the import statements that follow at once. It reports false when there is
// none there.
func (h *hoisted) takeOut(stop int) bool {
	if bytes.HasPrefix(h.body[stop:], []byte("export")) {
		return h.takeExport(stop)
	}
	at := afterImport().FindIndex(h.body[:stop])
	if at == nil {
		return false
	}
	for start := at[0]; h.takeImport(start); {
		for start < len(h.body) && strings.IndexByte(" \t\r\n;", h.body[start]) >= 0 {
			start++
		}
		rest := h.body[start:]
		if !bytes.HasPrefix(rest, []byte("import")) || len(rest) < 7 || strings.IndexByte(" \t\n{*'\"", rest[6]) < 0 {
			break
		}
	}
	return string(h.body[at[0]:at[1]]) == strings.Repeat(" ", at[1]-at[0])
}

func (h *hoisted) takeImport(start int) bool {
	end := statementEnd(h.body, start)
	if end < 0 {
		return false
	}
	text := oneLine(h.body[start:end])
	if !strings.HasPrefix(text, "import") {
		return false
	}
	h.imports = append(h.imports, importStatement{text, start})
	h.blank(start, end)
	return true
}

func (h *hoisted) takeExport(start int) bool {
	rest := h.body[start:]
	switch {
	case defaultNamed().Match(rest):
		h.blank(start, start+len(defaultAny().Find(rest)))
	case defaultAny().Match(rest):
		n := len(defaultAny().Find(rest))
		h.blank(start, start+n)
		copy(h.body[start:], defaultName)
		h.body[start+n-1] = '='
		h.value = true
	case typeExport().Match(rest) || !declaration().Match(rest): // export {…}, export * from
		end := statementEnd(h.body, start)
		if end < 0 {
			return false
		}
		text := oneLine(h.body[start:end])
		if from := strings.LastIndexAny(text, "}*"); strings.ContainsAny(text[from+1:], `'"`) && !typeExport().Match(rest) {
			specifier := text[from+1+strings.IndexAny(text[from+1:], `'"`):]
			h.imports = append(h.imports, importStatement{"import " + specifier, start})
		}
		h.blank(start, end)
	default:
		h.blank(start, start+len("export"))
	}
	return true
}

// blank overwrites a part of the body with spaces, except for line ends.
func (h *hoisted) blank(from, to int) {
	for i := from; i < to; i++ {
		if h.body[i] != '\n' && h.body[i] != '\r' {
			h.body[i] = ' '
		}
	}
}

// statementEnd finds the end of an import statement, or of an export statement
// without a declaration: after the module's name and attributes, if they are
// there, or else after the braces. It is -1 where there is no such statement.
func statementEnd(text []byte, start int) int {
	depth, end, named := 0, -1, false
	for i := start; i < len(text); {
		token := nextToken(text[i:])
		word := string(text[i : i+token])
		switch {
		case token == 0:
			return -1
		case strings.TrimSpace(word) == "" || strings.HasPrefix(word, "//") || strings.HasPrefix(word, "/*"):
			if end >= 0 && named && strings.Contains(word, "\n") && depth == 0 {
				if next := string(bytes.TrimLeft(text[i+token:], " \t\r\n")); !strings.HasPrefix(next, "with") {
					return end
				}
			}
		case word == "{" || word == "(":
			depth++
		case word == "}" || word == ")":
			if depth--; depth == 0 {
				end = i + token
			} else if depth < 0 {
				return end
			}
		case depth > 0:
		case word == ";":
			return i + 1
		case word[0] == '\'' || word[0] == '"':
			end, named = i+token, true
		case end >= 0 && word != "from" && word != "with" && word != "assert":
			return end
		}
		i += token
	}
	return end
}

// nextToken is the length of the next word, string, comment, run of spaces or
// single character.
func nextToken(text []byte) int {
	switch c := text[0]; {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		return len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	case c == '/' && len(text) > 1 && text[1] == '/':
		if n := bytes.IndexByte(text, '\n'); n >= 0 {
			return n
		}
		return len(text)
	case c == '/' && len(text) > 1 && text[1] == '*':
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
		return 0
	case c == '\'' || c == '"':
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case c:
				return i + 1
			case '\n':
				return 0
			}
		}
		return 0
	case isWordByte(c):
		n := 1
		for n < len(text) && isWordByte(text[n]) {
			n++
		}
		return n
	}
	return 1
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// oneLine is a statement without comments and line ends.
func oneLine(text []byte) string {
	var b strings.Builder
	for len(text) > 0 {
		n := max(nextToken(text), 1)
		word := string(text[:n])
		if strings.TrimSpace(word) == "" || strings.HasPrefix(word, "//") || strings.HasPrefix(word, "/*") {
			word = " "
		}
		b.WriteString(word)
		text = text[n:]
	}
	return b.String()
}

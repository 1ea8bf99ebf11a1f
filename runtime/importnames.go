package runtime

import "strings"

// shareImports is code that makes what a script of a session imports global, for
// the runs that follow. It stands where the imported names are bound.
func shareImports(imports []importStatement) string {
	var b strings.Builder
	for _, statement := range imports {
		for _, name := range importedNames(statement.text) {
			b.WriteString("globalThis." + name + " = " + name + ";")
		}
	}
	return b.String()
}

// importedNames are the names that an import statement, on one line and without
// comments, binds to values.
func importedNames(statement string) []string {
	clause := strings.TrimPrefix(statement, "import")
	if at := strings.IndexAny(clause, `'"`); at >= 0 {
		clause = clause[:at]
	}
	clause = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(clause), "from"))
	if rest, ok := strings.CutPrefix(clause, "type "); ok && !strings.HasPrefix(strings.TrimSpace(rest), ",") {
		return nil
	}
	var names []string
	for _, part := range strings.FieldsFunc(clause, func(r rune) bool { return strings.ContainsRune("{},", r) }) {
		words := strings.Fields(part)
		if len(words) == 0 || words[0] == "type" && len(words) > 1 && words[1] != "as" {
			continue
		}
		if name := words[len(words)-1]; isName(name) {
			names = append(names, name)
		}
	}
	return names
}

func isName(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

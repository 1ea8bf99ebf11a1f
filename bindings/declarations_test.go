package bindings_test

import (
	"regexp"
	"strings"
	"testing"

	"codemode/bindings"
)

// A declared is one member of an interface in tools.d.ts.
type declared struct {
	name     string
	optional bool
	typ      string
}

// declarations reads the interfaces and types of tools.d.ts, as far as that file
// needs it.
type declarations struct {
	interfaces map[string][]declared
	types      map[string]string
	tools      map[string]string // tool → its argument's type
	results    map[string]string // tool → what its promise resolves to
}

var (
	comments   = regexp.MustCompile(`(?s)/\*\*.*?\*/`)
	interfaceD = regexp.MustCompile(`(?m)^(?:interface|declare class) (\w+)(?: extends \w+)? \{`)
	typeD      = regexp.MustCompile(`(?m)^type (\w+) = (.*);$`)
	toolD      = regexp.MustCompile(`(?m)^  (\w+)\(args: ([\w| ]+)\): Promise<(\w+)>;$`)
)

func readDeclarations(t *testing.T) declarations {
	t.Helper()
	text := comments.ReplaceAllString(bindings.Types(), "")
	d := declarations{map[string][]declared{}, map[string]string{}, map[string]string{}, map[string]string{}}
	for _, m := range interfaceD.FindAllStringSubmatchIndex(text, -1) {
		d.interfaces[text[m[2]:m[3]]] = members(t, block(text[m[1]-1:]))
	}
	for _, m := range typeD.FindAllStringSubmatch(text, -1) {
		d.types[m[1]] = m[2]
	}
	for _, m := range toolD.FindAllStringSubmatch(text, -1) {
		d.tools[m[1]], d.results[m[1]] = m[2], m[3]
	}
	return d
}

// block is what stands between the brace at the start of text and its own.
func block(text string) string {
	depth := 0
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[1:i]
			}
		}
	}
	return text[1:]
}

// members splits a block at the semicolons and line ends outside inner braces.
func members(t *testing.T, block string) []declared {
	t.Helper()
	var list []declared
	depth, start := 0, 0
	for i, c := range block + ";" {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case (c == ';' || c == '\n') && depth == 0:
			part := strings.TrimSpace(block[start:min(i, len(block))])
			start = i + 1
			if part == "" {
				continue
			}
			name, typ, ok := strings.Cut(part, ":")
			if !ok {
				t.Fatalf("cannot read the member %q", part)
			}
			trimmed := strings.TrimSuffix(name, "?")
			list = append(list, declared{trimmed, trimmed != name, strings.TrimSpace(typ)})
		}
	}
	return list
}

// inner are the members of an object type written in place, nil for another type.
func (m declared) inner(t *testing.T) []declared {
	t.Helper()
	if !strings.HasPrefix(m.typ, "{") {
		return nil
	}
	return members(t, block(m.typ))
}

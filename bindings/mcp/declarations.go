package mcp

import (
	"regexp"
	"slices"
	"strings"

	"codemode/bindings"
)

// leftOut are declarations that a model needs no words for: what every
// JavaScript engine has, and what the tools of this server say themselves.
var leftOut = []string{
	"MoveParams", "Operation", "image", "ALL_TOOLS", "args", "require", "Buffer", "console",
	"setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate", "queueMicrotask",
}

// marks are how declarations are told apart. They are made when they are needed:
// each sandbox is a process of this program, too, and needs none.
type marks struct {
	comment, declaration, gap *regexp.Regexp
	described                 *regexp.Regexp // the tools of these names say it
	uncommented               *regexp.Regexp
	minor                     map[string]*regexp.Regexp // members of interfaces that hardly any script looks at
}

func newMarks() marks {
	return marks{
		comment:     regexp.MustCompile(`(?s)[ \t]*/\*\*(.*?)\*/\n?`),
		declaration: regexp.MustCompile(`(?m)^(?:declare )?(?:const|function|class|interface|type) (\w+)`),
		gap:         regexp.MustCompile(`\s*\n\s*\*?\s*`),
		described:   regexp.MustCompile(`^(Entry|(Mkdir|List|Stat|Read|Glob|Search)Args|Write.*)$`),
		uncommented: regexp.MustCompile(`[ \t]*/\*\*[^\n]*\*/\n([ \t]*(?:delete|write|edit|mkdir|list|stat|read|glob|search)\()`),
		minor: map[string]*regexp.Regexp{
			"Receipt":        members("kind|seq|operation|resolvedPath|resolvedTarget|sourceKind|approvals|startedAt|durationMs"),
			"OperationError": members("operation|path|target"),
			"Entry":          members("real|access"),
		},
	}
}

// members matches members of an interface, each with the comment before it.
func members(names string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:^[ \t]*/\*\*[^\n]*\*/\n)?^[ \t]*(?:` + names + `)\??: [^\n]*;\n`)
}

// declarations are those of bindings/tools.d.ts that a model needs for a script.
// They stay TypeScript; the comment at the top of the file, whose rules stand in
// the description, is left out, and so is what [leftOut] names.
func declarations() string {
	m := newMarks()
	_, text, _ := strings.Cut(bindings.Types(), "*/\n")
	var out strings.Builder
	for _, block := range m.blocks(text) {
		name := m.declaration.FindStringSubmatch(m.comment.ReplaceAllString(block, ""))
		if name == nil || slices.Contains(leftOut, name[1]) {
			continue
		}
		if m.described.MatchString(name[1]) {
			block = m.comment.ReplaceAllString(block, "")
		}
		if members := m.minor[name[1]]; members != nil {
			block = members.ReplaceAllString(block, "")
		}
		out.WriteString(m.shortened(m.uncommented.ReplaceAllString(block, "$1")))
	}
	// A dash is dear to a tokenizer.
	return strings.NewReplacer(" | MoveParams", "", "–", "-", " append?: boolean; unread?: boolean;", "", "; follow?: boolean", "").Replace(out.String())
}

// blocks cuts declarations apart, each with the comment before it.
func (m marks) blocks(text string) []string {
	var list []string
	var block strings.Builder
	open := 0
	inComment := false
	for line := range strings.Lines(text) {
		block.WriteString(line)
		inComment = (inComment || strings.HasPrefix(strings.TrimSpace(line), "/**")) && !strings.Contains(line, "*/")
		code := m.comment.ReplaceAllString(line, "")
		if inComment || strings.HasPrefix(strings.TrimSpace(code), "*") || strings.TrimSpace(code) == "" {
			continue
		}
		open += strings.Count(code, "{") - strings.Count(code, "}")
		if open == 0 {
			list = append(list, block.String())
			block.Reset()
		}
	}
	return list
}

// shortened writes a declaration with its comments on one line each.
func (m marks) shortened(block string) string {
	block = m.comment.ReplaceAllStringFunc(block, func(c string) string {
		text := m.gap.ReplaceAllString(m.comment.FindStringSubmatch(c)[1], " ")
		return "// " + strings.TrimSpace(text) + "\n"
	})
	var out strings.Builder
	for line := range strings.Lines(block) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(strings.TrimPrefix(line, "declare ") + "\n")
		}
	}
	return out.String()
}

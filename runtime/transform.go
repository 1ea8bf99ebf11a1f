package runtime

import (
	"maps"
	"strings"
	"sync"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/evanw/esbuild/pkg/api"
)

const (
	// The name under which transformed code is compiled. What the map does not
	// know, which is esbuild's helpers, keeps it and is left out of stacks.
	transformedName = "codemode-helpers"

	startName = "codemode$body"
	metaName  = "codemode$meta"

	maxHoists = 1000
)

// transformOptions lower to what the engine has, measured: everything after
// ES2017 that the engine lacks, and nothing that it has.
func transformOptions(loader api.Loader) api.TransformOptions {
	return api.TransformOptions{
		Loader:         loader,
		Target:         api.ES2017,
		Supported:      engineFeatures(),
		Define:         map[string]string{"import.meta": metaName},
		Format:         api.FormatCommonJS,
		Sourcemap:      api.SourceMapExternal,
		SourcesContent: api.SourcesContentExclude,
		Sourcefile:     "u",
		LogLevel:       api.LogLevelSilent,
	}
}

var engineFeatures = sync.OnceValue(func() map[string]bool {
	features := map[string]bool{"dynamic-import": false} // becomes require
	for _, name := range []string{
		"bigint", "class-field", "class-static-field", "class-static-blocks", "class-private-field", "class-private-method", "class-private-accessor",
		"class-private-static-field", "class-private-static-method", "class-private-static-accessor", "class-private-brand-check",
		"object-rest-spread", "optional-chain", "nullish-coalescing", "logical-assignment", "optional-catch-binding",
	} {
		features[name] = true
	}
	return features
})

// lowerClasses makes esbuild write classes without what the engine parses as a
// rule, but not always: a field named get, set, static or async, or super in the
// value of a static field.
func lowerClasses(options *api.TransformOptions) {
	supported := maps.Clone(engineFeatures())
	maps.DeleteFunc(supported, func(feature string, _ bool) bool { return strings.HasPrefix(feature, "class-") })
	options.Supported = supported
}

// compileTransformed compiles what needs esbuild: TypeScript, modules, and what
// the engine does not parse.
func compileTransformed(name, source string, m mode) (*unit, *syntaxError) {
	u, failed := transformAndCompile(name, source, m, false)
	if failed != nil && failed.transformed {
		if u, failed := transformAndCompile(name, source, m, true); failed == nil {
			return u, nil
		}
	}
	return u, failed
}

func transformAndCompile(name, source string, m mode, plainClasses bool) (*unit, *syntaxError) {
	h := hoisted{body: []byte(source)}
	for range maxHoists {
		text, toScript := h.text(m)
		options := transformOptions(api.LoaderTS)
		if plainClasses {
			lowerClasses(&options)
		}
		options.Banner = "(function (" + startName + ", require, " + metaName + ") {"
		options.Footer = "})"
		result := api.Transform(text, options)
		if len(result.Errors) == 0 {
			return h.compile(name, source, result, toScript, m)
		}
		e := result.Errors[0]
		if e.Location == nil {
			return nil, &syntaxError{message: e.Text}
		}
		line, column := e.Location.Line, e.Location.Column
		if line == 1 && column >= toScript.header || line > 1 {
			stop := offsetOf(text, line, column) - toScript.header
			if strings.HasPrefix(e.Text, "Unexpected ") && stop >= 0 && stop < len(h.body) && h.takeOut(stop) {
				continue
			}
		}
		line, column = toScript.position(line, column)
		return nil, syntaxErrorOf(source, line, column+1, wording(e.Text))
	}
	return nil, &syntaxError{message: "too many import and export statements"}
}

// text is what esbuild is given, and how its positions become the script's.
func (h *hoisted) text(m mode) (string, positions) {
	var b strings.Builder
	var p positions
	for _, statement := range h.imports {
		line, column := lineColumn(h.body, statement.offset)
		p.segments = append(p.segments, segment{from: b.Len(), line: line, column: column})
		b.WriteString(strings.TrimSuffix(statement.text, ";"))
		b.WriteByte(';')
	}
	if h.value {
		b.WriteString("let " + defaultName + ";")
	}
	b.WriteString(startName + "(async () => {")
	if m.session {
		b.WriteString(shareImports(h.imports))
	}
	b.WriteString(m.before())
	p.header = b.Len()
	b.Write(h.body)
	b.WriteString(m.after())
	b.WriteByte('\n')
	if h.value {
		b.WriteString("return " + defaultName)
	}
	b.WriteString("})")
	return b.String(), p
}

func (h *hoisted) compile(name, source string, result api.TransformResult, p positions, m mode) (*unit, *syntaxError) {
	refused := func(err error) *syntaxError {
		e := mappedError(source, err)
		e.transformed = true
		return e
	}
	tree, shown, err := parseMapped(name, string(result.Code), result.Map, p)
	if err != nil {
		return nil, refused(err)
	}
	body := startedBody(tree)
	if body == nil {
		return nil, &syntaxError{message: "a } or ) closes more than the script has opened"}
	}
	u := &unit{transformed: true, name: shown, after: strings.Count(source, "\n") + 2}
	if failed := u.spread(body, m); failed != nil {
		return nil, failed
	}
	if u.program, err = compileTree(tree); err != nil {
		return nil, refused(err)
	}
	return u, nil
}

// parseMapped parses esbuild's output together with its map, which is the only
// one that is ever read: it is appended last and given by a loader of our own.
// The second result is the name under which the engine shows the file.
func parseMapped(name, code string, sourceMap []byte, p positions) (*ast.Program, string, error) {
	m, err := remap(sourceMap, name, p)
	if err != nil {
		return nil, "", err
	}
	loader := func(string) ([]byte, error) { return m, nil }
	tree, err := parser.ParseFile(nil, transformedName, code+"\n//# sourceMappingURL=map", 0, parser.WithSourceMapLoader(loader))
	return tree, shownName(name), err
}

// startedBody is the function that holds the script. It is nil unless the script
// stayed inside its wrapper: there is one statement besides declarations, and it
// hands one function to start.
func startedBody(tree *ast.Program) *ast.ArrowFunctionLiteral {
	if len(tree.Body) != 1 {
		return nil
	}
	statement, ok := tree.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return nil
	}
	wrapper, ok := statement.Expression.(*ast.FunctionLiteral)
	if !ok {
		return nil
	}
	starts := 0
	var body *ast.ArrowFunctionLiteral
	for _, s := range wrapper.Body.List {
		e, ok := s.(*ast.ExpressionStatement)
		if !ok {
			continue
		}
		call, ok := e.Expression.(*ast.CallExpression)
		if !ok {
			continue
		}
		if id, ok := call.Callee.(*ast.Identifier); ok && id.Name == startName {
			starts++
			if len(call.ArgumentList) != 1 {
				return nil
			}
			if body, ok = call.ArgumentList[0].(*ast.ArrowFunctionLiteral); !ok {
				return nil
			}
		}
	}
	last, ok := wrapper.Body.List[len(wrapper.Body.List)-1].(*ast.ExpressionStatement)
	if !ok || starts != 1 || !isStart(last) {
		return nil
	}
	return body
}

func isStart(s *ast.ExpressionStatement) bool {
	call, ok := s.Expression.(*ast.CallExpression)
	if !ok {
		return false
	}
	id, ok := call.Callee.(*ast.Identifier)
	return ok && id.Name == startName
}

var (
	unexpected = onDemand(`^Unexpected "(.*)"$`)
	redeclared = onDemand(`^The symbol "(.*)" has already been declared$`)
)

// wording puts esbuild's messages in the words that everybody knows.
func wording(message string) string {
	if m := unexpected().FindStringSubmatch(message); m != nil {
		return "Unexpected token '" + m[1] + "'"
	}
	if m := redeclared().FindStringSubmatch(message); m != nil {
		return "Identifier '" + m[1] + "' has already been declared"
	}
	if message == "Unexpected end of file" {
		return endMessage
	}
	return message
}

// mayBeTyped reports whether the source may hold a call with type arguments.
func mayBeTyped(source string) bool {
	return strings.Contains(source, ">") && typeArguments().MatchString(source)
}

var typeArguments = onDemand("[\\w$]\\s*<[\\w$\\s,.|&\\[\\]{}'\":?<>]*>\\s*[(`]")

package runtime

import (
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// compileModule makes a unit of a file that is imported. Its program's value is a
// function that is given module, exports, require, ready, what import.meta is, and
// the names of its file and directory, the way of CommonJS:
// esbuild keeps the bindings live.
//
// A module that awaits at its top level, or imports one that does, has an async
// function, which asks ready for what it has to wait for once its imports are
// made. waits asks for that; for a module that awaits itself it goes without
// saying.
func compileModule(name, source string, waits bool) (*unit, *syntaxError) {
	key := "module\x00" + name
	if waits {
		key = "waiting " + key
	}
	if u := compiled.get(key, source); u != nil {
		return u, nil
	}
	u, failed := transformAndCompileModule(name, source, waits, false)
	if failed != nil && failed.transformed {
		if plain, again := transformAndCompileModule(name, source, waits, true); again == nil {
			u, failed = plain, nil
		}
	}
	if failed != nil {
		return nil, failed
	}
	compiled.put(key, source, u)
	return u, nil
}

func transformAndCompileModule(name, source string, waits, plainClasses bool) (*unit, *syntaxError) {
	text, awaits := source, 0
	result := transformModule(name, text, waits, plainClasses)
	if len(result.Errors) > 0 && isTopLevelAwait(result.Errors[0]) {
		var failed *syntaxError
		if text, awaits, failed = withoutAwaits(source, result.Errors); failed != nil {
			return nil, in(name, failed)
		}
		waits = true
		result = transformModule(name, text, true, plainClasses)
	}
	if len(result.Errors) > 0 {
		e := result.Errors[0]
		if e.Location == nil {
			return nil, &syntaxError{file: name, message: e.Text}
		}
		return nil, in(name, syntaxErrorOf(source, e.Location.Line, e.Location.Column+1, wording(e.Text)))
	}
	code := string(result.Code)
	if waits {
		var ok bool
		if code, ok = waiting(code, awaits); !ok {
			return nil, &syntaxError{file: name, message: "a module that awaits at its top level must not use the void operator; export an async function instead"}
		}
	}
	refused := func(err error) *syntaxError {
		e := in(name, mappedError(source, err))
		e.transformed = true
		return e
	}
	tree, shown, err := parseMapped(name, code, result.Map, positions{})
	if err != nil {
		return nil, refused(err)
	}
	program, err := compileTree(tree)
	if err != nil {
		return nil, refused(err)
	}
	return &unit{program: program, transformed: true, waits: waits, name: shown, file: name, needs: scanWords(source).needs}, nil
}

func transformModule(name, source string, waits, plainClasses bool) api.TransformResult {
	loader := api.LoaderTS
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs":
		loader = api.LoaderJS
	}
	options := transformOptions(loader)
	options.Banner = "(function (module, exports, require, codemode$ready, " + metaName + ", __filename, __dirname) {"
	if waits {
		options.Banner = "(async " + options.Banner[1:]
	}
	options.Footer = "})"
	if plainClasses {
		lowerClasses(&options)
	}
	return api.Transform(source, options)
}

func in(name string, e *syntaxError) *syntaxError {
	e.file = name
	return e
}

func isTopLevelAwait(e api.Message) bool {
	return strings.HasPrefix(e.Text, "Top-level await") && e.Location != nil
}

// withoutAwaits stands void for each await at the top level, because esbuild makes
// no CommonJS of a module with such: both are operators with one operand.
func withoutAwaits(source string, errors []api.Message) (string, int, *syntaxError) {
	text := []byte(source)
	for _, e := range errors {
		if !isTopLevelAwait(e) {
			return "", 0, syntaxErrorOf(source, e.Location.Line, e.Location.Column+1, wording(e.Text))
		}
		at := offsetOf(source, e.Location.Line, e.Location.Column)
		if !strings.HasPrefix(source[at:], "await") || strings.HasSuffix(strings.TrimRight(source[:at], " \t\r\n"), "for") {
			return "", 0, syntaxErrorOf(source, e.Location.Line, e.Location.Column+1,
				"only await can stand at the top level of an imported module, not for await and await using")
		}
		copy(text[at:], "void ")
	}
	return string(text), len(errors), nil
}

var (
	voidOperator = onDemand(`\bvoid\b`)
	importLine   = onDemand(`(?m)^(?:var import_[\w$]+ = .*require\(.*\);|__reExport\(.*\);|module\.exports = __toCommonJS\(.*\);)$`)
)

// waiting puts the awaits back into the code that esbuild made, and one more after
// its imports. It reports false when it cannot tell which void was one.
func waiting(code string, awaits int) (string, bool) {
	if awaits > 0 {
		if len(voidOperator().FindAllString(code, -1)) != awaits {
			return "", false
		}
		code = voidOperator().ReplaceAllString(code, "await")
	}
	at := strings.Index(code, "\n")
	if lines := importLine().FindAllStringIndex(code, -1); lines != nil {
		at = lines[len(lines)-1][1]
	}
	return code[:at] + " await codemode$ready();" + code[at:], true
}

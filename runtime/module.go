package runtime

import (
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// compileModule makes a unit of a file that is imported. Its program's value is a
// function that is given module, exports and require, the way of CommonJS:
// esbuild keeps the bindings live.
func compileModule(name, source string) (*unit, *syntaxError) {
	key := "module\x00" + name
	if u := compiled.get(key, source); u != nil {
		return u, nil
	}
	loader := api.LoaderTS
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs":
		loader = api.LoaderJS
	}
	options := transformOptions(loader)
	options.Banner = "(function (module, exports, require) {"
	options.Footer = "})"
	result := api.Transform(source, options)
	if len(result.Errors) > 0 {
		e := result.Errors[0]
		if e.Location == nil {
			return nil, &syntaxError{file: name, message: e.Text}
		}
		message := wording(e.Text)
		if strings.HasPrefix(message, "Top-level await") {
			message = "await outside of an async function: a module that is imported cannot wait; export an async function"
		}
		return nil, in(name, syntaxErrorOf(source, e.Location.Line, e.Location.Column+1, message))
	}
	tree, shown, err := parseMapped(name, string(result.Code), result.Map, positions{})
	if err != nil {
		return nil, in(name, mappedError(source, err))
	}
	program, err := compileTree(tree)
	if err != nil {
		return nil, in(name, mappedError(source, err))
	}
	u := &unit{program: program, transformed: true, name: shown, file: name, needs: scanWords(source).needs}
	compiled.put(key, source, u)
	return u, nil
}

func in(name string, e *syntaxError) *syntaxError {
	e.file = name
	return e
}

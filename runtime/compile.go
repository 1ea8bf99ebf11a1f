package runtime

import (
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
)

// The script is wrapped on its own first line, so that line numbers are the
// person's own; columns of that line are corrected by wrapColumns.
const (
	wrapBefore  = "(async () => {"
	wrapAfter   = "\n})"
	wrapColumns = len(wrapBefore)
)

// A unit is a script that was made ready to run.
type unit struct {
	program *goja.Program

	// Of a plain unit the program's value is the async function that holds the
	// script. Of a transformed one it is a function that is given a function,
	// start, and require: it carries out the script's imports and calls start
	// with the async function. Its positions are mapped to the person's.
	transformed bool

	file    string    // the real name of a module
	waits   bool      // a module whose function is async
	name    string    // under which the engine knows the script in positions
	columns int       // what stands before the script on its first line, where positions are not mapped
	after   int       // the line after the script's last; from it on, nothing is the person's
	needs   polyfills // what the script mentions

	blockFunctions bool // see callsBlockFunctions

	declares []string // the names that a run of a session declares for those that follow
}

// compile makes a unit of a script in JavaScript or TypeScript.
//
// Most scripts are JavaScript that the engine understands, and those do not pay
// for a transform: the engine's parser comes first, and only what it refuses is
// given to esbuild. That is safe because the engine refuses, with one exception,
// whatever TypeScript has beyond JavaScript. The exception are type arguments in
// calls, f<T>(x), which JavaScript reads as two comparisons; see [mayBeTyped].
func compile(name, source string, m mode) (*unit, *syntaxError) {
	source = strings.TrimPrefix(source, "\ufeff")
	if strings.HasPrefix(source, "#!") {
		source = "//" + source[2:]
	}
	if m == (mode{}) {
		if u := compiled.get(name, source); u != nil {
			return u, nil
		}
	}
	words := scanWords(source)
	u, failed := compileBest(name, source, words, m)
	if failed != nil {
		return nil, failed
	}
	u.needs = words.needs
	if m == (mode{}) {
		compiled.put(name, source, u)
	}
	return u, nil
}

func compileBest(name, source string, words words, m mode) (*unit, *syntaxError) {
	if m.interactive && startsAsObject(source) {
		within := m
		within.object = true
		if u, failed := compileAs(name, source, words, within); failed == nil {
			return u, nil
		}
	}
	return compileAs(name, source, words, m)
}

func compileAs(name, source string, words words, m mode) (*unit, *syntaxError) {
	if !words.modern && !mayBeTyped(source) {
		u, failed, final := compilePlain(name, source, m)
		if failed == nil && u.blockFunctions {
			if better, failed := compileTransformed(name, source, m); failed == nil {
				return better, nil
			}
		}
		if failed == nil || final {
			return u, failed
		}
	}
	return compileTransformed(name, source, m)
}

// compilePlain compiles what the engine understands. A failure is final where
// esbuild would not know better.
func compilePlain(name, source string, m mode) (u *unit, failed *syntaxError, final bool) {
	before, after := wrapBefore+m.before(), m.after()+wrapAfter
	// Source maps are off: goja would read any file that the script names in a
	// sourceMappingURL.
	tree, err := parser.ParseFile(nil, name, before+source+after, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, newSyntaxError(source, err), false
	}
	body, at, ok := wrapped(tree, len(before)+len(source)+len(m.after()))
	if !ok {
		position := tree.File.Position(at)
		return nil, syntaxErrorAt(source, position.Line, position.Column, "Unexpected token '}'"), true
	}
	block, _ := body.Body.(*ast.BlockStatement)
	blockFunctions := block != nil && callsBlockFunctions(source, block)
	u = &unit{name: name, blockFunctions: blockFunctions, columns: len(before), after: tree.File.Position(len(before) + len(source) + 1).Line}
	if failed := u.spread(body, m); failed != nil {
		return nil, failed, true
	}
	if u.program, err = compileTree(tree); err != nil {
		return nil, newSyntaxError(source, err), false
	}
	return u, nil, true
}

// wrapped reports whether the source stayed inside its wrapper, whose closing
// brace comes after end bytes and a newline. If not, it says where it left it.
func wrapped(tree *ast.Program, end int) (body *ast.ArrowFunctionLiteral, at int, ok bool) {
	var function *ast.ArrowFunctionLiteral
	ast := tree.Body
	if len(ast) > 0 {
		function = arrowIn(ast[0])
	}
	if function == nil {
		return nil, len(wrapBefore), false
	}
	at = int(function.Body.Idx1()) - 2 // positions count from 1, and Idx1 is one past the brace
	return function, at, at == end+1 && len(ast) == 1
}

// arrowIn finds the wrapper's function in the first statement.
func arrowIn(s ast.Statement) *ast.ArrowFunctionLiteral {
	statement, ok := s.(*ast.ExpressionStatement)
	if !ok {
		return nil
	}
	e := statement.Expression
	for {
		switch x := e.(type) {
		case *ast.ArrowFunctionLiteral:
			return x
		case *ast.CallExpression:
			e = x.Callee
		case *ast.SequenceExpression:
			e = x.Sequence[0]
		default:
			return nil
		}
	}
}

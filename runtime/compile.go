package runtime

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// The script is wrapped on its own first line, so that line numbers are the
// person's own; columns of that line are corrected by wrapColumns.
const (
	wrapBefore  = "(async () => {"
	wrapAfter   = "\n})()"
	wrapColumns = len(wrapBefore)
)

// A syntaxError says where a script does not parse.
type syntaxError struct {
	line, column int
	message      string
	text         string // the line
}

// compile makes a program of a script. Its completion value is the promise of
// the script's body. From the line after on, nothing is the person's.
func compile(name, source string) (program *goja.Program, after int, failed *syntaxError) {
	source = strings.TrimPrefix(source, "\ufeff")
	if strings.HasPrefix(source, "#!") {
		source = "//" + source[2:]
	}
	// Source maps are off in every parse: goja would read any file that the
	// script names in a sourceMappingURL.
	tree, err := parser.ParseFile(nil, name, wrapBefore+source+wrapAfter, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, 0, newSyntaxError(source, err)
	}
	if at, ok := wrapped(tree, len(wrapBefore)+len(source)); !ok {
		position := tree.File.Position(at)
		return nil, 0, syntaxErrorAt(source, position.Line, position.Column, "Unexpected token }")
	}
	program, err = goja.CompileAST(tree, false)
	if err != nil {
		return nil, 0, newSyntaxError(source, err)
	}
	return program, tree.File.Position(len(wrapBefore) + len(source) + 1).Line, nil
}

// wrapped reports whether the source stayed inside its wrapper, whose closing
// brace comes after end bytes and a newline. If not, it says where it left it.
func wrapped(tree *ast.Program, end int) (at int, ok bool) {
	var function *ast.ArrowFunctionLiteral
	ast := tree.Body
	if len(ast) > 0 {
		function = arrowIn(ast[0])
	}
	if function == nil {
		return len(wrapBefore), false
	}
	at = int(function.Body.Idx1()) - 2 // positions count from 1, and Idx1 is one past the brace
	return at, at == end+1 && len(ast) == 1
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

func newSyntaxError(source string, err error) *syntaxError {
	var (
		list     parser.ErrorList
		compiler *goja.CompilerSyntaxError
		ref      *goja.CompilerReferenceError
	)
	switch {
	case errors.As(err, &list) && len(list) > 0:
		return syntaxErrorAt(source, list[0].Position.Line, list[0].Position.Column, list[0].Message)
	case errors.As(err, &compiler):
		return syntaxErrorIn(source, compiler.File, compiler.Offset, compiler.Message)
	case errors.As(err, &ref):
		return syntaxErrorIn(source, ref.File, ref.Offset, ref.Message)
	}
	return &syntaxError{message: err.Error()}
}

func syntaxErrorIn(source string, f *file.File, offset int, message string) *syntaxError {
	if f == nil {
		return &syntaxError{message: message}
	}
	position := f.Position(offset)
	return syntaxErrorAt(source, position.Line, position.Column, message)
}

func syntaxErrorAt(source string, line, column int, message string) *syntaxError {
	if line == 1 {
		column = max(column-wrapColumns, 1)
	}
	lines := strings.Split(source, "\n")
	if message == "Unexpected reserved word" && line <= len(lines) {
		rest := lines[line-1][min(column-1, len(lines[line-1])):]
		for _, word := range []string{"import", "export"} {
			if strings.HasPrefix(rest, word) {
				message = word + " does not exist in a script; its tools are global, and require knows util and buffer"
			}
		}
	}
	if line > len(lines) { // only the wrapper is left: something was not closed
		line = len(lines)
		column = len(lines[line-1]) + 1
		message = "Unexpected end of the script"
	}
	return &syntaxError{line: line, column: column, message: message, text: strings.TrimRight(lines[line-1], "\r")}
}

// report shows the error with its line.
func (e *syntaxError) report(name string) *Error {
	message := "SyntaxError: " + e.message
	if e.line == 0 {
		return &Error{Kind: KindScript, Message: message}
	}
	at := fmt.Sprintf("%s:%d:%d", name, e.line, e.column)
	return &Error{Kind: KindScript, Message: message + " at " + at + excerpt(e.text, e.column), Stack: "    at " + at}
}

// excerpt is the line with a mark under the column, when it can be shown.
func excerpt(line string, column int) string {
	const width = 120
	if strings.TrimSpace(line) == "" {
		return ""
	}
	from := 0
	if column > width {
		from = boundary(line, column-width/2)
	}
	to := boundary(line, from+width)
	shown := strings.ReplaceAll(line[from:to], "\t", " ")
	mark := min(max(column-1-from, 0), len(shown))
	return "\n    " + shown + "\n    " + strings.Repeat(" ", mark) + "^"
}

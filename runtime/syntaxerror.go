package runtime

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// A syntaxError says where a script or a module does not parse.
type syntaxError struct {
	file         string // of a module; "" for the script
	line, column int
	message      string
	text         string // the line

	transformed bool // it is the engine that does not parse what esbuild made
}

const endMessage = "Unexpected end of the script"

// enginePosition is what the engine says of an error in a source, and where.
func enginePosition(err error) (p file.Position, message string) {
	var (
		list     parser.ErrorList
		compiler *goja.CompilerSyntaxError
		ref      *goja.CompilerReferenceError
		literal  *regexpError
	)
	of := func(f *file.File, offset int, message string) (file.Position, string) {
		if f == nil {
			return file.Position{}, message
		}
		return f.Position(offset), message
	}
	switch {
	case errors.As(err, &list) && len(list) > 0:
		return list[0].Position, list[0].Message
	case errors.As(err, &compiler):
		return of(compiler.File, compiler.Offset, compiler.Message)
	case errors.As(err, &ref):
		return of(ref.File, ref.Offset, ref.Message)
	case errors.As(err, &literal):
		return of(literal.file, literal.offset, literal.message)
	}
	return file.Position{}, err.Error()
}

// newSyntaxError is an error of the engine in a script in its wrapper.
func newSyntaxError(source string, err error) *syntaxError {
	p, message := enginePosition(err)
	if p.Line == 0 {
		return &syntaxError{message: message}
	}
	return syntaxErrorAt(source, p.Line, p.Column, message)
}

// mappedError is an error of the engine in esbuild's output, whose position is
// the person's already.
func mappedError(source string, err error) *syntaxError {
	p, message := enginePosition(err)
	if p.Line == 0 || p.Filename == transformedName {
		return &syntaxError{message: message}
	}
	return syntaxErrorOf(source, p.Line, p.Column, message)
}

// syntaxErrorAt is an error at a position of the script in its wrapper.
func syntaxErrorAt(source string, line, column int, message string) *syntaxError {
	if line == 1 {
		column = max(column-wrapColumns, 1)
	}
	return syntaxErrorOf(source, line, column, message)
}

// syntaxErrorOf is an error at a position that is the person's own.
func syntaxErrorOf(source string, line, column int, message string) *syntaxError {
	lines := strings.Split(source, "\n")
	if line > len(lines) { // only the wrapper is left: something was not closed
		line = len(lines)
		column = len(lines[line-1]) + 1
		message = endMessage
	}
	return &syntaxError{line: line, column: column, message: message, text: strings.TrimRight(lines[max(line, 1)-1], "\r")}
}

// place is where the error is, in the form of a stack's frame.
func (e *syntaxError) place(name string) string {
	if e.file != "" {
		name = e.file
	}
	return fmt.Sprintf("%s:%d:%d", name, e.line, e.column)
}

// describe shows the error with its line.
func (e *syntaxError) describe(name string) string {
	if e.line == 0 {
		return e.message
	}
	return e.message + " at " + e.place(name) + excerpt(e.text, e.column)
}

func (e *syntaxError) report(name string) *Error {
	r := &Error{Kind: KindScript, Message: "SyntaxError: " + e.describe(name)}
	if e.line > 0 {
		r.Stack = "    at " + e.place(name)
	}
	return r
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

package runtime

import (
	"fmt"
	"reflect"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/unistring"

	"codemode/runtime/regex"
)

// A regexpError is a regular expression literal that is none.
type regexpError struct {
	file    *file.File
	offset  int
	message string
}

func (e *regexpError) Error() string { return e.message }

// compileTree compiles a program. The engine compiles regular expressions with
// its own libraries and refuses some that are valid. Their literals, found only
// after it has complained, become calls of RegExp, which is ours.
func compileTree(tree *ast.Program) (*goja.Program, error) {
	repeatArguments(tree)
	program, err := goja.CompileAST(tree, false)
	if err == nil {
		return program, nil
	}
	r := literalReplacer{file: tree.File}
	r.walk(reflect.ValueOf(tree.Body))
	if r.err != nil {
		return nil, r.err
	}
	if !r.any {
		return nil, err
	}
	return goja.CompileAST(tree, false)
}

// literalReplacer visits every node of a tree.
type literalReplacer struct {
	file *file.File
	any  bool // there was one
	err  error
}

var literalType = reflect.TypeFor[*ast.RegExpLiteral]()

func (r *literalReplacer) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Elem().Type() == literalType {
			if v.CanSet() {
				v.Set(reflect.ValueOf(r.replace(v.Elem().Interface().(*ast.RegExpLiteral))))
			}
			return
		}
		r.walk(v.Elem())
	case reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*file.File]() && v.Type() != reflect.TypeFor[*ast.RegExpLiteral]() {
			r.walk(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type().Field(i).Name != "DeclarationList" {
				r.walk(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.walk(v.Index(i))
		}
	}
}

func (r *literalReplacer) replace(literal *ast.RegExpLiteral) ast.Expression {
	if _, err := regex.Compile(utf16Of(literal.Pattern), literal.Flags); err != nil && r.err == nil {
		r.err = &regexpError{r.file, int(literal.Idx) - 1, fmt.Sprintf("Invalid regular expression: /%s/%s: %v", literal.Pattern, literal.Flags, err)}
	}
	r.any = true
	at := literal.Idx
	text := func(s string) ast.Expression {
		return &ast.StringLiteral{Idx: at, Literal: s, Value: unistring.NewFromString(s)}
	}
	return &ast.NewExpression{
		New:          at,
		Callee:       &ast.Identifier{Name: "RegExp", Idx: at},
		ArgumentList: []ast.Expression{text(literal.Pattern), text(literal.Flags)},
	}
}

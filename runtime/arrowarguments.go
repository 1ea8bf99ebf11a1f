package runtime

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
)

// The engine forgets that an arrow function sees the arguments of the function
// around it, when the arrow function is the first in it to name them: it then
// reads what happens to lie on its stack, or beyond it. When they are named
// twice, the second time is right for both, so each `arguments` in an arrow
// function is written as `(arguments, arguments)`.

// repeatArguments does that to a tree. Most do not name them at all.
func repeatArguments(tree *ast.Program) {
	source := tree.File.Source()
	if strings.Contains(source, "arguments") && strings.Contains(source, "=>") {
		repeatIn(reflect.ValueOf(tree.Body), false)
	}
}

var (
	identifierType = reflect.TypeFor[*ast.Identifier]()
	arrowType      = reflect.TypeFor[ast.ArrowFunctionLiteral]()
	functionType   = reflect.TypeFor[ast.FunctionLiteral]()
	expressionType = reflect.TypeFor[ast.Expression]()
	assignType     = reflect.TypeFor[ast.AssignExpression]()
	unaryType      = reflect.TypeFor[ast.UnaryExpression]()
)

func repeatIn(v reflect.Value, arrow bool) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Elem().Type() != identifierType {
			repeatIn(v.Elem(), arrow)
			return
		}
		id := v.Elem().Interface().(*ast.Identifier)
		if arrow && id.Name == "arguments" && v.Type() == expressionType && v.CanSet() {
			v.Set(reflect.ValueOf(&ast.SequenceExpression{Sequence: []ast.Expression{id, &ast.Identifier{Name: id.Name, Idx: id.Idx}}}))
		}
	case reflect.Pointer:
		if !v.IsNil() && strings.HasSuffix(v.Type().Elem().PkgPath(), "goja/ast") {
			repeatIn(v.Elem(), arrow)
		}
	case reflect.Struct:
		t := v.Type()
		switch t {
		case arrowType:
			arrow = true
		case functionType:
			arrow = false
		}
		for i := range v.NumField() {
			switch name := t.Field(i).Name; {
			case name == "DeclarationList":
			case t == assignType && name == "Left" && v.Field(i).Elem().Type() == identifierType: // a target is no value
			case t == unaryType && name == "Operand" && v.Field(i).Elem().Type() == identifierType:
			case t.Field(i).IsExported():
				repeatIn(v.Field(i), arrow)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			repeatIn(v.Index(i), arrow)
		}
	}
}

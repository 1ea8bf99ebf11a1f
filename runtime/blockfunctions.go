package runtime

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
)

// A function that is declared in a block can be called after it, in code that is
// not strict. The engine does not know that, and esbuild does.

// callsBlockFunctions reports whether there may be one in a script. Only one that
// declares functions at all is looked at, and only one that has functions in
// expressions is searched to its ends.
func callsBlockFunctions(source string, body *ast.BlockStatement) bool {
	if !strings.Contains(source, "function") {
		return false
	}
	if hasBlockFunctions(body.List, false) {
		return true
	}
	return strings.Count(source, "function") > strings.Count(source, "\nfunction") && inExpressions(reflect.ValueOf(body.List))
}

// inExpressions searches the functions that are parts of expressions.
func inExpressions(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() || v.Kind() == reflect.Pointer && !strings.HasSuffix(v.Type().Elem().PkgPath(), "goja/ast") {
			return false
		}
		return inExpressions(v.Elem())
	case reflect.Struct:
		if v.Type() == arrowType || v.Type() == functionType {
			if body, ok := v.FieldByName("Body").Interface().(*ast.BlockStatement); ok && hasBlockFunctions(body.List, false) {
				return true
			}
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "DeclarationList" && inExpressions(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if inExpressions(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// hasBlockFunctions looks at statements only, and into functions that are
// declared.
func hasBlockFunctions(list []ast.Statement, block bool) bool {
	for _, s := range list {
		if inBlock(s, block) {
			return true
		}
	}
	return false
}

func inBlock(s ast.Statement, block bool) bool {
	switch s := s.(type) {
	case *ast.FunctionDeclaration:
		return block || hasBlockFunctions(s.Function.Body.List, false)
	case *ast.BlockStatement:
		return hasBlockFunctions(s.List, true)
	case *ast.IfStatement:
		return inBlock(s.Consequent, true) || s.Alternate != nil && inBlock(s.Alternate, true)
	case *ast.ForStatement:
		return inBlock(s.Body, true)
	case *ast.ForInStatement:
		return inBlock(s.Body, true)
	case *ast.ForOfStatement:
		return inBlock(s.Body, true)
	case *ast.WhileStatement:
		return inBlock(s.Body, true)
	case *ast.DoWhileStatement:
		return inBlock(s.Body, true)
	case *ast.LabelledStatement:
		return inBlock(s.Statement, block)
	case *ast.TryStatement:
		return inBlock(s.Body, true) || s.Catch != nil && inBlock(s.Catch.Body, true) || s.Finally != nil && inBlock(s.Finally, true)
	case *ast.SwitchStatement:
		for _, c := range s.Body {
			if hasBlockFunctions(c.Consequent, true) {
				return true
			}
		}
	}
	return false
}

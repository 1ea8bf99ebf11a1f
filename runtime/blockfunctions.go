package runtime

import "github.com/dop251/goja/ast"

// A function that is declared in a block can be called after it, in code that is
// not strict. The engine does not know that, and esbuild does.

// hasBlockFunctions reports whether there is one. It looks at statements only, and
// into functions that are declared: that costs next to nothing.
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

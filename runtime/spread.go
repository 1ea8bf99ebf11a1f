package runtime

import (
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// A mode is how a script is compiled, other than for a run of its own.
type mode struct {
	session     bool // what it declares at its top level is there for later runs
	interactive bool // its value is that of its last statement
	object      bool // it is an expression that starts with a brace
}

func (m mode) before() string {
	if m.object {
		return "("
	}
	return ""
}

func (m mode) after() string {
	if m.object {
		return "\n)"
	}
	return ""
}

// startsAsObject reports whether input reads better as an object than as a block,
// if it can be one: {a: 1}, but not {a: 1};.
func startsAsObject(source string) bool {
	source = strings.TrimSpace(source)
	return strings.HasPrefix(source, "{") && !strings.HasSuffix(source, ";")
}

// spread makes what a script of a session declares at its top level global: it
// turns declarations into assignments, in the syntax tree, so that positions stay
// what they are. So a function of an earlier run sees what a later one declares
// under the name that it uses, as it would at a prompt of Node's. The price is
// that a const of a session can be assigned to.
func (u *unit) spread(body *ast.ArrowFunctionLiteral, m mode) *syntaxError {
	block, ok := body.Body.(*ast.BlockStatement)
	if !ok {
		return nil
	}
	if m.interactive {
		block.List = complete(block.List)
		body.ParameterList.List = append(body.ParameterList.List, &ast.Binding{Target: &ast.Identifier{Name: completionName}})
	}
	if !m.session {
		return nil
	}
	s := spreading{seen: map[unistring.String]bool{}}
	for _, declaration := range body.DeclarationList {
		for _, b := range declaration.List {
			s.targets(b.Target, s.variable)
		}
	}
	body.DeclarationList = nil // nested ones, too, now are assignments
	for _, statement := range block.List {
		s.statement(statement)
	}
	if s.twice != "" {
		return &syntaxError{message: "Identifier '" + s.twice + "' has already been declared"}
	}
	block.List = append(s.first, s.rest...)
	u.declares = s.names
	return nil
}

type spreading struct {
	first []ast.Statement // functions, which are there before anything runs
	rest  []ast.Statement
	names []string
	seen  map[unistring.String]bool // names, and whether they may be declared again
	twice string
}

// variable notes a name that may be declared more than once.
func (s *spreading) variable(name unistring.String) {
	again, known := s.seen[name]
	if known && !again {
		s.twice = name.String()
	}
	s.note(name, true)
}

// constant notes a name that may be declared once.
func (s *spreading) constant(name unistring.String) {
	if _, known := s.seen[name]; known {
		s.twice = name.String()
	}
	s.note(name, false)
}

func (s *spreading) note(name unistring.String, again bool) {
	if _, known := s.seen[name]; !known {
		s.names = append(s.names, name.String())
	}
	s.seen[name] = again
}

func (s *spreading) statement(statement ast.Statement) {
	switch d := statement.(type) {
	case *ast.FunctionDeclaration:
		name := d.Function.Name
		s.variable(name.Name)
		d.Function.Name = nil // the assignment names it, and inside it is the global of that name
		s.first = append(s.first, assign(name, d.Function))
		return
	case *ast.ClassDeclaration:
		s.constant(d.Class.Name.Name)
		statement = assign(d.Class.Name, d.Class)
	case *ast.LexicalDeclaration:
		for _, b := range d.List {
			s.targets(b.Target, s.constant)
			value := b.Initializer
			if value == nil {
				value = nothing(b.Idx0())
			}
			s.rest = append(s.rest, assign(b.Target, value))
		}
		return
	}
	s.rest = append(s.rest, statement)
}

// nothing is the value of a declaration without one.
func nothing(at file.Idx) ast.Expression {
	return &ast.UnaryExpression{Operator: token.VOID, Idx: at, Operand: &ast.NumberLiteral{Idx: at, Literal: "0", Value: int64(0)}}
}

func assign(to ast.Expression, value ast.Expression) ast.Statement {
	return &ast.ExpressionStatement{Expression: &ast.AssignExpression{Operator: token.ASSIGN, Left: to, Right: value}}
}

// targets calls note with each name in a binding.
func (s *spreading) targets(target ast.Expression, note func(unistring.String)) {
	switch t := target.(type) {
	case *ast.Identifier:
		note(t.Name)
	case *ast.AssignExpression:
		s.targets(t.Left, note)
	case *ast.ArrayPattern:
		for _, element := range t.Elements {
			s.targets(element, note)
		}
		s.targets(t.Rest, note)
	case *ast.ObjectPattern:
		for _, property := range t.Properties {
			switch p := property.(type) {
			case *ast.PropertyShort:
				note(p.Name.Name)
			case *ast.PropertyKeyed:
				s.targets(p.Value, note)
			}
		}
		s.targets(t.Rest, note)
	}
}

// completionName is the parameter of an interactive script that takes its value:
// one that is returned would be awaited, and a promise is a value like others. No
// script can write that name.
const completionName = "\x00value"

// complete lets a list of statements give away the value of its last one, as eval
// would.
func complete(list []ast.Statement) []ast.Statement {
	if len(list) == 0 {
		return list
	}
	last := len(list) - 1
	if _, empty := list[last].(*ast.EmptyStatement); empty {
		return append(complete(list[:last]), list[last])
	}
	list[last] = completed(list[last])
	return list
}

func completed(statement ast.Statement) ast.Statement {
	switch t := statement.(type) {
	case *ast.ExpressionStatement:
		take := &ast.Identifier{Name: completionName, Idx: t.Idx0()}
		return &ast.ReturnStatement{Return: t.Idx0(), Argument: &ast.CallExpression{
			Callee: take, LeftParenthesis: t.Idx0(), ArgumentList: []ast.Expression{t.Expression}, RightParenthesis: t.Idx1(),
		}}
	case *ast.BlockStatement:
		t.List = complete(t.List)
	case *ast.IfStatement:
		t.Consequent = completed(t.Consequent)
		if t.Alternate != nil {
			t.Alternate = completed(t.Alternate)
		}
	case *ast.LabelledStatement:
		t.Statement = completed(t.Statement)
	case *ast.TryStatement:
		t.Body.List = complete(t.Body.List)
		if t.Catch != nil {
			t.Catch.Body.List = complete(t.Catch.Body.List)
		}
	}
	return statement
}

// declare readies the names that the script declares: what is read before it was
// assigned to is undefined, unless it is there from an earlier run.
func (s *sandbox) declare() {
	global := s.GlobalObject()
	for _, name := range s.unit.declares {
		s.lastKept = s.lastKept || name == lastName
		if has, err := s.hasOwn(global, jsString(name)); err == nil && !has.ToBoolean() {
			throw(global.DefineDataProperty(name, goja.Undefined(), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
		}
	}
}

// lastName is the global that holds the last value of an interactive session.
const lastName = "_"

// taker is what an interactive script gives its value to.
func (s *sandbox) taker() goja.Value {
	return s.function("", 1, func(c goja.FunctionCall) goja.Value {
		s.completion = c.Argument(0)
		return goja.Undefined()
	})
}

// shown is the value of an interactive script as it is printed. It becomes the
// last value, unless the session uses that name itself.
func (s *sandbox) shown(v goja.Value) string {
	if s.completion != nil {
		v = s.completion
	}
	if !s.lastKept {
		s.global(lastName, v)
	}
	o := usualInspect
	o.colours = s.job.Script.Colours
	return s.inspectWith(v, o)
}

// places are the scripts of a session, by the names that the engine shows.
type places map[string]place

type place struct{ columns, after int }

// maxPlaces bounds how many scripts a session remembers for the stacks of errors
// in what they have defined.
const maxPlaces = 2000

func (p *places) add(u *unit) {
	if *p == nil || len(*p) >= maxPlaces {
		*p = places{}
	}
	(*p)[u.name] = place{u.columns, u.after}
}

package repl

import (
	"encoding/json"
	"slices"
	"strings"

	"codemode/ops/plain"
)

// A Signature is what a tool takes, as its JSON Schema says.
type Signature struct {
	Tool       string
	About      string
	Parameters []Parameter
	Other      []Parameter // a second set, if there is one; the two are not mixed
}

// A Parameter is one argument of a tool.
type Parameter struct {
	Name     string
	Type     string
	About    string
	Required bool
	Values   []string // all that it may be; nil: anything of the type
}

// NewSignature reads a signature from the JSON Schema of a tool's arguments.
func NewSignature(tool string, schema json.RawMessage) Signature {
	v, err := plain.Parse(schema)
	object, ok := v.(*plain.Object)
	if err != nil || !ok {
		return Signature{Tool: tool}
	}
	s := Signature{Tool: tool, About: textOf(object, "description")}
	sets := []*plain.Object{object}
	if defs, ok := member(object, "$defs").(*plain.Object); ok {
		sets = nil
		for _, m := range defs.Members {
			if set, ok := m.Value.(*plain.Object); ok {
				sets = append(sets, set)
			}
		}
	}
	for i, set := range sets {
		switch list := parameters(set); i {
		case 0:
			s.Parameters = list
		case 1:
			s.Other = list
		}
	}
	return s
}

func parameters(set *plain.Object) (list []Parameter) {
	properties, ok := member(set, "properties").(*plain.Object)
	if !ok {
		return nil
	}
	required := texts(set, "required")
	for _, m := range properties.Members {
		about, ok := m.Value.(*plain.Object)
		if !ok {
			continue
		}
		list = append(list, Parameter{
			Name: m.Name, Type: typeOf(about), About: textOf(about, "description"),
			Required: slices.Contains(required, m.Name), Values: texts(about, "enum"),
		})
	}
	return list
}

// typeOf is the first type that a schema allows.
func typeOf(schema *plain.Object) string {
	if list := texts(schema, "type"); len(list) > 0 {
		return list[0]
	}
	if one := textOf(schema, "type"); one != "" {
		return one
	}
	if list, ok := member(schema, "anyOf").([]any); ok {
		for _, alternative := range list {
			if o, ok := alternative.(*plain.Object); ok {
				return typeOf(o)
			}
		}
	}
	return ""
}

func member(o *plain.Object, name string) any {
	v, _ := o.Get(name)
	return v
}

func textOf(o *plain.Object, name string) string {
	s, _ := member(o, name).(string)
	return s
}

func texts(o *plain.Object, name string) (list []string) {
	all, _ := member(o, name).([]any)
	for _, v := range all {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// set is the parameters that go with those already given.
func (s Signature) set(given []string) []Parameter {
	for _, name := range given {
		if has(s.Other, name) && !has(s.Parameters, name) {
			return s.Other
		}
	}
	return s.Parameters
}

func has(list []Parameter, name string) bool {
	return slices.ContainsFunc(list, func(p Parameter) bool { return p.Name == name })
}

// parameter finds one by its name.
func (s Signature) parameter(name string) (Parameter, bool) {
	for _, p := range append(slices.Clone(s.Parameters), s.Other...) {
		if p.Name == name {
			return p, true
		}
	}
	return Parameter{}, false
}

// isPath reports whether a parameter is a path, which the schemas say in words
// only.
func (p Parameter) isPath() bool {
	return p.Type == "string" && slices.Contains([]string{"path", "target", "src", "dst"}, p.Name)
}

// call writes a call of the tool with the parameters of one set.
func (s Signature) call(given []string) string {
	var names []string
	for _, p := range s.set(given) {
		name := p.Name
		if !p.Required {
			name += "?"
		}
		names = append(names, name)
	}
	return "tools." + s.Tool + "({" + strings.Join(names, ", ") + "})"
}

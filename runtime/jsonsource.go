package runtime

import "github.com/dop251/goja"

// A jsonSource is where a value that JSON.parse has read stands in its text: a
// reviver is told the text of what is no object. All methods work on nil, which
// is a value that the reviver made itself.
type jsonSource struct {
	value   goja.Value
	text    string
	items   []*jsonSource
	members map[string]*jsonSource
}

// sourced reads a value and leaves its source in p.source.
func (p *jsonParser) sourced(depth int) goja.Value {
	start := p.at
	v := p.bare(depth)
	if _, composed := v.(*goja.Object); !composed {
		p.source = &jsonSource{value: v, text: p.text.Substring(start, p.at).String()}
	}
	return v
}

func (s *jsonSource) item(i int64) *jsonSource {
	if s == nil || i >= int64(len(s.items)) {
		return nil
	}
	return s.items[i]
}

func (s *jsonSource) member(key goja.String) *jsonSource {
	if s == nil {
		return nil
	}
	name, _ := goString(key)
	return s.members[name]
}

// context is the third argument of a reviver. A value that the reviver has put
// in the place of another has no source.
func (s *jsonSource) context(e *engine, v goja.Value) goja.Value {
	context := e.NewObject()
	if s != nil && s.value != nil && s.value.SameAs(v) {
		e.member(context, "source", jsString(s.text))
	}
	return context
}

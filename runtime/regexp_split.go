package runtime

import "github.com/dop251/goja"

// regexpSplit splits at the matches of an expression. An exec that the script has
// put in place is not asked.
func (e *engine) regexpSplit(c goja.FunctionCall) goja.Value {
	_, data := e.regexpThis(c.This, "[Symbol.split]")
	s := e.str(argument(c.Arguments, 0))
	limit := int64(1<<32 - 1)
	if v := argument(c.Arguments, 1); !goja.IsUndefined(v) {
		limit = int64(uint32(v.ToInteger()))
	}
	if limit == 0 {
		return e.NewArray()
	}
	length := s.Length()
	if length == 0 {
		if e.search(data, s, 0, true) != nil {
			return e.NewArray()
		}
		return e.NewArray(s)
	}
	var parts []any
	from := 0
	for at := 0; at < length; {
		found := e.search(data, s, at, false)
		if found == nil || int(found[0]) >= length {
			break
		}
		if int(found[1]) == from || found[0] == found[1] && int(found[0]) == from {
			at = advance(data.program, s, max(at, int(found[0])))
			continue
		}
		parts = append(parts, s.Substring(from, int(found[0])))
		if int64(len(parts)) == limit {
			return e.NewArray(parts...)
		}
		for n := 1; n < data.program.Groups; n++ {
			parts = append(parts, group(s, found, n))
			if int64(len(parts)) == limit {
				return e.NewArray(parts...)
			}
		}
		from = int(found[1])
		at = from
		if found[0] == found[1] {
			at = advance(data.program, s, from)
		}
	}
	return e.NewArray(append(parts, s.Substring(from, length))...)
}

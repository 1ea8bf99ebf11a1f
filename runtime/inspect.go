package runtime

import "github.com/dop251/goja"

func (s *sandbox) inspect(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		json, _ := s.jsonValue(o)
		return string(json)
	}
	return v.String()
}

package runtime

import (
	"net/url"
	"path"

	"github.com/dop251/goja"
)

// meta is what import.meta is in a file.
func (s *sandbox) meta(file string) goja.Value {
	o := s.CreateObject(nil)
	if file == "" {
		return o
	}
	s.member(o, "dirname", jsString(path.Dir(file)))
	s.member(o, "filename", jsString(file))
	if path.IsAbs(file) {
		s.member(o, "url", jsString((&url.URL{Scheme: "file", Path: file}).String()))
	}
	return o
}

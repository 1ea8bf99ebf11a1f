package runtime

import (
	"encoding/base64"
	"strings"

	"github.com/dop251/goja"
)

func (s *sandbox) defineOutput() {
	s.global("text", s.function("text", 1, func(c goja.FunctionCall) goja.Value {
		s.host.output(Output{Type: OutputText, Text: s.asText(c.Argument(0))})
		return goja.Undefined()
	}))
	s.global("image", s.function("image", 1, func(c goja.FunctionCall) goja.Value {
		s.host.output(s.asImage(c.Argument(0)))
		return goja.Undefined()
	}))
	s.global("store", s.function("store", 2, func(c goja.FunctionCall) goja.Value {
		key := s.storeKey("store", c.Argument(0))
		value := c.Argument(1)
		if goja.IsUndefined(value) {
			value = goja.Null()
		}
		json, problem := s.snapshot(value)
		if problem != "" {
			s.typeError("store: %s", strings.Replace(problem, "the argument", "the value", 1))
		}
		if err := s.host.store(key, json); err != nil {
			s.typeError("store: %v", err)
		}
		return goja.Undefined()
	}))
	s.global("load", s.function("load", 1, func(c goja.FunctionCall) goja.Value {
		json, ok := s.host.load(s.storeKey("load", c.Argument(0)))
		if !ok {
			return goja.Undefined()
		}
		return s.parse(json)
	}))
}

func (s *sandbox) storeKey(function string, v goja.Value) string {
	text, ok := v.(goja.String)
	if !ok || text.Length() > 1024 {
		s.typeError("%s: the key must be a string of at most 1024 characters", function)
	}
	key, ok := goString(text)
	if !ok {
		s.typeError("%s: the key has a lone surrogate", function)
	}
	return key
}

// asText is what text() shows: a string as it is, data as JSON, and what JSON
// cannot tell the way the console shows it.
func (s *sandbox) asText(v goja.Value) string {
	switch v := v.(type) {
	case goja.String:
		return shownString(v)
	case *goja.Object:
		if k := kindOf(v); k == kindObject || k == kindArray {
			json, problem := s.jsonValue(v)
			if problem != "" {
				s.typeError("text: %s", problem)
			}
			return string(json)
		}
	}
	return s.inspect(v)
}

// imageTypes are the image formats, by the first characters of their base64.
var imageTypes = []struct{ prefix, mimeType string }{
	{"iVBORw0KGgo", "image/png"},
	{"/9j/", "image/jpeg"},
	{"R0lGOD", "image/gif"},
	{"UklGR", "image/webp"},
}

// asImage reads the argument of image(): a data URL, bare base64, or an object
// with data and mimeType.
func (s *sandbox) asImage(v goja.Value) Output {
	var data, mimeType string
	switch v := v.(type) {
	case goja.String:
		data = shownString(v)
	case *goja.Object:
		s.look()
		if kindOf(v) != kindObject {
			s.typeError("image: pass a data URL, base64, or {data, mimeType}")
		}
		data, mimeType = s.ownText(v, "data"), s.ownText(v, "mimeType")
	}
	if rest, ok := strings.CutPrefix(data, "data:"); ok {
		kind, encoded, found := strings.Cut(rest, ";base64,")
		if !found {
			s.typeError("image: the data URL must be base64")
		}
		data, mimeType = encoded, kind
	}
	if mimeType == "" {
		for _, t := range imageTypes {
			if strings.HasPrefix(data, t.prefix) {
				mimeType = t.mimeType
			}
		}
	}
	if !isImageType(mimeType) {
		s.typeError("image: not an image; pass a data URL, base64 of a PNG, JPEG, GIF or WebP, or {data, mimeType}")
	}
	if _, err := base64.StdEncoding.DecodeString(data); err != nil || data == "" {
		s.typeError("image: the data is no base64")
	}
	return Output{Type: OutputImage, MimeType: mimeType, Data: data}
}

// isImageType reports whether a type is one of those that are shown. A client may
// do more with others: an SVG can hold a script.
func isImageType(mimeType string) bool {
	for _, t := range imageTypes {
		if t.mimeType == mimeType {
			return true
		}
	}
	return false
}

func (s *sandbox) ownText(o *goja.Object, name string) string {
	v, _ := s.own(o, jsString(name))
	if text, ok := v.(goja.String); ok {
		return shownString(text)
	}
	return ""
}

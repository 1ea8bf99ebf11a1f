package runtime

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"codemode/ops/plain"

	"github.com/dop251/goja"
)

// build makes an engine value of one that [plain.Parse] returned. Members are
// defined, never assigned, so that no setter of a polluted prototype sees them.
func (e *engine) build(v any) goja.Value {
	switch v := v.(type) {
	case nil:
		return goja.Null()
	case bool:
		return e.ToValue(v)
	case plain.Number:
		return e.buildNumber(v)
	case string:
		return jsString(v)
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = e.build(item)
		}
		return e.NewArray(items...)
	case *plain.Object:
		object := e.NewObject()
		for _, m := range v.Members {
			e.buildMember(object, m.Name, e.build(m.Value))
		}
		return object
	}
	return goja.Undefined()
}

func (e *engine) buildNumber(n plain.Number) goja.Value {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil && i > -1<<53 && i < 1<<53 && (i != 0 || !strings.HasPrefix(string(n), "-")) {
		return e.ToValue(i)
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil && f == 0 {
		f = math.NaN()
	}
	return e.ToValue(f)
}

func (e *engine) buildMember(o *goja.Object, name string, v goja.Value) {
	if utf8.ValidString(name) {
		e.member(o, name, v)
		return
	}
	e.defineExact(o, jsString(name), v)
}

// defineExact defines a member by its exact name: the engine's Go interface takes
// names as UTF-8, which cannot spell stray bytes.
func (e *engine) defineExact(o *goja.Object, name, v goja.Value) {
	property := e.CreateObject(nil)
	e.member(property, "value", v)
	for _, flag := range []string{"writable", "enumerable", "configurable"} {
		e.member(property, flag, e.ToValue(true))
	}
	_, err := e.define(goja.Undefined(), o, name, property)
	throw(err)
}

// parse makes an engine value of JSON that the host gave.
func (e *engine) parse(json []byte) goja.Value {
	v, err := plain.Parse(json)
	if err != nil {
		panic(&errEngine{err})
	}
	return e.build(v)
}

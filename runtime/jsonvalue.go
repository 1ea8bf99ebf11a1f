package runtime

import (
	"fmt"
	"math"
	"strconv"

	"codemode/ops/plain"

	"github.com/dop251/goja"
)

// Limits of a value that leaves as JSON.
const (
	maxValueBytes = 4 << 20
	maxValueDepth = 48 // well under the depth that plain.Parse reads
)

// jsonValue writes a value as JSON the way JSON.stringify does, toJSON methods
// and getters included, and never fails where that would throw or lose
// everything: a BigInt is its decimal string, a cycle is "[Circular]", a Map is
// a list of pairs, a Set and a typed array are lists, an Error is an object with
// name and message, a RegExp is its source. Nothing at all is null. The problem
// is not empty when the text grew too large.
//
// It calls into the script and must run in a visit.
func (e *engine) jsonValue(v goja.Value) (json []byte, problem string) {
	w := jsonWriter{engine: e}
	if !w.value(v, "") {
		w.out = append(w.out, "null"...)
	}
	if w.full() {
		return nil, fmt.Sprintf("the value has more than %d bytes as JSON; return a summary", maxValueBytes)
	}
	return w.out, ""
}

type jsonWriter struct {
	*engine
	out  []byte
	open []*goja.Object
}

func (w *jsonWriter) full() bool { return len(w.out) > maxValueBytes }

// value writes v and reports false where JSON has nothing for it.
func (w *jsonWriter) value(v goja.Value, key string) bool {
	if w.full() {
		return true
	}
	switch v := v.(type) {
	case nil, *goja.Symbol:
		return false
	case goja.String:
		w.string(v)
		return true
	case *goja.Object:
		return w.object(v, key)
	}
	switch {
	case goja.IsUndefined(v):
		return false
	case goja.IsNull(v):
		w.out = append(w.out, "null"...)
	case goja.IsBigInt(v):
		w.out = plain.AppendString(w.out, v.String())
	case goja.IsNumber(v):
		if f := v.ToFloat(); math.IsNaN(f) || math.IsInf(f, 0) {
			w.out = append(w.out, "null"...)
		} else {
			w.out = append(w.out, v.String()...)
		}
	default:
		w.out = strconv.AppendBool(w.out, v.ToBoolean())
	}
	return true
}

func (w *jsonWriter) string(s goja.String) {
	if s.Length() > maxValueBytes {
		w.out = append(w.out, make([]byte, maxValueBytes+1)...)
		return
	}
	w.out = plain.AppendString(w.out, shownString(s))
}

func (w *jsonWriter) text(s string) bool {
	w.out = plain.AppendString(w.out, s)
	return true
}

func (w *jsonWriter) object(o *goja.Object, key string) bool {
	for _, outer := range w.open {
		if outer == o {
			return w.text("[Circular]")
		}
	}
	if len(w.open) >= maxValueDepth {
		return w.text("[nested too deep]")
	}
	w.open = append(w.open, o)
	defer func() { w.open = w.open[:len(w.open)-1] }()

	if toJSON, ok := goja.AssertFunction(o.Get("toJSON")); ok {
		v, err := toJSON(o, jsString(key))
		throw(err)
		if v != goja.Value(o) {
			return w.value(v, key)
		}
	}
	switch k := kindOf(o); k {
	case kindArray:
		w.list(o, o.Get("length").ToInteger())
	case kindTypedArray:
		w.list(o, int64(typedLength(o)))
	case kindFunction:
		return false
	case kindNumber, kindBoolean, kindString, kindBigInt:
		return w.value(w.unbox(o, k), key)
	case kindMap:
		w.entries(w.mapEach, o, true)
	case kindSet:
		w.entries(w.setEach, o, false)
	case kindRegExp:
		return w.text(w.regexp(o))
	case kindPromise:
		return w.text("[Promise]")
	case kindError:
		w.error(o)
	default:
		w.record(o)
	}
	return true
}

// unbox is the primitive in a Number, Boolean, String or BigInt object.
func (e *engine) unbox(o *goja.Object, k kind) goja.Value {
	if k == kindString {
		v, err := e.stringValue(o)
		throw(err)
		return v
	}
	if k == kindSymbol {
		return e.unboxSymbol(o)
	}
	return e.ToValue(o.Export())
}

func (w *jsonWriter) list(o *goja.Object, length int64) {
	if length*2 > maxValueBytes {
		w.out = append(w.out, make([]byte, maxValueBytes+1)...)
		return
	}
	w.out = append(w.out, '[')
	for i := int64(0); i < length && !w.full(); i++ {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		index := strconv.FormatInt(i, 10)
		if !w.value(o.Get(index), index) {
			w.out = append(w.out, "null"...)
		}
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) entries(each goja.Callable, o *goja.Object, pairs bool) {
	w.out = append(w.out, '[')
	start := len(w.out)
	item := func(v goja.Value) {
		if !w.value(v, "") {
			w.out = append(w.out, "null"...)
		}
	}
	w.each(each, o, func(key, value goja.Value) {
		if w.full() {
			return
		}
		if len(w.out) > start {
			w.out = append(w.out, ',')
		}
		if !pairs {
			item(value)
			return
		}
		w.out = append(w.out, '[')
		item(key)
		w.out = append(w.out, ',')
		item(value)
		w.out = append(w.out, ']')
	})
	w.out = append(w.out, ']')
}

// each visits the entries of a Map or Set with the captured forEach.
func (e *engine) each(forEach goja.Callable, o *goja.Object, f func(key, value goja.Value)) {
	_, err := forEach(o, e.ToValue(func(c goja.FunctionCall) goja.Value {
		f(c.Argument(1), c.Argument(0))
		return goja.Undefined()
	}))
	throw(err)
}

func (w *jsonWriter) error(o *goja.Object) {
	w.out = append(w.out, '{')
	start := len(w.out)
	seen := map[string]bool{}
	for _, name := range []string{"name", "message"} {
		w.member(o, jsString(name).(goja.String), start, seen)
	}
	w.members(o, start, seen)
	w.out = append(w.out, '}')
}

func (w *jsonWriter) record(o *goja.Object) {
	w.out = append(w.out, '{')
	w.members(o, len(w.out), map[string]bool{})
	w.out = append(w.out, '}')
}

func (w *jsonWriter) members(o *goja.Object, start int, seen map[string]bool) {
	var keys []goja.String
	if isProxy(o) {
		for _, name := range o.Keys() {
			keys = append(keys, jsString(name).(goja.String))
		}
	} else {
		keys = w.keys(o)
	}
	for _, key := range keys {
		if w.full() {
			return
		}
		w.member(o, key, start, seen)
	}
}

// member writes one member, once: two names can look the same as JSON when they
// hold lone surrogates.
func (w *jsonWriter) member(o *goja.Object, key goja.String, start int, seen map[string]bool) {
	name := shownString(key)
	if seen[name] {
		return
	}
	before := len(w.out)
	if before > start {
		w.out = append(w.out, ',')
	}
	w.out = plain.AppendString(w.out, name)
	w.out = append(w.out, ':')
	if !w.value(w.read(o, key), name) {
		w.out = w.out[:before]
		return
	}
	seen[name] = true
}

// read is o[key] for any key, getters and all.
func (e *engine) read(o *goja.Object, key goja.String) goja.Value {
	v, err := e.get(goja.Undefined(), o, key)
	throw(err)
	return v
}

// unboxSymbol asks the script's own Symbol, which may have been changed.
func (e *engine) unboxSymbol(o *goja.Object) goja.Value {
	class, _ := e.Get("Symbol").(*goja.Object)
	if class != nil {
		if prototype, ok := class.Get("prototype").(*goja.Object); ok {
			if valueOf, ok := goja.AssertFunction(prototype.Get("valueOf")); ok {
				if v, err := valueOf(o); err == nil {
					return v
				}
			}
		}
	}
	return goja.NewSymbol("")
}

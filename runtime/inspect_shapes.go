package runtime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// shapeOf decides how an object is shown. When it is more than its base, members
// writes its entries.
func (i *inspector) shapeOf(o *goja.Object, constructor, tag string) (sh shape, members func(*shape, int), plain bool) {
	sh = shape{left: "{", right: "}"}
	keys := i.propertyKeys(o)
	own := func(sh *shape, level int) { i.properties(sh, o, keys, level) }
	named := func(base string) (shape, func(*shape, int), bool) {
		sh.base, sh.style = base, styles[kindOf(o)]
		return sh, own, len(keys) == 0
	}
	switch k := kindOf(o); k {
	case kindArray, kindArguments:
		return i.arrayShape(o, k, prefix(constructor, tag, "Array", ""), keys, sh)
	case kindMap:
		return i.collectionShape(o, i.mapEach, k, constructor, tag, len(keys), sh, own)
	case kindSet:
		return i.collectionShape(o, i.setEach, k, constructor, tag, len(keys), sh, own)
	case kindFunction:
		return named(i.functionBase(o, constructor))
	case kindRegExp:
		return named(i.regexp(o))
	case kindDate:
		return named(i.date(o))
	case kindError:
		return i.errorShape(o, keys, sh)
	case kindNumber, kindBoolean, kindString, kindBigInt, kindSymbol:
		inner := inspector{sandbox: i.sandbox, inspectOptions: i.inspectOptions}
		inner.colours = false
		return named("[" + string(k) + ": " + inner.value(i.unbox(o, k), 0) + "]")
	case kindPromise:
		sh.left = prefix(constructor, tag, "Promise", "") + "{"
		return sh, func(sh *shape, level int) {
			sh.entries = append(sh.entries, i.promise(o, level))
			own(sh, level)
		}, false
	case kindArrayBuffer:
		buffer, _ := o.Export().(goja.ArrayBuffer)
		sh.left = prefix(constructor, tag, "ArrayBuffer", "") + "{"
		return sh, func(sh *shape, level int) {
			sh.entries = append(sh.entries, "[Uint8Contents]: <"+i.bytes(buffer.Bytes(), i.items)+">", "byteLength: "+i.paint(styleNumber, strconv.Itoa(len(buffer.Bytes()))))
			own(sh, level)
		}, false
	case kindTypedArray:
		return i.typedShape(o, typedLength(o), constructor, sh)
	}
	if tag == "" && (constructor == "WeakMap" || constructor == "WeakSet") {
		return named(constructor + " { " + i.paint(styleSpecial, "<items unknown>") + " }")
	}
	if sh, members, ok := i.builtinShape(o, constructor, tag, keys, sh); ok {
		return sh, members, false
	}
	if constructor != "Object" || tag != "" {
		sh.left = prefix(constructor, tag, "Object", "") + "{"
	}
	if len(keys) == 0 {
		sh.base = sh.left + "}"
	}
	return sh, own, len(keys) == 0
}

func (i *inspector) arrayShape(o *goja.Object, k kind, name string, keys []goja.Value, sh shape) (shape, func(*shape, int), bool) {
	length := o.Get("length").ToInteger()
	sh.left, sh.right, sh.array = "[", "]", true
	if k == kindArguments {
		sh.left = "[Arguments] ["
	} else if name != "Array " {
		sh.left = strings.Replace(name, " ", fmt.Sprintf("(%d) ", length), 1) + "["
	}
	if length == 0 && len(keys) == 0 {
		sh.base = sh.left + "]"
		return sh, nil, true
	}
	return sh, func(sh *shape, level int) {
		i.elements(sh, o, length, level)
		if len(keys) > 0 {
			sh.numbers = false
			i.properties(sh, o, keys, level)
		}
	}, false
}

func (i *inspector) typedShape(o *goja.Object, length int, constructor string, sh shape) (shape, func(*shape, int), bool) {
	if constructor == "Buffer" {
		sh.base = i.buffer(o, length)
		return sh, nil, true
	}
	sh.left, sh.right, sh.array = fmt.Sprintf("%s(%d) [", constructor, length), "]", true
	if class := i.typedClass(o); class != constructor {
		sh.left = fmt.Sprintf("%s(%d) [%s] [", constructor, length, class)
	}
	if length == 0 {
		sh.base = sh.left + "]"
		return sh, nil, true
	}
	return sh, func(sh *shape, level int) {
		sh.numbers = true
		for n := 0; n < min(length, i.items); n++ {
			sh.entries = append(sh.entries, i.value(o.Get(strconv.Itoa(n)), level))
		}
		i.more(sh, int64(length-i.items))
	}, false
}

// elements writes the elements of an array, and what its gaps are.
func (i *inspector) elements(sh *shape, o *goja.Object, length int64, level int) {
	i.indent += 2
	defer func() { i.indent -= 2 }()
	sh.numbers = true
	var present []string // indices, once a gap was met
	next := int64(0)
	for next < length && len(sh.entries) < i.items {
		v, accessor := i.own(o, i.ToValue(next))
		switch {
		case accessor:
			sh.numbers = false
			sh.entries = append(sh.entries, i.paint(styleSpecial, i.accessor(o, i.ToValue(next))))
		case v == nil:
			sh.numbers = false
			if present == nil {
				present = append(o.Keys(), "")
			}
			end := gapEnd(present, next, length)
			sh.entries = append(sh.entries, i.paint(styleUndefined, fmt.Sprintf("<%d empty item%s>", end-next, plural(int(end-next)))))
			next = end
			continue
		default:
			if !goja.IsNumber(v) && !goja.IsBigInt(v) {
				sh.numbers = false
			}
			sh.entries = append(sh.entries, i.value(v, level))
		}
		next++
	}
	i.more(sh, length-next)
}

// gapEnd is the first index from at that is present, or the length.
func gapEnd(present []string, at, length int64) int64 {
	for _, key := range present {
		n, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			break // indices come first
		}
		if n >= at {
			return n
		}
	}
	return length
}

func (i *inspector) more(sh *shape, n int64) {
	if n > 0 {
		sh.cut = true
		sh.entries = append(sh.entries, fmt.Sprintf("... %d more item%s", n, plural(int(n))))
	}
}

func (i *inspector) size(o *goja.Object, each goja.Callable) int {
	n := 0
	i.each(each, o, func(goja.Value, goja.Value) { n++ })
	return n
}

func (i *inspector) collectionShape(o *goja.Object, each goja.Callable, k kind, constructor, tag string, extra int, sh shape, own func(*shape, int)) (shape, func(*shape, int), bool) {
	size := i.size(o, each)
	sh.left = prefix(constructor, tag, string(k), fmt.Sprintf("(%d)", size)) + "{"
	if size == 0 && extra == 0 {
		sh.base = sh.left + "}"
		return sh, nil, true
	}
	return sh, func(sh *shape, level int) {
		i.indent += 2
		n := int64(0)
		i.each(each, o, func(key, value goja.Value) {
			n++
			if n > int64(i.items) {
				return
			}
			entry := i.value(value, level)
			if k == kindMap {
				entry = i.value(key, level) + " => " + entry
			}
			sh.entries = append(sh.entries, entry)
		})
		i.more(sh, n-int64(i.items))
		i.indent -= 2
		own(sh, level)
	}, false
}

func (i *inspector) functionBase(o *goja.Object, constructor string) string {
	name := i.functionName(o)
	if o.ExportType() == classType {
		base := "[class " + name
		if name == "" {
			base = "[class (anonymous)"
		}
		if parent := behindProxies(o.Prototype()); parent != nil {
			if from := i.functionName(parent); from != "" {
				base += " extends " + from
			}
		}
		return base + "]"
	}
	class := "Function"
	if strings.HasSuffix(constructor, "Function") {
		class = constructor
	}
	if name == "" {
		return "[" + class + " (anonymous)]"
	}
	return "[" + class + ": " + name + "]"
}

func (i *inspector) date(o *goja.Object) string {
	v, err := i.toISO(o)
	if err != nil {
		return "Invalid Date"
	}
	return longYear(v.String())
}

func (i *inspector) promise(o *goja.Object, level int) string {
	p, ok := o.Export().(*goja.Promise)
	switch {
	case !ok || p.State() == goja.PromiseStatePending:
		return i.paint(styleSpecial, "<pending>")
	case p.State() == goja.PromiseStateRejected:
		return i.paint(styleSpecial, "<rejected>") + " " + i.nested(p.Result(), level)
	}
	return i.nested(p.Result(), level)
}

func (i *inspector) nested(v goja.Value, level int) string {
	i.indent += 2
	defer func() { i.indent -= 2 }()
	return i.value(v, level)
}

// errorShape shows an Error by its stack, followed by what else it carries.
func (i *inspector) errorShape(o *goja.Object, keys []goja.Value, sh shape) (shape, func(*shape, int), bool) {
	text := i.errorText(o)
	keys = slices.DeleteFunc(keys, func(key goja.Value) bool { return i.saidBy(o, key, text) })
	if !strings.Contains(text, "\n    at ") {
		text = "[" + text + "]"
	}
	sh.base = strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", i.indent))
	for _, hidden := range []string{"cause", "errors"} {
		if v, accessor := i.own(o, jsString(hidden)); v != nil && !accessor && !hasKey(keys, hidden) {
			keys = append(keys, jsString(hidden))
		}
	}
	return sh, func(sh *shape, level int) { i.properties(sh, o, keys, level) }, len(keys) == 0
}

func hasKey(keys []goja.Value, name string) bool {
	for _, key := range keys {
		if text, ok := key.(goja.String); ok && text.String() == name {
			return true
		}
	}
	return false
}

// propertyKeys lists the enumerable own keys, symbols last.
func (i *inspector) propertyKeys(o *goja.Object) []goja.Value {
	var keys []goja.Value
	switch k := kindOf(o); {
	case k == kindTypedArray:
		return nil
	case k == kindArray && o.Get("length").ToInteger() > maxExtraKeys:
		return nil // looking for more than elements would take too long
	case k == kindArray || k == kindString || k == kindArguments:
		for _, key := range i.keys(o) {
			if !index().MatchString(key.String()) {
				keys = append(keys, key)
			}
		}
	default:
		for _, key := range i.keys(o) {
			keys = append(keys, key)
		}
	}
	for _, symbol := range o.Symbols() {
		keys = append(keys, symbol)
	}
	return keys
}

// maxExtraKeys is the length up to which an array is searched for members that
// are no elements.
const maxExtraKeys = 10_000

var index = onDemand(`^(?:0|[1-9][0-9]{0,9})$`)

var identifier = onDemand(`^[a-zA-Z_][a-zA-Z_0-9]*$`)

func (i *inspector) properties(sh *shape, o *goja.Object, keys []goja.Value, level int) {
	if i.sorted {
		keys = sortedKeys(keys)
	}
	for _, key := range keys {
		if i.values > inspectValues {
			sh.entries = append(sh.entries, "...")
			return
		}
		v, accessor := i.own(o, key)
		text := ""
		if accessor {
			text = i.paint(styleSpecial, i.accessor(o, key))
		} else {
			text = i.nested(v, level)
		}
		sh.entries = append(sh.entries, i.keyText(o, key)+": "+text)
	}
}

func (i *inspector) keyText(o *goja.Object, key goja.Value) string {
	if symbol, ok := key.(*goja.Symbol); ok {
		return "[" + i.paint(styleSymbol, symbolText(symbol)) + "]"
	}
	text := shownString(clipped(key.(goja.String)))
	switch {
	case text == "__proto__":
		return "['__proto__']"
	case kindOf(o) == kindError && (text == "cause" || text == "errors"):
		return "[" + text + "]"
	case identifier().MatchString(text):
		return text
	}
	return i.paint(styleString, quote(text))
}

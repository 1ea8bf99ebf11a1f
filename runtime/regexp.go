package runtime

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/dop251/goja"

	"codemode/runtime/regex"
)

// Regular expressions are matched by package regex, whatever made them: the
// engine's literals are objects of its own class, and its RegExp is replaced, but
// what they match is decided here. The engine's own matching gives wrong answers
// without a sign; see README.md.

// regexps is what the engine needs for that.
type regexps struct {
	original  goja.Constructor // the engine's RegExp
	class     *goja.Object     // ours
	prototype *goja.Object
	exec      *goja.Object // ours
	source    goja.Callable
	flags     []regexpFlag

	hidden               goja.Value // a WeakMap from objects to their *regexpData
	hiddenGet, hiddenSet goja.Callable

	last     *goja.Object // the object that was used last, and what it is
	lastData *regexpData
	literals map[string]*regexpData // by source and flags
	copied   copiedText
	latest   latestMatch
}

// regexpFlag reads a flag of an object of the engine.
type regexpFlag struct {
	letter byte
	get    goja.Callable
}

// regexpData is what an object stands for.
type regexpData struct {
	program *regex.Program
	source  goja.Value // as it is shown
}

const maxLiterals = 1000

func (e *engine) defineRegExp() {
	original := e.object("RegExp")
	prototype := e.prototype("RegExp")
	r := &e.regexps
	r.prototype = prototype
	r.literals = map[string]*regexpData{}
	r.original, _ = goja.AssertConstructor(original)
	getter := func(name string) goja.Callable {
		d, _ := e.descriptorOf(prototype, jsString(name))
		return callable(d.Get("get"))
	}
	r.source = getter("source")
	for _, f := range []regexpFlag{{letter: 'g'}, {letter: 'i'}, {letter: 'm'}, {letter: 's'}, {letter: 'u'}, {letter: 'y'}} {
		f.get = getter(flagNames[f.letter])
		r.flags = append(r.flags, f)
	}
	weak := e.prototype("WeakMap")
	r.hiddenGet, r.hiddenSet = method(weak, "get"), method(weak, "set")
	r.hidden = must(e.New(e.Get("WeakMap")))

	r.class = e.ToValue(e.newRegExp).(*goja.Object)
	throw(r.class.DefineDataProperty("name", jsString("RegExp"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	throw(r.class.DefineDataProperty("length", e.ToValue(2), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	throw(r.class.DefineDataProperty("prototype", prototype, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	throw(r.class.DefineAccessorPropertySymbol(goja.SymSpecies, e.function("get [Symbol.species]", 0, func(c goja.FunctionCall) goja.Value { return c.This }), nil, goja.FLAG_TRUE, goja.FLAG_FALSE))
	e.hide(r.class, "escape", e.function("escape", 1, e.regexpEscape))
	e.hide(prototype, "constructor", r.class)
	e.global("RegExp", r.class)
	throw(prototype.Delete("compile"))

	r.exec = e.function("exec", 1, func(c goja.FunctionCall) goja.Value {
		o, data := e.regexpThis(c.This, "exec")
		return e.regexpExec(o, data, e.str(argument(c.Arguments, 0)))
	})
	e.hide(prototype, "exec", r.exec)
	e.hide(prototype, "test", e.function("test", 1, e.regexpTest))
	for symbol, f := range map[*goja.Symbol]*goja.Object{
		goja.SymMatch:   e.function("[Symbol.match]", 1, e.regexpMatch),
		goja.SymReplace: e.function("[Symbol.replace]", 2, e.regexpReplace),
		goja.SymSplit:   e.function("[Symbol.split]", 2, e.regexpSplit),
	} {
		throw(prototype.DefineDataPropertySymbol(symbol, f, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	e.defineRegExpGetters()
}

var flagNames = map[byte]string{
	'd': "hasIndices", 'g': "global", 'i': "ignoreCase", 'm': "multiline", 's': "dotAll", 'u': "unicode", 'v': "unicodeSets", 'y': "sticky",
}

// hide defines a member that is not enumerable, as those of built-ins are.
func (e *engine) hide(o *goja.Object, name string, v goja.Value) {
	throw(o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

func (e *engine) defineRegExpGetters() {
	define := func(name string, get func(c goja.FunctionCall) goja.Value) {
		throw(e.regexps.prototype.DefineAccessorProperty(name, e.function("get "+name, 0, get), nil, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	define("source", func(c goja.FunctionCall) goja.Value {
		if c.This == goja.Value(e.regexps.prototype) {
			return jsString("(?:)")
		}
		_, data := e.regexpThis(c.This, "source")
		return data.source
	})
	// The specification reads the flags of any object one by one.
	define("flags", func(c goja.FunctionCall) goja.Value {
		o, ok := c.This.(*goja.Object)
		if !ok {
			e.typeError("RegExp.prototype.flags getter called on non-object")
		}
		var flags []byte
		for _, letter := range []byte("dgimsuvy") {
			if v := o.Get(flagNames[letter]); v != nil && v.ToBoolean() {
				flags = append(flags, letter)
			}
		}
		return e.ToValue(string(flags))
	})
	for _, f := range []struct {
		name string
		of   func(*regex.Program) bool
	}{
		{"hasIndices", func(p *regex.Program) bool { return p.Indices }},
		{"unicodeSets", func(p *regex.Program) bool { return p.UnicodeSets }},
	} {
		define(f.name, func(c goja.FunctionCall) goja.Value {
			if c.This == goja.Value(e.regexps.prototype) {
				return goja.Undefined()
			}
			_, data := e.regexpThis(c.This, f.name)
			return e.ToValue(f.of(data.program))
		})
	}
}

// newRegExp is the constructor. The object is one of the engine's, of an empty
// pattern, so that the engine never compiles a pattern.
func (e *engine) newRegExp(c goja.ConstructorCall) *goja.Object {
	pattern, flags := c.Argument(0), c.Argument(1)
	object, isObject := pattern.(*goja.Object)
	isRegExp := false
	if isObject {
		isRegExp = kindOf(object) == kindRegExp
		if matcher := object.GetSymbol(goja.SymMatch); matcher != nil && !goja.IsUndefined(matcher) {
			isRegExp = matcher.ToBoolean()
		}
	}
	if isRegExp {
		if c.NewTarget == nil && goja.IsUndefined(flags) && object.Get("constructor") == goja.Value(e.regexps.class) {
			return object
		}
		if goja.IsUndefined(flags) {
			flags = object.Get("flags")
		}
		pattern = object.Get("source")
	}
	source, letters := jsString(""), ""
	if pattern != nil && !goja.IsUndefined(pattern) {
		source = e.str(pattern)
	}
	if flags != nil && !goja.IsUndefined(flags) {
		letters = e.str(flags).String()
	}
	data := e.regexpData(source.(goja.String), letters)
	var known []byte
	for _, letter := range []byte(data.program.Flags()) {
		if letter != 'd' && letter != 'v' {
			known = append(known, letter)
		}
	}
	target := c.NewTarget
	if target == nil {
		target = e.regexps.class
	}
	o, err := e.regexps.original(target, jsString("(?:)"), e.ToValue(string(known)))
	throw(err)
	e.hideData(o, data)
	return o
}

// regexpData compiles a pattern, or throws a SyntaxError.
func (e *engine) regexpData(source goja.String, flags string) *regexpData {
	units := unitsOf(source)
	key := flags + "/" + string(bytesOf(units))
	if data := e.regexps.literals[key]; data != nil {
		return data
	}
	program, err := regex.Compile(units, flags)
	if err != nil {
		message := err.Error()
		if message[0] != 'I' || len(message) < 13 || message[:13] != "Invalid flags" {
			message = fmt.Sprintf("Invalid regular expression: /%s/%s: %s", shownString(source), flags, message)
		}
		e.throwSyntaxError(shorten(message, 1000))
	}
	if len(e.regexps.literals) >= maxLiterals {
		clear(e.regexps.literals)
	}
	data := &regexpData{program: program, source: jsValue(shownSource(units))}
	e.regexps.literals[key] = data
	return data
}

// shownSource is a pattern as it is written between slashes.
func shownSource(units []uint16) []uint16 {
	if len(units) == 0 {
		return utf16Of("(?:)")
	}
	var out []uint16
	class := false
	for i := 0; i < len(units); i++ {
		u := units[i]
		switch {
		case u == '\\' && i+1 < len(units):
			if out = append(out, u); units[i+1] != '\n' && units[i+1] != '\r' {
				i++
				out = append(out, units[i])
				continue
			}
			out = out[:len(out)-1]
			continue
		case u == '[':
			class = true
		case u == ']':
			class = false
		case u == '/' && !class:
			out = append(out, '\\')
		case u == '\n':
			out, u = append(out, '\\'), 'n'
		case u == '\r':
			out, u = append(out, '\\'), 'r'
		case u == 0x2028 || u == 0x2029:
			out = append(out, utf16Of(fmt.Sprintf(`\u%04x`, u))...)
			continue
		}
		out = append(out, u)
	}
	return out
}

func (e *engine) hideData(o *goja.Object, data *regexpData) {
	_, err := e.regexps.hiddenSet(e.regexps.hidden, o, e.ToValue(data))
	throw(err)
}

// dataOf is what a regular expression stands for. One that the engine made of a
// literal is looked at when it is first used.
func (e *engine) dataOf(o *goja.Object) *regexpData {
	if o == e.regexps.last {
		return e.regexps.lastData
	}
	v, err := e.regexps.hiddenGet(e.regexps.hidden, o)
	throw(err)
	data, ok := v.Export().(*regexpData)
	if !ok {
		source, err := e.regexps.source(o)
		throw(err)
		var flags []byte
		for _, f := range e.regexps.flags {
			on, err := f.get(o)
			throw(err)
			if on.ToBoolean() {
				flags = append(flags, f.letter)
			}
		}
		data = e.regexpData(source.(goja.String), string(flags))
	}
	e.regexps.last, e.regexps.lastData = o, data
	return data
}

func (e *engine) regexpThis(this goja.Value, name string) (*goja.Object, *regexpData) {
	o, ok := this.(*goja.Object)
	if !ok || kindOf(o) != kindRegExp {
		e.typeError("RegExp.prototype.%s called on incompatible receiver", name)
	}
	return o, e.dataOf(o)
}

// regexp is a regular expression as it is written.
func (e *engine) regexp(o *goja.Object) string {
	data := e.dataOf(o)
	return "/" + shownString(data.source.(goja.String)) + "/" + data.program.Flags()
}

// copiedText is the text that had to be copied last.
type copiedText struct {
	of    goja.String
	units []uint16
}

// textOf gives the units of a string, as bytes where all are ASCII. They are the
// engine's own memory and only read.
func (e *engine) textUnits(s goja.String) (ascii []byte, wide []uint16) {
	switch v := reflect.ValueOf(s); v.Kind() {
	case reflect.String:
		text := v.String()
		return unsafe.Slice(unsafe.StringData(text), len(text)), nil
	case reflect.Slice:
		return nil, v.Convert(reflect.TypeFor[[]uint16]()).Interface().([]uint16)[1:] // after a byte order mark
	default: // a string that came from Go
		if e.regexps.copied.of != s {
			e.regexps.copied = copiedText{s, unitsOf(s)}
		}
		return nil, e.regexps.copied.units
	}
}

func unitsOf(s goja.String) []uint16 {
	units := make([]uint16, s.Length())
	for i := range units {
		units[i] = s.CharAt(i)
	}
	return units
}

func bytesOf(units []uint16) []byte {
	b := make([]byte, 0, len(units)*2)
	for _, u := range units {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

func jsValue(units []uint16) goja.Value { return goja.StringFromUTF16(units) }

package runtime

import (
	"errors"

	"github.com/dop251/goja"

	"codemode/runtime/regex"
)

// search finds a match at or after a position. The positions are -1 for groups
// that took no part.
func (e *engine) search(data *regexpData, s goja.String, at int, sticky bool) []int32 {
	ascii, wide := e.textUnits(s)
	var (
		found []int32
		err   error
	)
	if wide != nil {
		found, err = regex.Match(data.program, wide, at, sticky, &e.halting)
	} else {
		found, err = regex.Match(data.program, ascii, at, sticky, &e.halting)
	}
	switch {
	case errors.Is(err, regex.ErrStopped):
		panic(errStopping) // the engine is interrupted before the next instruction
	case err != nil:
		panic(must(e.New(e.rangeErrorClass, jsString(err.Error()))))
	}
	if found != nil {
		e.regexps.latest = latestMatch{s, found}
	}
	return found
}

// errStopping ends a built-in function of ours when the run is being stopped.
var errStopping = errors.New("the script is being stopped")

// lastIndex is where a search begins, and whether it is bound to that place. It
// is -1 when that lies behind the text.
func (e *engine) lastIndex(o *goja.Object, p *regex.Program, length int) (at int, moves bool) {
	v := o.Get("lastIndex")
	n := int64(0)
	if v != nil {
		n = max(v.ToInteger(), 0)
	}
	if !p.Global && !p.Sticky {
		return 0, false
	}
	if n > int64(length) {
		return -1, true
	}
	return int(n), true
}

func (e *engine) setLastIndex(o *goja.Object, n int) {
	throw(o.Set("lastIndex", n))
}

// find is one step of exec without its result.
func (e *engine) find(o *goja.Object, data *regexpData, s goja.String) []int32 {
	p := data.program
	at, moves := e.lastIndex(o, p, s.Length())
	var found []int32
	if at >= 0 {
		found = e.search(data, s, at, p.Sticky)
	}
	if moves {
		if found == nil {
			e.setLastIndex(o, 0)
		} else {
			e.setLastIndex(o, int(found[1]))
		}
	}
	return found
}

func (e *engine) regexpExec(o *goja.Object, data *regexpData, s goja.String) goja.Value {
	found := e.find(o, data, s)
	if found == nil {
		return goja.Null()
	}
	return e.matchArray(data.program, s, found)
}

func group(s goja.String, found []int32, n int) goja.Value {
	if found[n*2] < 0 {
		return goja.Undefined()
	}
	return s.Substring(int(found[n*2]), int(found[n*2+1]))
}

// matchArray is the result of exec.
func (e *engine) matchArray(p *regex.Program, s goja.String, found []int32) *goja.Object {
	items := make([]any, p.Groups)
	for n := range items {
		items[n] = group(s, found, n)
	}
	array := e.NewArray(items...)
	e.member(array, "index", e.ToValue(int64(found[0])))
	e.member(array, "input", s)
	e.member(array, "groups", e.groups(p, func(n int) goja.Value { return group(s, found, n) }, found))
	if p.Indices {
		pair := func(n int) goja.Value {
			if found[n*2] < 0 {
				return goja.Undefined()
			}
			return e.NewArray(int64(found[n*2]), int64(found[n*2+1]))
		}
		for n := range items {
			items[n] = pair(n)
		}
		indices := e.NewArray(items...)
		e.member(indices, "groups", e.groups(p, pair, found))
		e.member(array, "indices", indices)
	}
	return array
}

// groups is the object of the named groups, undefined when there are none.
func (e *engine) groups(p *regex.Program, value func(n int) goja.Value, found []int32) goja.Value {
	if len(p.Names) == 0 {
		return goja.Undefined()
	}
	groups := e.CreateObject(nil)
	for _, name := range p.Names {
		v := goja.Undefined()
		for _, n := range name.Groups {
			if found[n*2] >= 0 {
				v = value(n)
			}
		}
		e.member(groups, name.Name, v)
	}
	return groups
}

// own reports whether a regular expression matches in our way: exec is ours.
func (e *engine) ownExec(o *goja.Object) bool {
	return kindOf(o) == kindRegExp && o.Get("exec") == goja.Value(e.regexps.exec)
}

// foreignExec is one step with an exec that the script has put in place.
func (e *engine) foreignExec(o *goja.Object, s goja.String) *goja.Object {
	exec, ok := goja.AssertFunction(o.Get("exec"))
	if !ok {
		if kindOf(o) != kindRegExp {
			e.typeError("the object has no exec function")
		}
		result, _ := e.regexpExec(o, e.dataOf(o), s).(*goja.Object)
		return result
	}
	v, err := exec(o, s)
	throw(err)
	result, ok := v.(*goja.Object)
	if !ok && !goja.IsNull(v) {
		e.typeError("exec must return an object or null")
	}
	return result
}

func (e *engine) regexpObject(this goja.Value, name string) *goja.Object {
	o, ok := this.(*goja.Object)
	if !ok {
		e.typeError("RegExp.prototype.%s called on a value that is no object", name)
	}
	return o
}

func (e *engine) regexpTest(c goja.FunctionCall) goja.Value {
	o, s := e.regexpObject(c.This, "test"), e.str(argument(c.Arguments, 0))
	if e.ownExec(o) {
		return e.ToValue(e.find(o, e.dataOf(o), s) != nil)
	}
	return e.ToValue(e.foreignExec(o, s) != nil)
}

// all finds every match of a global expression, or the first of another.
func (e *engine) all(o *goja.Object, s goja.String, each func(found []int32)) {
	data := e.dataOf(o)
	p := data.program
	if !p.Global {
		if found := e.find(o, data, s); found != nil {
			each(found)
		}
		return
	}
	e.setLastIndex(o, 0)
	for at := 0; at <= s.Length(); {
		found := e.search(data, s, at, p.Sticky)
		if found == nil {
			break
		}
		each(found)
		if at = int(found[1]); found[0] == found[1] {
			at = advance(p, s, at)
		}
	}
}

// advance goes to the next character.
func advance(p *regex.Program, s goja.String, at int) int {
	if (p.Unicode || p.UnicodeSets) && at+1 < s.Length() && s.CharAt(at)&0xfc00 == 0xd800 && s.CharAt(at+1)&0xfc00 == 0xdc00 {
		return at + 2
	}
	return at + 1
}

func (e *engine) regexpMatch(c goja.FunctionCall) goja.Value {
	o, s := e.regexpObject(c.This, "[Symbol.match]"), e.str(argument(c.Arguments, 0))
	if !e.ownExec(o) {
		return e.foreignMatch(o, s)
	}
	data := e.dataOf(o)
	if !data.program.Global {
		return e.regexpExec(o, data, s)
	}
	var matches []any
	e.all(o, s, func(found []int32) { matches = append(matches, group(s, found, 0)) })
	if matches == nil {
		return goja.Null()
	}
	return e.NewArray(matches...)
}

package runtime

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"codemode/ops/plain"

	"github.com/dop251/goja"
)

// Limits of an argument.
const (
	maxArgDepth   = 16
	maxArgMembers = 100_000
	maxArgBytes   = 4 << 20
)

// snapshot copies a value out of the engine, once, as JSON. It takes only what
// cannot change or act while it is read: primitives, and the own enumerable data
// members of ordinary objects and arrays. Nothing of the script runs meanwhile:
// no getter (an accessor is refused), no Proxy trap, no toJSON, no toString. The
// problem is the first thing that is no plain data; the JSON then lacks it.
func (e *engine) snapshot(v goja.Value) (json []byte, problem string) {
	s := snapshotter{engine: e, out: make([]byte, 0, 64)}
	s.value(v)
	s.tooLarge()
	if s.full {
		return nil, s.problem
	}
	return s.out, s.problem
}

type snapshotter struct {
	*engine
	out     []byte
	path    []step // to the value being read
	open    []*goja.Object
	members int
	looked  bool // nothing of the script runs meanwhile: once is enough
	problem string
	full    bool // a limit was reached: nothing more is read
}

// A step leads to a member of an object, or of an array where index is not negative.
type step struct {
	name  string
	index int64
}

// where is the path in the words of a message.
func (s *snapshotter) where() string {
	var path strings.Builder
	for _, step := range s.path {
		switch {
		case step.index >= 0:
			path.WriteString("[" + strconv.FormatInt(step.index, 10) + "]")
		case len(step.name) <= 100 && identifier().MatchString(step.name):
			path.WriteString("." + step.name)
		default:
			path.WriteString("[" + quote(shorten(step.name, 100)) + "]")
		}
	}
	if path.Len() == 0 {
		return "the argument"
	}
	return strings.TrimPrefix(path.String(), ".")
}

// refuse notes a problem with the value being read and stands null in for it.
func (s *snapshotter) refuse(format string, args ...any) {
	if s.problem == "" {
		s.problem = s.where() + " " + fmt.Sprintf(format, args...)
	}
	s.out = append(s.out, "null"...)
}

// limit notes that a limit was reached.
func (s *snapshotter) limit(format string, args ...any) {
	s.refuse(format, args...)
	s.full = true
}

func (s *snapshotter) value(v goja.Value) {
	if s.full {
		return
	}
	if s.tooLarge() {
		return
	}
	switch v := v.(type) {
	case nil:
		s.refuse("is undefined")
	case goja.String:
		s.string(v)
	case *goja.Symbol:
		s.refuse("is a symbol; pass plain data")
	case *goja.Object:
		s.object(v)
	default:
		s.primitive(v)
	}
}

func (s *snapshotter) tooLarge() bool {
	if len(s.out) <= maxArgBytes {
		return false
	}
	s.full = true
	if s.problem == "" {
		s.problem = fmt.Sprintf("the argument has more than %d bytes", maxArgBytes)
	}
	return true
}

func (s *snapshotter) primitive(v goja.Value) {
	switch {
	case goja.IsUndefined(v):
		s.refuse("is undefined")
	case goja.IsNull(v):
		s.out = append(s.out, "null"...)
	case goja.IsBigInt(v):
		s.refuse("is a BigInt; pass a number")
	case goja.IsNumber(v):
		if f := v.ToFloat(); math.IsNaN(f) || math.IsInf(f, 0) {
			s.refuse("is %s; pass a finite number", v.String())
			return
		}
		s.out = append(s.out, v.String()...)
	default:
		s.out = strconv.AppendBool(s.out, v.ToBoolean())
	}
}

func (s *snapshotter) string(v goja.String) {
	if v.Length() > maxArgBytes {
		s.limit("has more than %d characters", maxArgBytes)
		return
	}
	text, ok := goString(v)
	if !ok {
		s.refuse("has a lone surrogate that spells no byte of a file name")
		return
	}
	s.out = plain.AppendString(s.out, text)
}

func (s *snapshotter) object(o *goja.Object) {
	k := s.plainKind(o)
	if k != kindObject && k != kindArray {
		s.refuse("is %s; pass %s", article(k), insteadOf(k))
		return
	}
	if len(s.open) >= maxArgDepth {
		s.limit("is nested deeper than %d levels", maxArgDepth)
		return
	}
	for _, outer := range s.open {
		if outer == o {
			s.refuse("is cyclic: it contains itself")
			return
		}
	}
	s.open = append(s.open, o)
	if k == kindArray {
		s.array(o)
	} else {
		s.record(o)
	}
	s.open = s.open[:len(s.open)-1]
}

// count takes n more members, if the limit allows.
func (s *snapshotter) count(n int64) bool {
	if n > maxArgMembers || s.members+int(n) > maxArgMembers {
		s.limit("has more than %d members", maxArgMembers)
		return false
	}
	s.members += int(n)
	return true
}

func (s *snapshotter) array(o *goja.Object) {
	length := o.Get("length").ToInteger() // always an own data member
	if !s.count(length) {
		return
	}
	s.out = append(s.out, '[')
	for i := int64(0); i < length && !s.full; i++ {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		s.path = append(s.path, step{index: i})
		s.data(o, s.ToValue(i), true)
		s.path = s.path[:len(s.path)-1]
	}
	s.out = append(s.out, ']')
}

func (s *snapshotter) record(o *goja.Object) {
	keys := s.keys(o)
	if !s.count(int64(len(keys))) {
		return
	}
	s.out = append(s.out, '{')
	start := len(s.out)
	for _, key := range keys {
		if s.full {
			break
		}
		before := len(s.out)
		if before > start {
			s.out = append(s.out, ',')
		}
		name, ok := goString(key)
		s.path = append(s.path, step{name: name, index: -1})
		if !ok {
			s.refuse("has a name with a lone surrogate that spells no byte of a file name")
			s.out = s.out[:before]
		} else {
			s.out = plain.AppendString(s.out, name)
			s.out = append(s.out, ':')
			if !s.data(o, key, false) {
				s.out = s.out[:before]
			}
		}
		s.path = s.path[:len(s.path)-1]
	}
	s.out = append(s.out, '}')
}

// data reads one own member. It reports whether there is one to write: in an
// object, unlike a list, an undefined member counts as absent.
func (s *snapshotter) data(o *goja.Object, key goja.Value, list bool) bool {
	if !s.looked {
		s.look()
		s.looked = true
	}
	if s.pollutedPrototype {
		s.problem, s.full = "the argument cannot be read safely: Object.prototype was given a member named value, get, set, writable, enumerable or configurable; remove it", true
		return false
	}
	v, accessor := s.own(o, key)
	switch {
	case accessor:
		s.refuse("is a getter; pass plain data")
	case v == nil || goja.IsUndefined(v):
		if !list {
			return false
		}
		s.refuse("is undefined")
	default:
		s.value(v)
	}
	return true
}

// look finds out whether Object.prototype has members with the names of those of
// a property descriptor. The engine assigns the members of a descriptor that it
// makes, so that setters there would run. Whoever uses own looks first.
func (e *engine) look() {
	e.pollutedPrototype = false
	for _, arguments := range e.disturbing {
		if e.has(goja.FunctionCall{Arguments: arguments}).ToBoolean() {
			e.pollutedPrototype = true
		}
	}
}

// own reads an own member of an object that is no Proxy, without running a
// getter. The value is nil when there is no such member, or it is an accessor.
// With a polluted prototype there are no descriptors to be had: it then reads
// the member once, whatever it is.
func (e *engine) own(o *goja.Object, key goja.Value) (v goja.Value, accessor bool) {
	if e.pollutedPrototype {
		has, err := e.hasOwn(o, key)
		throw(err)
		if !has.ToBoolean() {
			return nil, false
		}
		v, err = e.get(goja.Undefined(), o, key)
		throw(err)
		return v, false
	}
	descriptor, ok := e.descriptorOf(o, key)
	if !ok {
		return nil, false
	}
	throw(descriptor.SetPrototype(nil))
	if v := descriptor.Get("value"); v != nil {
		return v, false
	}
	return nil, true
}

// descriptorOf describes an own member of an object, if there is one.
func (e *engine) descriptorOf(o *goja.Object, key goja.Value) (descriptor *goja.Object, ok bool) {
	descriptor, ok = e.descriptor(goja.FunctionCall{Arguments: []goja.Value{o, key}}).(*goja.Object)
	return descriptor, ok
}

// keys lists the own enumerable string keys of an object that is no Proxy.
func (e *engine) keys(o *goja.Object) []goja.String {
	names := o.Keys()
	keys := make([]goja.String, 0, len(names))
	for _, name := range names {
		if strings.Contains(name, "\ufffd") {
			return e.exactKeys(o)
		}
		keys = append(keys, jsString(name).(goja.String))
	}
	return keys
}

// exactKeys is keys for names with lone surrogates, which do not survive the
// engine's Go interface.
func (e *engine) exactKeys(o *goja.Object) []goja.String {
	list, err := e.ownKeys(goja.Undefined(), o)
	throw(err)
	all := list.(*goja.Object)
	var keys []goja.String
	for i := int64(0); i < all.Get("length").ToInteger(); i++ {
		key, _ := e.own(all, e.ToValue(i))
		name, ok := key.(goja.String)
		if !ok {
			continue
		}
		enumerable, err := e.isEnumerable(o, name)
		throw(err)
		if enumerable.ToBoolean() {
			keys = append(keys, name)
		}
	}
	return keys
}

// article names a kind of object, for messages.
func article(k kind) string {
	switch k {
	case kindString, kindNumber, kindBoolean, kindSymbol, kindBigInt, kindError, kindArguments:
		k += " object"
	case kindFunction:
		return "a function"
	}
	if strings.Contains("aAEIOU", string(k[:1])) {
		return "an " + string(k)
	}
	return "a " + string(k)
}

func insteadOf(k kind) string {
	switch k {
	case kindString:
		return "a plain string"
	case kindNumber:
		return "a plain number"
	case kindBoolean:
		return "true or false"
	case kindPromise:
		return "its awaited value (is an await missing?)"
	case kindRegExp:
		return "its source as a string, with regex: true where there is such an argument"
	}
	return "plain data"
}

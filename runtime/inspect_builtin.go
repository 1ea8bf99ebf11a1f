package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// How objects of built-in classes are shown that are neither data nor containers
// of it.

// builtinShape shows views of buffers, and iterators by what they have left.
func (i *inspector) builtinShape(o *goja.Object, constructor, tag string, keys []goja.Value, sh shape) (shape, func(*shape, int), bool) {
	if constructor == "DataView" {
		sh.left = "DataView {"
		return sh, func(sh *shape, level int) {
			for _, name := range []string{"byteLength", "byteOffset", "buffer"} {
				if v := o.Get(name); v != nil {
					sh.entries = append(sh.entries, name+": "+i.nested(v, level))
				}
			}
			i.properties(sh, o, keys, level)
		}, true
	}
	return sh, nil, false
}

// bytes writes the first bytes of a buffer.
func (i *inspector) bytes(bytes []byte, most int) string {
	text := fmt.Sprintf("% x", bytes[:min(len(bytes), most)])
	if rest := len(bytes) - most; rest > 0 {
		text += fmt.Sprintf(" ... %d more byte%s", rest, plural(rest))
	}
	return text
}

func (i *inspector) buffer(o *goja.Object, length int) string {
	bytes, _ := o.Export().([]byte)
	return "<Buffer " + i.bytes(bytes[:min(length, len(bytes))], min(50, i.items)) + ">"
}

// typedClass is the name of the typed array that o is, whatever class extends it.
func (i *inspector) typedClass(o *goja.Object) string {
	name := ""
	for p := o.Prototype(); p != nil && !isProxy(p); p = p.Prototype() {
		v, _ := i.own(p, jsString("constructor"))
		f, _ := v.(*goja.Object)
		if f = behindProxies(f); f == nil || i.functionName(f) == "TypedArray" {
			break
		}
		name = i.functionName(f)
	}
	return name
}

// accessor names a member that has no value of its own.
func (i *inspector) accessor(o *goja.Object, key goja.Value) string {
	descriptor, ok := i.descriptorOf(o, key)
	if !ok {
		return "[Getter]"
	}
	has := func(name string) bool {
		v, _ := i.own(descriptor, jsString(name))
		return v != nil && !goja.IsUndefined(v)
	}
	switch {
	case has("get") && has("set"):
		return "[Getter/Setter]"
	case has("set"):
		return "[Setter]"
	}
	return "[Getter]"
}

// ownTag reports whether a toStringTag is among the members that are listed
// anyhow.
func (i *inspector) ownTag(o *goja.Object) bool {
	return slices.ContainsFunc(o.Symbols(), func(s *goja.Symbol) bool { return s == goja.SymToStringTag })
}

// instanceOf reports whether the prototype of f is one of those of o.
func (e *engine) instanceOf(o, f *goja.Object) bool {
	v, _ := e.own(f, jsString("prototype"))
	prototype, ok := v.(*goja.Object)
	for p := o.Prototype(); ok && p != nil; p = p.Prototype() {
		if p == prototype {
			return true
		}
		if isProxy(p) {
			break
		}
	}
	return false
}

func sortedKeys(keys []goja.Value) []goja.Value {
	return slices.SortedStableFunc(slices.Values(keys), func(a, b goja.Value) int { return cmp.Compare(a.String(), b.String()) })
}

// errorText is the stack of an Error, headed by what it is now.
func (i *inspector) errorText(o *goja.Object) string {
	v, _ := i.own(o, jsString("stack"))
	stack, ok := v.(goja.String)
	if !ok {
		name, message := i.dataText(o, "name"), i.dataText(o, "message")
		if name != "" && message != "" {
			name += ": "
		}
		return cmp.Or(name+message, "Error")
	}
	head, frames := i.stackLines(shownString(clipped(stack)))
	return strings.Join(append([]string{i.classed(o, head)}, frames...), "\n")
}

// classed names the class of an Error whose own name does not.
func (i *inspector) classed(o *goja.Object, head string) string {
	name := i.dataText(o, "name")
	constructor, _ := i.lineage(o)
	rest, ok := strings.CutPrefix(head, name)
	if !ok || !strings.HasSuffix(name, "Error") || constructor == "" || constructor == name || rest != "" && rest[0] != ':' && rest[0] != '\n' {
		return head
	}
	if strings.Contains(constructor, name) {
		return constructor + rest
	}
	return constructor + " [" + name + "]" + rest
}

// dataText is a member that is a string and no getter, of o or its prototypes.
func (i *inspector) dataText(o *goja.Object, name string) string {
	for p := o; p != nil && !isProxy(p); p = p.Prototype() {
		if v, accessor := i.own(p, jsString(name)); v != nil || accessor {
			text, _ := v.(goja.String)
			if text == nil {
				return ""
			}
			return shownString(clipped(text))
		}
	}
	return ""
}

// saidBy reports whether a member of an Error is one that its stack has shown.
func (i *inspector) saidBy(o *goja.Object, key goja.Value, stack string) bool {
	name, ok := key.(goja.String)
	if !ok {
		return false
	}
	switch name.String() {
	case "name", "message", "stack":
		v, _ := i.own(o, key)
		text, ok := v.(goja.String)
		return ok && strings.Contains(stack, shownString(clipped(text)))
	}
	return false
}

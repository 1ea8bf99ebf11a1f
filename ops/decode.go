package ops

import (
	"sort"
	"strings"

	"codemode/ops/plain"
)

// Decode reads the arguments of a call from JSON. It is as strict as it can
// be: an unknown, missing, duplicate or wrongly typed field is
// INVALID_ARGUMENTS, and nothing is converted but the strings "true" and "false"
// where the contract says so. Move also takes the parameters
// src, dst, overwrite, create_dirs and delete.
func Decode(op Operation, args []byte) (Request, error) {
	req := Request{Operation: op}
	f, err := fieldsOf(string(op), args)
	if err != nil {
		return req, err
	}
	if op == Move && f.has("src", "dst", "create_dirs", "delete") {
		return decodeSandboxMove(f)
	}
	req.Path = f.text("path", required)
	switch op {
	case Write:
		decodeWrite(f, &req)
	case Edit:
		req.Edits = decodeEdits(f)
	case Mkdir:
		req.Overwrite = f.overwriting()
		if create, given := f.boolean("create_dirs", lenient); given {
			req.ParentsExist = !create
		}
	case Copy, Move:
		req.Target = f.text("target", required)
		req.Overwrite = f.overwriting()
	}
	if err := f.done(); err != nil {
		return req, err
	}
	return req, req.check()
}

// decodeSandboxMove reads the second parameter set of move.
func decodeSandboxMove(f *fields) (Request, error) {
	req := Request{Operation: Move, ReadFirst: true, Overwrite: OverwriteNothing, ParentsExist: true}
	if f.has("path", "target") {
		return req, refuse(InvalidArguments, "move takes either {path, target} or {src, dst}, not a mixture")
	}
	req.Path = f.text("src", required)
	f.dropNull("dst")
	req.Target = f.text("dst", optional)
	hasTarget := f.has("dst")
	if overwrite, _ := f.boolean("overwrite", lenient); overwrite {
		req.Overwrite = OverwriteAny
	}
	if create, _ := f.boolean("create_dirs", lenient); create {
		req.ParentsExist = false
	}
	remove, _ := f.boolean("delete", lenient)
	if err := f.done(); err != nil {
		return req, err
	}
	switch {
	case hasTarget && remove:
		return req, refuse(InvalidArguments, "dst and delete: true contradict each other; leave one out")
	case remove:
		req = Request{Operation: Delete, Path: req.Path}
	case !hasTarget:
		return req, refuse(InvalidArguments, "dst is missing: name the new path, or confirm that src is to be deleted with delete: true")
	}
	return req, req.check()
}

func (f *fields) overwriting() Overwriting {
	overwrite, given := f.boolean("overwrite", strict)
	switch {
	case !given:
		return OverwriteOthers
	case overwrite:
		return OverwriteAny
	}
	return OverwriteNothing
}

const (
	required = true
	optional = false
	strict   = true  // booleans only
	lenient  = false // also the strings "true" and "false", which models send
)

// fields takes the members of an argument object one by one and remembers the
// first thing that is wrong.
type fields struct {
	tool  string
	left  map[string]any
	known []string
	err   error
}

func fieldsOf(tool string, args []byte) (*fields, error) {
	v, err := plain.Parse(args)
	if err != nil {
		return nil, refuse(InvalidArguments, "arguments of %s: %v", tool, err)
	}
	obj, ok := v.(*plain.Object)
	if !ok {
		return nil, refuse(InvalidArguments, "%s takes one object with named arguments, such as %s, got %s", tool, example(tool), plain.KindOf(v))
	}
	return fieldsIn(tool, obj), nil
}

// example is what the arguments of a tool look like.
func example(tool string) string {
	switch tool {
	case "copy", "move":
		return `{path: "a", target: "b"}`
	case "write":
		return `{path: "a", text: "b"}`
	case "edit":
		return `{path: "a", edits: [{find: "b", replace: "c"}]}`
	case "glob", "search":
		return `{pattern: "a"}`
	}
	return `{path: "a"}`
}

func fieldsIn(tool string, obj *plain.Object) *fields {
	f := &fields{tool: tool, left: map[string]any{}}
	for _, m := range obj.Members {
		f.left[m.Name] = m.Value
	}
	return f
}

func (f *fields) has(names ...string) bool {
	for _, name := range names {
		if _, ok := f.left[name]; ok {
			return true
		}
	}
	return false
}

func (f *fields) dropNull(name string) {
	if v, ok := f.left[name]; ok && v == nil {
		delete(f.left, name)
		f.known = append(f.known, name)
	}
}

func (f *fields) take(name string) (any, bool) {
	f.known = append(f.known, name)
	v, ok := f.left[name]
	return v, ok
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = refuse(InvalidArguments, format, args...)
	}
}

func (f *fields) text(name string, must bool) string {
	v, ok := f.take(name)
	if !ok {
		if must {
			f.fail("%s needs %s, a string", f.tool, name)
		}
		return ""
	}
	s, ok := v.(string)
	if !ok {
		hint := "make one call for each object"
		if _, isObject := v.(*plain.Object); isObject {
			hint = "of an entry pass its path"
		}
		f.fail("%s must be a string, got %s; %s", name, plain.KindOf(v), hint)
	}
	if s == "" && ok && !must {
		f.fail("%s is an empty string", name)
	}
	return s
}

func (f *fields) boolean(name string, only bool) (value, given bool) {
	v, ok := f.take(name)
	if !ok {
		return false, false
	}
	if s, isText := v.(string); isText && !only {
		switch s {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	}
	b, ok := v.(bool)
	if !ok {
		f.fail("%s must be true or false, got %s", name, plain.KindOf(v))
	}
	return b, true
}

// number reads a whole number of at least low.
func (f *fields) number(name string, low, otherwise int64) int64 {
	v, ok := f.take(name)
	if !ok {
		return otherwise
	}
	n, ok := v.(plain.Number)
	whole, exact := n.Int64()
	if !ok || !exact || whole < low {
		f.fail("%s must be a whole number of at least %d", name, low)
		return otherwise
	}
	return whole
}

// done reports what was wrong, or a field that nobody asked for.
func (f *fields) done() error {
	for _, name := range f.known {
		delete(f.left, name)
	}
	if len(f.left) == 0 {
		return f.err
	}
	var unknown []string
	for name := range f.left {
		unknown = append(unknown, show(name))
	}
	sort.Strings(unknown)
	first := ""
	if f.err != nil {
		first = f.err.Error() + "; "
	}
	return refuse(InvalidArguments, "%s%s knows no argument %s, it takes %s", first, f.tool, strings.Join(unknown, ", "), strings.Join(f.known, ", "))
}

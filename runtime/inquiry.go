package runtime

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"codemode/ops/plain"
)

// An Inquiry is a question that a prompt has while input is being typed. Its
// answer runs nothing of the script: no getter, no Proxy, no tool.
type Inquiry string

const (
	// InquireWhole asks whether the source is a script: [Report.Error] says what
	// is wrong with it, and [Report.Incomplete] that more lines could mend it.
	InquireWhole Inquiry = "whole"

	// InquireMembers asks what the members of a value are. The source is its name:
	// a global name and names of members, with dots between them; empty, it is the
	// global object. The report's value is a list of [Member], by the objects that
	// have them, nearest first; it is empty where there is no such value.
	InquireMembers Inquiry = "members"
)

// A Member is a property of a value, its own or inherited.
type Member struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`  // typeof its value, "class", or "accessor"
	Depth int    `json:"depth"` // 0: the value's own; 1: of its prototype; …
}

const (
	maxInquiry = 16 // the longest kind
	maxMembers = 5000
)

// inquire answers for the members of a value.
func (s *sandbox) inquire() (o outcome) {
	err := s.prepare()
	if err == nil {
		err = s.visit(func() { o.Value = appendMembers(nil, s.members(s.job.Script.Source)) })
	}
	if err != nil {
		return outcome{Err: s.explain(err)}
	}
	return o
}

// members lists what can follow a name.
func (s *sandbox) members(name string) []Member {
	var value goja.Value = s.GlobalObject()
	if name != "" {
		for _, part := range strings.Split(name, ".") {
			if value = s.read(value, part); value == nil {
				return nil
			}
		}
	}
	return s.allMembers(value)
}

// read is the value of a member, or nil if there is none that can be read
// without running something.
func (s *sandbox) read(of goja.Value, name string) goja.Value {
	for o, depth := s.holder(of), 0; o != nil && !isProxy(o) && depth < maxPrototypes; o, depth = o.Prototype(), depth+1 {
		if v, accessor := s.own(o, jsString(name)); accessor {
			return nil
		} else if v != nil {
			return v
		}
	}
	return nil
}

// maxPrototypes bounds how far up a member is looked for.
const maxPrototypes = 32

// holder is the object that has the members of a value.
func (s *sandbox) holder(v goja.Value) *goja.Object {
	if o, ok := v.(*goja.Object); ok {
		return o
	}
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return nil
	}
	return v.ToObject(s.Runtime)
}

func (s *sandbox) allMembers(v goja.Value) []Member {
	var list []Member
	seen := map[string]bool{}
	for o, depth := s.holder(v), 0; o != nil && !isProxy(o) && depth < maxPrototypes; o, depth = o.Prototype(), depth+1 {
		for _, name := range s.memberNames(o) {
			if len(list) == maxMembers {
				return list
			}
			if !seen[name] {
				seen[name] = true
				value, accessor := s.own(o, jsString(name))
				list = append(list, Member{Name: name, Kind: s.memberKind(value, accessor), Depth: depth})
			}
		}
	}
	return list
}

var dotName = onDemand(`^[\p{L}_$][\p{L}\p{N}_$]*$`)

// memberNames are the names of an object's own members that can be written
// behind a dot, sorted.
func (s *sandbox) memberNames(o *goja.Object) []string {
	if k := kindOf(o); k == kindTypedArray || k == kindArray && o.Get("length").ToInteger() > maxMembers {
		return nil // nothing but elements, as a rule
	}
	var names []string
	for _, name := range o.GetOwnPropertyNames() {
		if dotName().MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *sandbox) memberKind(v goja.Value, accessor bool) string {
	if accessor {
		return "accessor"
	}
	switch v := v.(type) {
	case *goja.Object:
		switch {
		case isProxy(v) || kindOf(v) != kindFunction:
			return "object"
		case v.ExportType() == classType:
			return "class"
		}
		return "function"
	case goja.String:
		return "string"
	case *goja.Symbol:
		return "symbol"
	}
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	case goja.IsBigInt(v):
		return "bigint"
	case goja.IsNumber(v):
		return "number"
	}
	return "boolean"
}

func appendMembers(dst []byte, list []Member) []byte {
	dst = append(dst, '[')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = plain.AppendString(append(dst, `{"name":`...), m.Name)
		dst = plain.AppendString(append(dst, `,"kind":`...), m.Kind)
		dst = strconv.AppendInt(append(dst, `,"depth":`...), int64(m.Depth), 10)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

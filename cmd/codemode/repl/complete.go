package repl

import (
	"slices"
	"sort"
	"strings"
)

// A Candidate is one way to go on.
type Candidate struct {
	Show  string // as it is listed
	Rest  string // what it adds to what is there
	About string
	Group string
}

// A Member is a property of a value, with typeof what it holds.
type Member struct{ Name, Kind string }

// An Entry is an object in a directory.
type Entry struct {
	Name      string
	Directory bool
}

// A World is what there is to go on with. None of its methods runs anything of
// what was typed.
type World interface {
	// Members lists the members of a value, named like a.b.0; "" is the global
	// object. The nearest come first.
	Members(of string) []Member
	// Entries lists a directory.
	Entries(path string) []Entry
}

// A DotCommand is a command of the prompt.
type DotCommand struct {
	Name, Argument, About string
}

// A Language is what completion, hints and colours know beforehand.
type Language struct {
	Tools    []Signature
	Commands []DotCommand
}

func (l Language) tool(name string) (Signature, bool) {
	for _, s := range l.Tools {
		if s.Tool == name {
			return s, true
		}
	}
	return Signature{}, false
}

// maxCandidates is how many are offered; more help nobody.
const maxCandidates = 300

// Complete lists how input can go on from its end.
func (l Language) Complete(input string, w World) []Candidate {
	p := placeOf(input)
	var list []Candidate
	switch p.kind {
	case atCommand:
		list = l.commands(p)
	case atFile:
		if c, ok := l.command(p.of); ok && strings.Contains(c.Argument, "FILE") {
			list = paths(p.prefix, 0, w)
		}
	case atString:
		list = l.strings(p, w)
	case atArgument:
		list = l.arguments(p)
	case atMember:
		list = l.members(p, w)
	case atGlobal:
		list = l.globals(p, w)
	}
	return list[:min(len(list), maxCandidates)]
}

func (l Language) command(name string) (DotCommand, bool) {
	for _, c := range l.Commands {
		if c.Name == name {
			return c, true
		}
	}
	return DotCommand{}, false
}

func (l Language) commands(p place) (list []Candidate) {
	for _, c := range l.Commands {
		if rest, ok := strings.CutPrefix(c.Name, p.prefix); ok {
			if c.Argument != "" {
				rest += " "
			}
			list = append(list, Candidate{Show: "." + c.Name, Rest: rest, About: c.About})
		}
	}
	return list
}

func (l Language) arguments(p place) (list []Candidate) {
	s, _ := l.tool(p.tool)
	sets := s.set(p.given)
	if len(p.given) == 0 {
		sets = append(slices.Clone(sets), s.Other...)
	}
	seen := map[string]bool{}
	for _, a := range sets {
		rest, ok := strings.CutPrefix(a.Name, p.prefix)
		if !ok || seen[a.Name] || slices.Contains(p.given, a.Name) {
			continue
		}
		seen[a.Name] = true
		list = append(list, Candidate{Show: a.Name, Rest: rest + ": ", About: a.About})
	}
	return list
}

func (l Language) strings(p place, w World) (list []Candidate) {
	if s, ok := l.tool(p.tool); ok && p.key != "" {
		a, _ := s.parameter(p.key)
		for _, v := range a.Values {
			if rest, ok := strings.CutPrefix(v, p.prefix); ok {
				list = append(list, Candidate{Show: v, Rest: rest + string(p.quote)})
			}
		}
		if !a.isPath() {
			return list
		}
	}
	return paths(p.prefix, p.quote, w)
}

// paths lists what a path can go on with. It is written in quotes, or without
// any where the quote is 0.
func paths(written string, quote byte, w World) (list []Candidate) {
	path := written
	if quote != 0 {
		var ok bool
		if path, ok = unescaped(written); !ok {
			return nil
		}
	}
	dir, base := ".", path
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		dir, base = path[:at+1], path[at+1:]
	}
	for _, e := range w.Entries(dir) {
		rest, ok := strings.CutPrefix(e.Name, base)
		if !ok || base == "" && strings.HasPrefix(e.Name, ".") {
			continue
		}
		show := e.Name
		if quote != 0 {
			rest = escaped(rest, quote)
		}
		switch {
		case e.Directory:
			show, rest = show+"/", rest+"/"
		case quote != 0:
			rest += string(quote)
		}
		list = append(list, Candidate{Show: escaped(show, 0), Rest: rest})
	}
	return list
}

func (l Language) members(p place, w World) (list []Candidate) {
	for _, m := range w.Members(p.of) {
		rest, ok := strings.CutPrefix(m.Name, p.prefix)
		if !ok || p.prefix == "" && strings.HasPrefix(m.Name, "__") {
			continue
		}
		c := Candidate{Show: m.Name, Rest: rest}
		if m.Kind == "function" {
			c.Show += "()"
		}
		if s, ok := l.tool(m.Name); ok && p.of == "tools" {
			c.Show, c.About, c.Rest = m.Name, s.About, rest+"({"
		}
		list = append(list, c)
	}
	return list
}

func (l Language) globals(p place, w World) []Candidate {
	list := l.members(place{prefix: p.prefix}, w)
	if p.prefix == "" {
		return list
	}
	var more []string
	for w := range keywords {
		more = append(more, w)
	}
	for w := range constants {
		more = append(more, w)
	}
	sort.Strings(more)
	for _, w := range more {
		known := slices.ContainsFunc(list, func(c Candidate) bool { return c.Show == w })
		if rest, ok := strings.CutPrefix(w, p.prefix); ok && !known {
			list = append(list, Candidate{Show: w, Rest: rest})
		}
	}
	return list
}

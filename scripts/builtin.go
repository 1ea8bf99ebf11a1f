package scripts

import (
	"io/fs"
	"slices"
	"strings"
)

// Script is a built-in script.
type Script struct {
	Name    string `json:"name"` // without @ and ending
	Summary string `json:"summary"`
	File    string `json:"-"` // in [Files]
	Source  string `json:"-"`
}

// All returns the built-in scripts, sorted by name. The demonstration is none:
// it fits only the tree that it is made for.
func All() []Script {
	entries, err := fs.ReadDir(Files, ".")
	if err != nil {
		panic(err) // an embedded directory can be read
	}
	var all []Script
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".js")
		if !ok || name == "demo" {
			continue
		}
		source, err := Files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		all = append(all, Script{Name: name, Summary: summary(string(source)), File: e.Name(), Source: string(source)})
	}
	slices.SortFunc(all, func(a, b Script) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Named returns the built-in script of that name.
func Named(name string) (Script, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Script{}, false
}

// summary is the first sentence of a script's header.
func summary(source string) string {
	line, _, _ := strings.Cut(source, "\n")
	return strings.TrimSuffix(strings.TrimPrefix(line, "// "), ".")
}

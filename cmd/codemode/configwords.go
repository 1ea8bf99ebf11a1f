package main

import (
	"strings"

	"github.com/pelletier/go-toml/v2"

	"codemode/ops/policy"
)

// How errors in a configuration are worded: in the terms of the file, not in
// those of the structures that it is read into.

// configShapes says what each key of a configuration file must be, in the
// order in which messages list them.
var configShapes = [...]struct{ key, shape string }{
	{"approve", `"ask", "deny" or "allow"`},
	{"protected", "a list of strings"},
	{"temporary", "a list of strings"},
	{"ask", "a table, which starts with [ask]"},
	{"ask.untracked", "true or false"},
	{"ask.files", "true or false"},
	{"ask.replace", "true or false"},
	{"hooks", "tables, each of which starts with [[hooks.before_delete]]"},
	{"hooks.before_delete", "tables, each of which starts with [[hooks.before_delete]]"},
	{"hooks.before_delete.id", "a string"},
	{"hooks.before_delete.command", "a list of strings, the program and its arguments"},
	{"hooks.before_delete.script", "a string, the name of a file"},
	{"hooks.before_delete.timeout", `a string such as "5s"`},
}

// knownBeside lists the keys that may stand where an unknown one does.
func knownBeside(key string) string {
	prefix := key[:strings.LastIndexByte(key, '.')+1]
	var known []string
	for _, k := range configShapes {
		if rest, ok := strings.CutPrefix(k.key, prefix); ok && !strings.Contains(rest, ".") {
			known = append(known, rest)
		}
	}
	return strings.Join(known, ", ")
}

// unknownKey words the error for a key that means nothing.
func (s *source) unknownKey(line int, key string) error {
	return s.wrong(line, "unknown key %s; known there are %s", policy.Printable(key), knownBeside(key))
}

// wrongSyntax words what the decoder found: a value of the wrong kind by what
// the key must be, and anything else as the decoder says it.
func (s *source) wrongSyntax(e *toml.DecodeError) error {
	line, _ := e.Position()
	message := strings.TrimPrefix(e.Error(), "toml: ")
	if !strings.HasPrefix(message, "cannot decode TOML") && !strings.HasPrefix(message, "cannot store") {
		return s.wrong(line, "%s", policy.Printable(message))
	}
	key := strings.Join(e.Key(), ".")
	for _, k := range configShapes {
		if strings.EqualFold(k.key, key) {
			return s.wrong(line, "%s must be %s", k.key, k.shape)
		}
	}
	return s.wrong(line, "%s has a value of the wrong kind", policy.Printable(key))
}

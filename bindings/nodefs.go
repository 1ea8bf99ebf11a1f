package bindings

import (
	"embed"
	"strings"
	"sync"
)

// nodeFS is node:fs for scripts, written upon the tools. Each file has one subject;
// together they are the body of one function, in this order.
//
//go:embed nodefs/*.js
var nodeFS embed.FS

var nodeFSParts = []string{"errors", "arguments", "stats", "read", "write", "remove", "transfer", "cp", "absent", "faces"}

var nodeFSSource = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(function (host) { 'use strict';\n")
	for _, part := range nodeFSParts {
		text, err := nodeFS.ReadFile("nodefs/" + part + ".js")
		if err != nil {
			panic("bindings: " + err.Error()) // it is embedded
		}
		b.Write(text)
	}
	b.WriteString("})")
	return b.String()
})

// builtinModule is a module that a script has by its name, besides those of the
// runtime.
func builtinModule(name string) (source string, ok bool) {
	switch name {
	case "fs":
		return nodeFSSource(), true
	case "fs/promises":
		return "(function (host) { return host.require('fs').promises })", true
	}
	return "", false
}

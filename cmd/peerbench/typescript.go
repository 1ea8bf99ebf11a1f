package main

import (
	_ "embed"
	"fmt"
)

// Fifty lines of types that can be removed, so that Node.js can do it, too.
//
//go:embed script.ts
var typescript string

// typescriptBenches are about a script of 50 lines in TypeScript.
func typescriptBenches() []bench {
	n := 0
	fresh := func() string { // never seen before, so that no cache knows it
		n++
		return fmt.Sprintf("%s// %d\n", typescript, n)
	}
	task := func(name string) func() any {
		return func() any { return map[string]any{"task": name, "source": fresh()} }
	}
	return []bench{{
		name: "50 lines of TypeScript",
		unit: millis,
		sides: []side{
			oursSide("in-process, first time", "runtime.Run of a script that it has not seen: transform, compile, run", nil, oneRun(millis, fresh)),
			oursSide("in-process, again", "runtime.Run of one that it has seen, mean of 20", nil, manyRuns(millis, 20, always(typescript))),
			oursSide("isolated, spare", "runtime.Run with a worker.Pool that has a child waiting, which has seen no script", spare, oneRun(millis, fresh)),
			piSide("pi-codemode + strip", "module.stripTypeScriptTypes of Node.js, then a sandbox in a process that has done so before; pi-codemode takes no TypeScript itself", 1, task("strip")),
			piSide("pi-codemode + esbuild", "transform of esbuild "+esbuildVersion+", whose process waits, then the same", 1, task("esbuild")),
		},
		pairs: []pair{
			{ours: "in-process, first time", peer: "pi-codemode + strip"},
			{ours: "in-process, again", peer: "pi-codemode + strip"},
			{ours: "isolated, spare", peer: "pi-codemode + strip"},
			{ours: "isolated, spare", peer: "pi-codemode + esbuild"},
		},
	}}
}

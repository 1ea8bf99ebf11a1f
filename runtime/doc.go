// Package runtime runs one script written in JavaScript and reports what came
// of it. A script reaches the outside only through the tools of its [Host]: it
// has no files, no network, no process and no environment, and this package
// knows of none either.
//
//	report := runtime.Run(ctx, runtime.Script{Name: "script.js", Source: source}, host, runtime.Options{})
//
// The package has two halves. One half holds the JavaScript engine: loop.go,
// sandbox.go and everything that handles engine values. The other half faces
// the host: run.go, dispatch.go, collect.go. They talk only in the plain data of
// message.go, so that the first half can live in another process.
//
// The engine, goja, has built-ins that nothing can interrupt and no memory
// limit. README.md says exactly what running it in this process does and does
// not contain.
package runtime

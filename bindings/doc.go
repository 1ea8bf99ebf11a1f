// Package bindings is the only place where scripts and file operations know of
// each other. It offers an [codemode/ops.Session] to a script as `tools`: what
// comes out of the script is plain JSON, what goes back in is plain JSON, and
// no value of one world is ever visible in the other.
//
//	report := bindings.Run(ctx, session, bindings.Options{Script: runtime.Script{Source: source}})
//
// [Types] is the reference of what a script can use, [Schemas] the same for
// clients that call the tools without a script. The package also words what the
// journal says of a run as a whole, see [RunStarted] and [Rebuild].
package bindings

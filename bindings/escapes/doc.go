// Package escapes attacks the sandbox. Each case of cases/*.txtar is a script
// that tries one way out, or one way to have something done other than what the
// host allowed, and says what it must come to instead. The cases run through
// every route that a script can take; each route's tests hand a [Route] to
// [Run], which looks at the disk, the receipts and all that was said.
package escapes

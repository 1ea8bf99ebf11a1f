// Package repl is the prompt of codemode repl: it reads JavaScript from a
// terminal, with colours, completion, hints and a history. It knows the language
// only as far as these need it; whether input is whole, and what a name has for
// members, its owner asks the engine.
package repl

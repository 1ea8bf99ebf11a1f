// Package scripts holds ready scripts. They are what people copy from; the
// program carries them, so that "codemode run @name" works anywhere.
package scripts

import "embed"

// Demo is the script that "codemode demo" runs.
//
//go:embed demo.js
var Demo string

// Files are the built-in scripts and what they import from each other.
//
//go:embed *.js lib/*.js
var Files embed.FS

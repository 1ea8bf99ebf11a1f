// Package scripts holds ready scripts. They are what people copy from; the
// program carries those that it needs itself.
package scripts

import _ "embed"

// Demo is the script that "codemode demo" runs.
//
//go:embed demo.js
var Demo string

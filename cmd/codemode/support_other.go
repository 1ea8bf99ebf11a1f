//go:build !linux

package main

// support says what the operations can do on this platform.
const support = "reading only: what cannot be done safely is refused, UNSUPPORTED_PLATFORM"

// operable says that the operations can be carried out at all.
const operable = false

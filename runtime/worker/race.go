//go:build race

package worker

// shadowed is how often memory counts: the race detector keeps several bytes for
// each of the program's.
const shadowed = 8

//go:build !darwin && !windows

package gitstate

// foldNames: names differ when their bytes differ, unless the repository says
// otherwise (core.ignoreCase).
const foldNames = false

func isPlatformControlName(string) bool { return false }

package journal

import "os"

// ForTest makes a run that writes to f.
func ForTest(f *os.File) *Run { return &Run{file: f, path: f.Name()} }

// Claim is what a new run does to its file.
func Claim(f *os.File) error { return claim(f) }

package journal

import "os"

// ForTest makes a run that writes to f.
func ForTest(f *os.File) *Run { return &Run{file: f, path: f.Name()} }

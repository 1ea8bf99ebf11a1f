package worker

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const memoryIsLimited = true

func setLimit(resource int, most uint64) error {
	return unix.Prlimit(0, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
}

// dataInUse is how much of what RLIMIT_DATA counts this process has. Without
// cgo it is some 40 MiB, of which next to nothing is really used.
func dataInUse() uint64 {
	const usual = 40 << 20
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return usual
	}
	var size, resident, shared, code, library, data uint64
	if _, err := fmt.Sscan(string(text), &size, &resident, &shared, &code, &library, &data); err != nil {
		return usual
	}
	return data * uint64(os.Getpagesize())
}

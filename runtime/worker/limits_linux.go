package worker

import "golang.org/x/sys/unix"

// memoryIsLimited: the race detector's own memory is beyond any limit.
const memoryIsLimited = !raceDetector

func setLimit(resource int, most uint64) error {
	return unix.Prlimit(0, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
}

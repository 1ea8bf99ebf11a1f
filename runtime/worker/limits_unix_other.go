//go:build unix && !linux

package worker

import "golang.org/x/sys/unix"

// memoryIsLimited: RLIMIT_DATA means nothing here to memory that is mapped, as
// Go's is.
const memoryIsLimited = false

func setLimit(resource int, most uint64) error {
	limit := unix.Rlimit{}
	assign(&limit.Cur, most)
	assign(&limit.Max, most)
	return unix.Setrlimit(resource, &limit)
}

// assign bridges the systems, whose limits have different types.
func assign[T int64 | uint64](to *T, n uint64) { *to = T(n) }

func dataInUse() uint64 { return 0 }

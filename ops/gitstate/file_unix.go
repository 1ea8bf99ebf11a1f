//go:build unix

package gitstate

import (
	"errors"
	"os"
	"syscall"
)

// Without O_NONBLOCK the open of a FIFO waits for a writer, perhaps for ever.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

// isAbsent knows what a system call says itself, sooner than [errors.Is].
func isAbsent(err error) bool {
	if errno, ok := err.(syscall.Errno); ok {
		return errno == syscall.ENOENT || errno == syscall.ENOTDIR
	}
	return errors.Is(err, syscall.ENOTDIR)
}

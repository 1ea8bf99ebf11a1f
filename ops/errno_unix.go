//go:build unix

package ops

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// errnoName is the symbolic name of an error number.
func errnoName(no syscall.Errno) string {
	if name := unix.ErrnoName(no); name != "" {
		return name
	}
	return fmt.Sprintf("ERRNO_%d", int(no))
}

//go:build unix

package gitstate

import (
	"errors"
	"os"
	"syscall"
)

// Without O_NONBLOCK the open of a FIFO waits for a writer, perhaps for ever.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

//go:build !unix

package ops

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// errnoName is the name that Unix has for an error number.
func errnoName(no syscall.Errno) string {
	switch {
	case errors.Is(no, fs.ErrNotExist):
		return "ENOENT"
	case errors.Is(no, fs.ErrExist):
		return "EEXIST"
	case errors.Is(no, fs.ErrPermission):
		return "EACCES"
	}
	return fmt.Sprintf("ERRNO_%d", uint32(no))
}

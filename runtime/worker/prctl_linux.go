package worker

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// prctlInt is a prctl that writes an int.
func prctlInt(option int, result *int32) error {
	return unix.Prctl(option, uintptr(unsafe.Pointer(result)), 0, 0, 0)
}

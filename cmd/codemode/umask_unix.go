//go:build unix

package main

import "golang.org/x/sys/unix"

// keepOwnerBits takes the owner's bits out of the file mode mask: a directory
// that its owner cannot enter could be neither filled nor removed again.
func keepOwnerBits() {
	mask := unix.Umask(0)
	unix.Umask(mask &^ 0o700)
}

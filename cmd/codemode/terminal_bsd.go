//go:build unix && !linux

package main

import "golang.org/x/sys/unix"

// flushInput is tcflush(fd, TCIFLUSH). The BSDs know it by another name; 1
// stands for FREAD.
func flushInput(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 1) }

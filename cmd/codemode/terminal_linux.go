package main

import "golang.org/x/sys/unix"

// flushInput is tcflush(fd, TCIFLUSH).
func flushInput(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }

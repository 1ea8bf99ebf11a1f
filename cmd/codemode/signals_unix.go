//go:build unix

package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

func notifyPipe(c chan<- os.Signal) { signal.Notify(c, syscall.SIGPIPE) }

func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

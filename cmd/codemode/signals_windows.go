package main

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// notifyPipe does nothing: Windows raises no signal for a closed pipe.
func notifyPipe(chan<- os.Signal) {}

func isClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

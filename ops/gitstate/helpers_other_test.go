//go:build !unix

package gitstate

import (
	"os/exec"
	"time"
)

func asNobody(*exec.Cmd) {}

// processorTime is not known here.
func processorTime() time.Duration { return 0 }

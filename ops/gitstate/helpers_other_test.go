//go:build !unix

package gitstate

import "os/exec"

func asNobody(*exec.Cmd) {}

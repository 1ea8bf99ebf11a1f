//go:build unix

package ops

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the hook into a process group of its own, so that a time-out
// ends what it started, too, and Ctrl-C at the terminal does not reach it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

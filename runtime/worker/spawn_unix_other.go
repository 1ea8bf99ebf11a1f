//go:build unix && !linux

package worker

import (
	"os"
	"syscall"
	"time"
)

func program() (string, error) { return os.Executable() }

func makePipe() (reading, writing int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		return 0, 0, err
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	return fds[0], fds[1], nil
}

// attributes make a child that gets no signal meant for its parent's group. It
// notices the death of its parent by the end of its channel.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func forkExec(program string, arguments []string, attributes *syscall.ProcAttr) (int, error) {
	return syscall.ForkExec(program, arguments, attributes)
}

// await gives the child its time: there is no portable way to wait for a death
// without taking it. It is killed then, so that reaping it does not last.
func (p *process) await() {
	buffer := make([]byte, 4096)
	for _, err := p.out.Read(buffer); err == nil; _, err = p.out.Read(buffer) {
	}
	time.Sleep(2 * time.Millisecond)
	p.Kill()
}

func (p *process) alive() bool { return true }

package worker

import (
	"os"
	stdruntime "runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// program is the file of this very process, also when another has taken its name.
func program() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Lstat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}

func makePipe() (reading, writing int, err error) {
	var fds [2]int
	err = syscall.Pipe2(fds[:], syscall.O_CLOEXEC)
	return fds[0], fds[1], err
}

// attributes make a child that is killed when its parent dies and that gets no
// signal meant for its parent's group.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// The kernel counts the end of the *thread* that started a child as the death of
// its parent. So all children are started by one thread that never ends.
type forkRequest struct {
	program    string
	arguments  []string
	attributes *syscall.ProcAttr
	reply      chan forkReply
}

type forkReply struct {
	pid int
	err error
}

var forks = sync.OnceValue(func() chan<- forkRequest {
	requests := make(chan forkRequest)
	go func() {
		stdruntime.LockOSThread()
		for r := range requests {
			pid, err := syscall.ForkExec(r.program, r.arguments, r.attributes)
			r.reply <- forkReply{pid, err}
		}
	}()
	return requests
})

func forkExec(program string, arguments []string, attributes *syscall.ProcAttr) (int, error) {
	reply := make(chan forkReply, 1)
	forks() <- forkRequest{program, arguments, attributes, reply}
	r := <-reply
	return r.pid, r.err
}

// await waits until the child is dead, and leaves it to be reaped.
func (p *process) await() {
	for unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// alive reports whether the child has not died.
func (p *process) alive() bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, p.pid, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
	return err == nil && info.Signo == 0
}

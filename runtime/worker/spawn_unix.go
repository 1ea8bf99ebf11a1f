//go:build unix

package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
)

// system is how the operating system knows a child.
type system struct{ pid int }

// controlFD is the descriptor on which a child is told to stop.
const controlFD = 3

func controlEnd() *os.File { return os.NewFile(controlFD, "control") }

// spawn starts the child. Its channel are two pipes that block: this is what
// passes fastest, and Go's network poller has no part in it.
func (p *process) spawn(mode string) error {
	var ends [4]struct{ theirs, ours int } // of standard input, output and error, and of control
	var open []int
	fail := func(err error) error {
		for _, fd := range open {
			syscall.Close(fd)
		}
		return err
	}
	for i := range ends {
		reading, writing, err := makePipe()
		if err != nil {
			return fail(err)
		}
		open = append(open, reading, writing)
		ends[i].theirs, ends[i].ours = writing, reading
		if i == 0 || i == controlFD {
			ends[i].theirs, ends[i].ours = reading, writing
		}
	}
	_ = syscall.SetNonblock(ends[2].ours, true) // it is read when the child is dead
	program, err := program()
	if err != nil {
		return fail(err)
	}
	attributes := &syscall.ProcAttr{
		Dir:   "/",
		Env:   environment(),
		Files: []uintptr{uintptr(ends[0].theirs), uintptr(ends[1].theirs), uintptr(ends[2].theirs), uintptr(ends[controlFD].theirs)},
		Sys:   attributes(),
	}
	arguments := []string{"codemode-sandbox", childMarker, mode, strconv.FormatInt(p.memory, 10)}
	p.pid, err = forkExec(program, arguments, attributes)
	if err != nil {
		return fail(fmt.Errorf("cannot start %s: %w", program, err))
	}
	for _, end := range ends {
		syscall.Close(end.theirs)
	}
	p.in = os.NewFile(uintptr(ends[0].ours), "sandbox input")
	p.out = os.NewFile(uintptr(ends[1].ours), "sandbox output")
	p.err = os.NewFile(uintptr(ends[2].ours), "sandbox errors")
	p.control = os.NewFile(uintptr(ends[controlFD].ours), "sandbox control")
	return nil
}

// environment is all that a child has of one. Go is not to look for the limits of
// its control group, and to keep the files open in which they stand.
func environment() []string {
	return []string{"TZ=UTC", "GOMAXPROCS=2", "GOTRACEBACK=none", "GODEBUG=containermaxprocs=0,updatemaxprocs=0"}
}

func (p *process) end() { _ = syscall.Kill(p.pid, syscall.SIGKILL) }

// reap takes the dead child's status. The process is locked, so that nobody
// kills another one that comes to have its number.
func (p *process) reap() death {
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(p.pid, &status, 0, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil { // somebody else reaps the children of this process
			return death{status: err.Error()}
		}
		break
	}
	if status.Signaled() {
		signal := status.Signal()
		return death{forbidden: signal == syscall.SIGSYS, signalled: signal == syscall.SIGKILL, status: signal.String()}
	}
	return death{status: fmt.Sprintf("exit status %d", status.ExitStatus())}
}

// lastWords is what the dead child has written to its standard error.
func (p *process) lastWords() string {
	words, _ := io.ReadAll(io.LimitReader(p.err, maxWords))
	return string(words)
}

package worker

import (
	"io"
	"os"
	"strconv"
	"syscall"
	"time"
)

// system is how the operating system knows a child.
type system struct {
	process *os.Process
}

func (p *process) spawn(mode string) (err error) {
	var pipes []*os.File
	defer func() {
		if err != nil {
			for _, f := range pipes {
				f.Close()
			}
		}
	}()
	for range 4 {
		reading, writing, err := os.Pipe()
		if err != nil {
			return err
		}
		pipes = append(pipes, reading, writing)
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	environment := []string{"TZ=UTC", "GOMAXPROCS=2", "GOTRACEBACK=none"}
	if root := os.Getenv("SYSTEMROOT"); root != "" { // Windows starts nothing without it
		environment = append(environment, "SYSTEMROOT="+root)
	}
	// The child learns the number of its control from its environment, of which
	// nothing else is there.
	control := syscall.Handle(pipes[6].Fd())
	if err := syscall.SetHandleInformation(control, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
		return err
	}
	environment = append(environment, controlName+"="+strconv.FormatUint(uint64(control), 10))
	p.process, err = os.StartProcess(program, []string{program, childMarker, mode, strconv.FormatInt(p.memory, 10)}, &os.ProcAttr{
		Dir:   os.TempDir(),
		Env:   environment,
		Files: []*os.File{pipes[0], pipes[3], pipes[5]},
		Sys:   &syscall.SysProcAttr{AdditionalInheritedHandles: []syscall.Handle{control}},
	})
	if err != nil {
		return err
	}
	for _, theirs := range []int{0, 3, 5, 6} {
		pipes[theirs].Close()
	}
	p.in, p.out, p.err, p.control = pipes[1], pipes[2], pipes[4], pipes[7]
	return nil
}

const controlName = "CODEMODE_SANDBOX_CONTROL"

func controlEnd() *os.File {
	handle, err := strconv.ParseUint(os.Getenv(controlName), 10, 64)
	if err != nil {
		os.Exit(1)
	}
	return os.NewFile(uintptr(handle), "control")
}

func (p *process) end() { _ = p.process.Kill() }

// await gives the child its time; it is killed then, so that reaping it does not
// last.
func (p *process) await() {
	buffer := make([]byte, 4096)
	for _, err := p.out.Read(buffer); err == nil; _, err = p.out.Read(buffer) {
	}
	time.Sleep(2 * time.Millisecond)
	p.Kill()
}

func (p *process) reap() death {
	state, err := p.process.Wait()
	if err != nil {
		return death{status: err.Error()}
	}
	return death{status: state.String()}
}

func (p *process) alive() bool { return true }

// lastWords is what the dead child has written to its standard error.
func (p *process) lastWords() string {
	words, _ := io.ReadAll(io.LimitReader(p.err, maxWords))
	return string(words)
}

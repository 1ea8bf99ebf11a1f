package worker

import (
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// confine puts every protection in force that this kernel has, and reports which
// those are. It takes away what the script must not have; so a protection that is
// missing leaves the others as they are.
func confine(memory int64) protections {
	closeOthers()
	_ = unix.SetNonblock(2, true) // the child dies also when nobody reads of what
	inForce := limitResources(memory)
	// The parent asked the kernel for this when it started the child.
	if signal, err := parentDeathSignal(); err == nil && signal == syscall.SIGKILL {
		inForce |= diesWithParent
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return inForce // without it nobody may confine himself
	}
	onAllThreads := allThreads(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1) == nil
	inForce |= restrictAccess()
	if filterCalls() == nil {
		inForce |= seccompFilter | noNewPrivileges // which it puts in force on all threads
	}
	if onAllThreads {
		inForce |= noNewPrivileges
	}
	return inForce
}

// allThreads makes a system call on every thread of this process. Go can do that
// only in a program without cgo, and says ENOTSUP otherwise.
func allThreads(call, a1, a2 uintptr) error {
	_, _, errno := syscall.AllThreadsSyscall(call, a1, a2, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

func parentDeathSignal() (syscall.Signal, error) {
	var signal int32
	err := prctlInt(unix.PR_GET_PDEATHSIG, &signal)
	return syscall.Signal(signal), err
}

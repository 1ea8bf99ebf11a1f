//go:build linux && (amd64 || arm64)

package worker

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The filter is a list of what is allowed. It is written by hand because it must
// cost nothing in a program that is started for each script: the libraries bring
// tables of all system calls of all machines. What is not on the list fails with
// EPERM, as Go's runtime and libraries can bear; what only an attacker would try
// kills the process.

// allowed are the system calls that a Go program needs which has its memory, its
// threads, its clocks and open pipes. Those of the machine come on top.
var allowed = []uintptr{
	// Most frequent first.
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_SCHED_YIELD,
	unix.SYS_MADVISE, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MINCORE, unix.SYS_BRK,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_GETTIMEOFDAY, unix.SYS_RESTART_SYSCALL,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRANDOM, unix.SYS_SCHED_GETAFFINITY, unix.SYS_MEMBARRIER,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_SET_TID_ADDRESS, unix.SYS_CLOSE,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// deadly are the system calls whose attempt ends the process.
var deadly = []uintptr{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_IO_URING_SETUP,
	unix.SYS_BPF, unix.SYS_MOUNT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_USERFAULTFD, unix.SYS_PERF_EVENT_OPEN,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PIDFD_GETFD,
}

// The layout of what the filter sees.
const (
	offNumber  = 0
	offMachine = 4
	offArg0    = 16 // lower half, on machines with the low byte first
	offArg2    = 32

	prSetVMA = 0x53564d41 // Go names its memory for /proc
)

// filterCalls puts the filter in force on all threads.
func filterCalls() error {
	program := callFilter(uint32(os.Getpid()))
	_, _, errno := syscall.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})))
	if errno != 0 {
		return errno
	}
	return nil
}

// callFilter is the filter for the process with this number.
func callFilter(pid uint32) []unix.SockFilter {
	var f filter
	f.load(offMachine)
	f.unless(unix.BPF_JEQ, machine, unix.SECCOMP_RET_KILL_PROCESS)
	f.load(offNumber)
	f.when(unix.BPF_JGE, 0x40000000, unix.SECCOMP_RET_KILL_PROCESS) // the x32 numbers
	for _, call := range append(allowed, allowedHere...) {
		f.when(unix.BPF_JEQ, uint32(call), unix.SECCOMP_RET_ALLOW)
	}
	for _, call := range append(deadly, deadlyHere...) {
		f.when(unix.BPF_JEQ, uint32(call), unix.SECCOMP_RET_KILL_PROCESS)
	}
	refuse := unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	// Memory, but none that can be executed.
	for _, call := range []uint32{unix.SYS_MMAP, unix.SYS_MPROTECT} {
		f.special(call, offArg2, unix.BPF_JSET, unix.PROT_EXEC, refuse, unix.SECCOMP_RET_ALLOW)
	}
	// Threads, but no processes. What clone3 is to make stands in memory, where
	// no filter sees it; a C library then uses clone.
	f.special(unix.SYS_CLONE, offArg0, unix.BPF_JSET, unix.CLONE_THREAD, unix.SECCOMP_RET_ALLOW, refuse)
	f.when(unix.BPF_JEQ, unix.SYS_CLONE3, unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS))
	// Signals to itself alone.
	f.special(unix.SYS_TGKILL, offArg0, unix.BPF_JEQ, pid, unix.SECCOMP_RET_ALLOW, refuse)
	f.special(unix.SYS_PRCTL, offArg0, unix.BPF_JEQ, prSetVMA, unix.SECCOMP_RET_ALLOW, refuse)
	f.give(refuse)
	return f
}

// A filter is a program for the kernel, which runs it for each system call.
type filter []unix.SockFilter

func (f *filter) add(code uint16, k uint32, yes, no uint8) {
	*f = append(*f, unix.SockFilter{Code: code, K: k, Jt: yes, Jf: no})
}

// load looks at what is to be compared.
func (f *filter) load(offset uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset, 0, 0) }

// give ends the program with a verdict.
func (f *filter) give(verdict uint32) { f.add(unix.BPF_RET|unix.BPF_K, verdict, 0, 0) }

// when gives a verdict if the comparison holds.
func (f *filter) when(comparison uint16, k, verdict uint32) {
	f.add(unix.BPF_JMP|comparison|unix.BPF_K, k, 0, 1)
	f.give(verdict)
}

// unless gives a verdict if the comparison does not hold.
func (f *filter) unless(comparison uint16, k, verdict uint32) {
	f.add(unix.BPF_JMP|comparison|unix.BPF_K, k, 1, 0)
	f.give(verdict)
}

// special gives one of two verdicts on a call, by comparing an argument.
func (f *filter) special(call, argument uint32, comparison uint16, k, yes, no uint32) {
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, call, 0, 4)
	f.load(argument)
	f.when(comparison, k, yes)
	f.give(no)
}

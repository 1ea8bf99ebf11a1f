//go:build linux && amd64

package main_test

import (
	"bytes"
	endian "encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A traced command stops at every system call, so that a test can look at the
// disk, kill it there, or let the call fail. Other than with timers every such
// moment can be found again, and none is missed.

// happening is one system call that names files.
type happening struct {
	name    string // of the call
	path    string // what it works on, through descriptors; absolute
	to      string // the new name of a rename, or what is written to by a copy inside the kernel
	flags   uint64
	text    []byte // what a write writes
	over    bool   // the call has ended
	failed  unix.Errno
	result  int64
	changes bool // something on disk, if it succeeds
}

func (h *happening) String() string {
	s := h.name + " " + h.path
	if h.to != "" {
		s += " " + h.to
	}
	return s
}

// verdict is what a test does to a call.
type verdict struct {
	kill  bool       // the whole process, here
	fails unix.Errno // the call is not carried out
	lost  bool       // it is carried out, and fails nevertheless
}

// where the arguments of a system call are: the descriptor of a directory and
// the path relative to it, or -1.
type signature struct {
	name          string
	dir, path     int
	toDir, toPath int
	flags         int
	changes       bool
}

var signatures = map[uint64]signature{
	unix.SYS_OPENAT:          {"openat", 0, 1, -1, -1, 2, false},
	unix.SYS_MKDIRAT:         {"mkdirat", 0, 1, -1, -1, -1, true},
	unix.SYS_UNLINKAT:        {"unlinkat", 0, 1, -1, -1, 2, true},
	unix.SYS_RENAMEAT:        {"renameat", 0, 1, 2, 3, -1, true},
	unix.SYS_RENAMEAT2:       {"renameat2", 0, 1, 2, 3, 4, true},
	unix.SYS_LINKAT:          {"linkat", 0, 1, 2, 3, -1, true},
	unix.SYS_SYMLINKAT:       {"symlinkat", 1, 2, -1, -1, -1, true},
	unix.SYS_FCHMOD:          {"fchmod", 0, -1, -1, -1, 1, true},
	unix.SYS_FCHMODAT:        {"fchmodat", 0, 1, -1, -1, 2, true},
	unix.SYS_FCHOWN:          {"fchown", 0, -1, -1, -1, -1, true},
	unix.SYS_FCHOWNAT:        {"fchownat", 0, 1, -1, -1, -1, true},
	unix.SYS_UTIMENSAT:       {"utimensat", 0, 1, -1, -1, -1, true},
	unix.SYS_FTRUNCATE:       {"ftruncate", 0, -1, -1, -1, -1, true},
	unix.SYS_WRITE:           {"write", 0, -1, -1, -1, -1, true},
	unix.SYS_PWRITE64:        {"pwrite64", 0, -1, -1, -1, -1, true},
	unix.SYS_COPY_FILE_RANGE: {"copy_file_range", 0, -1, 2, -1, -1, true},
	unix.SYS_SENDFILE:        {"sendfile", 1, -1, 0, -1, -1, true},
	unix.SYS_IOCTL:           {"ioctl", 0, -1, -1, -1, 1, true}, // of which FICLONE changes something
	unix.SYS_READ:            {"read", 0, -1, -1, -1, -1, false},
	unix.SYS_PREAD64:         {"pread64", 0, -1, -1, -1, -1, false},
	unix.SYS_LSEEK:           {"lseek", 0, -1, -1, -1, -1, false},
	unix.SYS_GETDENTS64:      {"getdents64", 0, -1, -1, -1, -1, false},
	unix.SYS_STATX:           {"statx", 0, 1, -1, -1, -1, false},
	unix.SYS_NEWFSTATAT:      {"newfstatat", 0, 1, -1, -1, -1, false},
	unix.SYS_FSTAT:           {"fstat", 0, -1, -1, -1, -1, false},
	unix.SYS_FSTATFS:         {"fstatfs", 0, -1, -1, -1, -1, false},
	unix.SYS_READLINKAT:      {"readlinkat", 0, 1, -1, -1, -1, false},
	unix.SYS_FACCESSAT2:      {"faccessat2", 0, 1, -1, -1, -1, false},
	unix.SYS_FSYNC:           {"fsync", 0, -1, -1, -1, -1, false},
	unix.SYS_FDATASYNC:       {"fdatasync", 0, -1, -1, -1, -1, false},
	unix.SYS_SYNCFS:          {"syncfs", 0, -1, -1, -1, -1, false},
	unix.SYS_CLOSE:           {"close", 0, -1, -1, -1, -1, false},
	unix.SYS_FLOCK:           {"flock", 0, -1, -1, -1, 1, false},
}

// traced runs the command and tells watch of every call that names files, once
// before it is carried out and once after. What watch answers is heard before.
// After the end only a call may answer kill. The status is -1 if it was killed.
func (c command) traced(t *testing.T, watch func(*happening) verdict, args ...string) output {
	t.Helper()
	if reason := untraceable(); reason != "" {
		t.Skip(reason)
	}
	stdout, stderr := sink(t), sink(t)
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer nothing.Close()
	// The kernel takes orders from the thread only that started the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pid, err := syscall.ForkExec(c.bin, append([]string{c.bin}, args...), &syscall.ProcAttr{
		Dir: c.dir, Env: c.env, Files: []uintptr{nothing.Fd(), stdout.Fd(), stderr.Fd()},
		Sys: &syscall.SysProcAttr{Setsid: true, Ptrace: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	tr := tracing{t: t, leader: pid, watch: watch, calls: map[int]*happening{}, fails: map[int]unix.Errno{}}
	limit := time.AfterFunc(2*time.Minute, func() { unix.Kill(pid, unix.SIGKILL) })
	defer limit.Stop()
	status := tr.follow()
	return output{contentsOf(t, stdout), contentsOf(t, stderr), status}
}

type tracing struct {
	t      *testing.T
	leader int
	watch  func(*happening) verdict
	calls  map[int]*happening // by thread: the call that it is in
	fails  map[int]unix.Errno // the error with which that call will end
	begun  bool
	dead   bool
}

// follow lets the process go on from stop to stop until it is gone.
func (tr *tracing) follow() (status int) {
	for {
		var ws unix.WaitStatus
		// By its group: this thread may have other children, of other tests.
		tid, err := unix.Wait4(-tr.leader, &ws, unix.WALL|unix.WNOTHREAD, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			tr.t.Fatal("wait: ", err)
		}
		if ws.Exited() || ws.Signaled() {
			if tid == tr.leader {
				if ws.Signaled() {
					return -1
				}
				return ws.ExitStatus()
			}
			continue
		}
		signal := 0
		switch stop := ws.StopSignal(); {
		case !tr.begun: // the exec
			tr.begun = true
			err := unix.PtraceSetOptions(tid, unix.PTRACE_O_TRACESYSGOOD|unix.PTRACE_O_TRACECLONE|unix.PTRACE_O_EXITKILL|unix.PTRACE_O_TRACESECCOMP)
			if err == nil {
				err = onlyInteresting(tid)
			}
			if err != nil {
				unix.Kill(tid, unix.SIGKILL)
				tr.t.Error("ptrace: ", err)
			}
		case stop == unix.SIGTRAP|0x80, stop == unix.SIGTRAP && ws.TrapCause() == unix.PTRACE_EVENT_SECCOMP:
			if tr.call(tid) {
				_ = unix.PtraceSyscall(tid, 0) // up to its end
				continue
			}
		case stop == unix.SIGTRAP, stop == unix.SIGSTOP: // a new thread
		default:
			signal = int(stop)
		}
		// A thread that was killed meanwhile cannot go on, and is waited for.
		_ = unix.PtraceCont(tid, signal)
	}
}

// call handles the stop of a thread before or after a system call, and reports
// whether it is before one whose end is to be seen.
func (tr *tracing) call(tid int) bool {
	if tr.dead {
		return false
	}
	var info struct {
		op     byte
		_      [3]byte
		arch   uint32
		ip, sp uint64
		data   [8]uint64
	}
	if _, _, e := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0); e != 0 {
		return false
	}
	const exit, entry = 2, 3 // the latter as the filter reports it
	switch info.op {
	case entry:
		h := tr.describe(tid, info.data[0], info.data[1:7])
		if h == nil {
			return false
		}
		tr.calls[tid] = h
		v := tr.watch(h)
		switch {
		case v.kill:
			tr.kill()
		case v.fails != 0 && !v.lost:
			tr.set(tid, func(r *unix.PtraceRegs) { r.Orig_rax = ^uint64(0) })
			fallthrough
		case v.fails != 0:
			tr.fails[tid] = v.fails
		}
		return !v.kill
	case exit:
		h := tr.calls[tid]
		if h == nil {
			return false
		}
		delete(tr.calls, tid)
		h.over, h.result = true, int64(info.data[0])
		if h.result < 0 && h.result > -4096 {
			h.failed = unix.Errno(-h.result)
		}
		if e, ok := tr.fails[tid]; ok {
			delete(tr.fails, tid)
			h.failed, h.result = e, -int64(e)
			tr.set(tid, func(r *unix.PtraceRegs) { r.Rax = uint64(h.result) })
		}
		if tr.watch(h).kill {
			tr.kill()
		}
	}
	return false
}

// onlyInteresting makes a process that has just begun stop at the calls of
// [signatures] alone: a filter in the kernel lets all others pass, which are most.
// The process installs it itself, before its first instruction.
func onlyInteresting(tid int) error {
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}} // the number of the call
	numbers := slices.Sorted(maps.Keys(signatures))
	for i, nr := range numbers {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(nr), Jt: uint8(len(numbers) - i)})
	}
	const allow, trace = 0x7fff0000, 0x7ff00000
	program = append(program,
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: allow},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: trace})
	var saved unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &saved); err != nil {
		return err
	}
	code := make([]byte, 8)
	if _, err := unix.PtracePeekText(tid, uintptr(saved.Rip), code); err != nil {
		return err
	}
	if _, err := unix.PtracePokeText(tid, uintptr(saved.Rip), []byte{0x0f, 0x05}); err != nil { // the instruction syscall
		return err
	}
	at := saved.Rsp - 8192
	body := unsafe.Slice((*byte)(unsafe.Pointer(&program[0])), len(program)*unix.SizeofSockFilter)
	head := endian.LittleEndian.AppendUint64(endian.LittleEndian.AppendUint64(nil, uint64(len(program))), at+16)
	if _, err := unix.PtracePokeData(tid, uintptr(at), append(head, body...)); err != nil {
		return err
	}
	for _, call := range [][4]uint64{{unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0}, {unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, at}} {
		r := saved
		r.Rax, r.Rdi, r.Rsi, r.Rdx, r.R10, r.R8 = call[0], call[1], call[2], call[3], 0, 0
		r.Orig_rax = ^uint64(0)
		if err := unix.PtraceSetRegs(tid, &r); err != nil {
			return err
		}
		var ws unix.WaitStatus
		if err := unix.PtraceSingleStep(tid); err != nil {
			return err
		}
		if _, err := unix.Wait4(tid, &ws, unix.WALL, nil); err != nil {
			return err
		}
		if err := unix.PtraceGetRegs(tid, &r); err != nil {
			return err
		}
		if int64(r.Rax) != 0 {
			return unix.Errno(-int64(r.Rax))
		}
	}
	if _, err := unix.PtracePokeText(tid, uintptr(saved.Rip), code); err != nil {
		return err
	}
	return unix.PtraceSetRegs(tid, &saved)
}

func (tr *tracing) kill() {
	tr.dead = true
	unix.Kill(tr.leader, unix.SIGKILL)
}

func (tr *tracing) set(tid int, change func(*unix.PtraceRegs)) {
	var r unix.PtraceRegs
	err := unix.PtraceGetRegs(tid, &r)
	if err == nil {
		change(&r)
		err = unix.PtraceSetRegs(tid, &r)
	}
	if err != nil {
		tr.t.Error("registers: ", err)
	}
}

// describe finds out what a call that is about to be made works on; nil if that
// is no file.
func (tr *tracing) describe(tid int, nr uint64, args []uint64) *happening {
	s, ok := signatures[nr]
	if !ok {
		return nil
	}
	h := &happening{name: s.name, changes: s.changes}
	if s.flags >= 0 {
		h.flags = args[s.flags]
	}
	switch nr {
	case unix.SYS_OPENAT:
		h.changes = h.flags&(unix.O_CREAT|unix.O_TRUNC) != 0
	case unix.SYS_IOCTL:
		if h.changes = h.flags == unix.FICLONE; !h.changes {
			return nil
		}
	case unix.SYS_WRITE, unix.SYS_PWRITE64:
		h.text = peek(tid, args[1], int(min(args[2], 1<<20)))
	}
	h.path = located(tid, args, s.dir, s.path)
	if s.toDir >= 0 {
		h.to = located(tid, args, s.toDir, s.toPath)
	}
	if !filepath.IsAbs(h.path) {
		return nil
	}
	return h
}

// located is the absolute path that two arguments of a call name.
func located(tid int, args []uint64, dir, path int) string {
	name := ""
	if path >= 0 {
		name = string(peek(tid, args[path], 4096))
		name, _, _ = strings.Cut(name, "\x00")
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	link := fmt.Sprintf("/proc/%d/cwd", tid)
	if fd := int32(args[dir]); fd != unix.AT_FDCWD {
		link = fmt.Sprintf("/proc/%d/fd/%d", tid, fd)
	}
	base, err := os.Readlink(link)
	if err != nil {
		return ""
	}
	if name == "" {
		return base
	}
	return filepath.Join(base, name)
}

// peek reads up to size bytes of a thread's memory, page by page.
func peek(tid int, at uint64, size int) []byte {
	var all []byte
	for size > 0 && at != 0 {
		n := min(size, 4096-int(at%4096))
		buf := make([]byte, n)
		got, err := unix.ProcessVMReadv(tid, []unix.Iovec{{Base: &buf[0], Len: uint64(n)}}, []unix.RemoteIovec{{Base: uintptr(at), Len: n}}, 0)
		if err != nil || got <= 0 {
			break
		}
		all = append(all, buf[:got]...)
		if bytes.IndexByte(buf[:got], 0) >= 0 && size == 4096 {
			break // a path
		}
		at, size = at+uint64(got), size-got
	}
	return all
}

// untraceable says why no process can be traced here, if so.
func untraceable() string {
	data, err := os.ReadFile("/proc/self/status")
	if err == nil && !slices.Contains(strings.Split(string(data), "\n"), "TracerPid:\t0") {
		return "these tests are traced themselves"
	}
	if scope, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope"); err == nil && strings.TrimSpace(string(scope)) == "3" {
		return "this kernel lets nobody trace a process"
	}
	return ""
}

func sink(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func contentsOf(t *testing.T, f *os.File) []byte {
	t.Helper()
	defer f.Close()
	defer os.Remove(f.Name())
	data, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

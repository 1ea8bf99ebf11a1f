package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"codemode/runtime"
)

// attempts are what a confined child must not manage. Each is tried in a child of
// its own, on several threads.
var attempts = map[string]func() error{
	"open a file":         func() error { _, err := os.ReadFile("/etc/passwd"); return err },
	"open its own status": func() error { _, err := os.ReadFile("/proc/self/status"); return err },
	"open a directory":    func() error { _, err := os.ReadDir("/"); return err },
	"look at a file":      func() error { _, err := os.Stat("/etc/passwd"); return err },
	"create a file":       func() error { return os.WriteFile("/tmp/codemode-probe", []byte("x"), 0o600) },
	"make a directory":    func() error { return os.Mkdir("/tmp/codemode-probe", 0o700) },
	"remove a file":       func() error { return os.Remove("/etc/hostname") },
	"rename a file":       func() error { return os.Rename("/etc/hostname", "/etc/hostnames") },
	"link":                func() error { return os.Symlink("/etc/passwd", "/tmp/codemode-probe") },
	"change mode":         func() error { return os.Chmod("/tmp", 0o777) },
	"change directory":    func() error { return os.Chdir("/tmp") },
	"make a socket":       func() error { _, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0); return err },
	"make a Unix socket":  func() error { _, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); return err },
	"execute":             func() error { return syscall.Exec("/bin/true", []string{"true"}, nil) },
	"start a process":     func() error { _, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{}); return err },
	"fork": func() error {
		_, _, errno := syscall.RawSyscall(unix.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0)
		return number(errno)
	},
	"signal its parent":     func() error { return syscall.Kill(os.Getppid(), syscall.SIGCONT) },
	"signal by thread":      func() error { return unix.Tgkill(os.Getppid(), os.Getppid(), syscall.SIGCONT) },
	"signal everybody":      func() error { return syscall.Kill(-1, 0) },
	"trace its parent":      func() error { return unix.PtraceAttach(os.Getppid()) },
	"read another's memory": func() error { _, err := unix.ProcessVMReadv(os.Getppid(), nil, nil, 0); return err },
	"map code": func() error {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
		return err
	},
	"raise its limits": func() error { return unix.Prlimit(0, unix.RLIMIT_DATA, &unix.Rlimit{Cur: 1 << 40, Max: 1 << 40}, nil) },
	"limit its parent": func() error {
		return unix.Prlimit(os.Getppid(), unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 1 << 10, Max: 1 << 10}, nil)
	},
	"become another user": func() error { _, _, errno := syscall.RawSyscall(unix.SYS_SETUID, 65534, 0, 0); return number(errno) },
	"leave its namespace": func() error { return unix.Unshare(unix.CLONE_NEWUSER) },
	"use io_uring": func() error {
		_, _, errno := syscall.RawSyscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
		return number(errno)
	},
	"make shared memory": func() error { _, err := unix.MemfdCreate("x", 0); return err },
	"loosen the filter":  func() error { return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, 0, 0, 0) },
	"live on alone":      func() error { return unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0) },
}

func number(errno syscall.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

const succeeded = "succeeded"

func init() {
	for name, attempt := range attempts {
		probes[name] = func(out io.Writer) {
			var mu sync.Mutex
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					time.Sleep(time.Millisecond) // so that the four are on different threads
					err := attempt()
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						fmt.Fprintln(out, succeeded)
					} else {
						fmt.Fprintln(out, err)
					}
				})
			}
			group.Wait()
		}
	}
	probes["environment"] = func(out io.Writer) { fmt.Fprint(out, strings.Join(os.Environ(), " ")) }
	probes["stack"] = func(out io.Writer) { deep(0) }
	probes["panic"] = func(out io.Writer) { panic("a panic\nof two lines") }
	probes["memory"] = func(out io.Writer) {
		kept = make([]byte, 1<<30)
		fmt.Fprint(out, len(kept))
	}
	probes["errors"] = func(out io.Writer) {
		for range 1000 {
			_, _ = syscall.Write(2, make([]byte, 1024)) // as Go's runtime does
		}
		fmt.Fprint(out, "over")
	}
	probes["hang"] = func(out io.Writer) { time.Sleep(time.Minute) }
}

var kept []byte

func deep(n int) int {
	var room [1024]int
	room[n%1024] = n
	if n < 0 {
		return 0
	}
	return deep(n+1) + room[(n+1)%1024]
}

// probe starts a child that tries something, and returns what it said and how it
// died.
func probe(t *testing.T, name string) (string, runtime.Death) {
	t.Helper()
	p, err := start(name, runtime.DefaultMemory)
	if err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(20*time.Second, p.Kill)
	defer timer.Stop()
	if err := p.greet(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	said, _ := io.ReadAll(p.out)
	return string(said), p.Wait()
}

// TestConfinement holds that a child can do nothing but talk to its parent.
func TestConfinement(t *testing.T) {
	for name := range attempts {
		said, death := probe(t, name)
		killed := strings.Contains(death.Message, "may not do")
		refused := strings.Contains(said, "not permitted") || strings.Contains(said, "permission denied")
		if strings.Contains(said, succeeded) || !killed && !refused {
			t.Errorf("%s: %q, %+v", name, said, death)
		}
	}
	for _, path := range []string{"/tmp/codemode-probe"} {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there", path)
		}
	}
}

func TestChildHasNothing(t *testing.T) {
	if err := os.Setenv("CODEMODE_SECRET", "1"); err != nil {
		t.Fatal(err)
	}
	if said, _ := probe(t, "environment"); said != strings.Join(environment(), " ") {
		t.Errorf("environment: %q", said)
	}
	leaked, err := syscall.Open("/etc/passwd", syscall.O_RDONLY, 0) // and not closed on exec
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(leaked)
	p, err := start("hang", 128<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Wait()
	defer p.Kill()
	if err := p.greet(); err != nil {
		t.Fatal(err)
	}
	dir := fmt.Sprintf("/proc/%d/fd", p.pid)
	open, err := os.ReadDir(dir)
	if err != nil || len(open) < 4 {
		t.Error(open, err)
	}
	for _, fd := range open {
		what, _ := os.Readlink(dir + "/" + fd.Name())
		n := fd.Name()
		ours := len(n) == 1 && n <= "3"
		if !ours && !strings.HasPrefix(what, "anon_inode:[event") || ours && !strings.HasPrefix(what, "pipe:") {
			t.Errorf("descriptor %s is %s", n, what)
		}
	}
}

// TestDeaths says how the end of a child is told.
func TestDeaths(t *testing.T) {
	for name, want := range map[string]runtime.Death{
		"stack": {Kind: runtime.KindSandbox, Message: "stack overflow: the script nests deeper than a built-in of the engine can follow"},
		"panic": {Kind: runtime.KindSandbox, Message: "the sandbox process failed: panic: a panic"},
	} {
		if _, got := probe(t, name); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if _, got := probe(t, "memory"); memoryIsLimited && got.Kind != runtime.KindMemory {
		t.Errorf("memory: %+v", got)
	}
	if said, _ := probe(t, "errors"); said != "over" {
		t.Errorf("a child that writes many errors: %q", said)
	}
	p, err := start("hang", 128<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(p.pid, unix.SIGKILL); err != nil { // as the kernel does when memory runs out
		t.Error(err)
	}
	if got := p.Wait(); got.Kind != runtime.KindMemory {
		t.Errorf("killed by somebody: %+v", got)
	}
}

// TestProtections names what is in force, which on this kernel should be all.
func TestProtections(t *testing.T) {
	list, err := Protections()
	if err != nil || len(list) != len(protectionList) {
		t.Fatal(list, err)
	}
	for _, p := range list {
		t.Logf("%-20s %v", p.Name, p.InForce)
		if !p.InForce && (p.Name == "seccomp" || p.Name == "no new privileges" || p.Name == "dies with its parent") {
			t.Errorf("%s is not in force", p.Name)
		}
	}
}

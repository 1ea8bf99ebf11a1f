package worker

import (
	"os"
	stdruntime "runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A child whose script awaits one short call after the other, and its parent,
// take turns: one of them always waits. The kernel nevertheless gives each its own
// processor, so that each turn has to wake an idle one, and on many machines that
// costs several times all the rest of a call. So for as long as they take turns
// quickly, the child is kept on the processor on which its parent waits.
const (
	quick     = 500 * time.Microsecond // what a turn takes at most
	quickOnes = 8                      // how many of them there must be first
	watchTurn = 5 * time.Millisecond   // how often it is looked whether they go on
)

// turns are those of one child and its parent.
type turns struct {
	// Of who reads:
	last     time.Time // when something came
	quick    int       // turns in a row
	own      unix.CPUSet
	child    unix.CPUSet // what the child may use when it is not kept
	unusable bool

	kept  atomic.Int64 // the processor on which the child is kept, and 1; or 0
	taken atomic.Uint64
}

// read reads what the child says. Only while it waits, this goroutine's thread is
// bound to its processor: what it does else, and what it starts, is as free as
// ever.
func (p *process) read(b []byte) (int, error) {
	t := &p.turns
	if t.quick < quickOnes || t.unusable {
		n, err := p.out.Read(b)
		p.cameAt(time.Now())
		return n, err
	}
	stdruntime.LockOSThread()
	defer stdruntime.UnlockOSThread()
	here, ok := p.keep()
	if !ok {
		t.unusable = true
		return p.out.Read(b)
	}
	one := processorSet(here)
	bind(0, &one)
	n, err := p.out.Read(b)
	bind(0, &t.own)
	t.taken.Add(1)
	p.cameAt(time.Now())
	return n, err
}

func (p *process) cameAt(now time.Time) {
	t := &p.turns
	if now.Sub(t.last) > quick {
		t.quick = 0
		p.release()
	} else {
		t.quick++
	}
	t.last = now
}

// keep keeps the child on the processor of this thread, and says which it is.
func (p *process) keep() (here int, ok bool) {
	here = processor()
	if here < 0 {
		return 0, false
	}
	return here, p.turns.kept.Load() == int64(here)+1 || p.move(here)
}

// move moves the child to a processor.
func (p *process) move(to int) bool {
	t := &p.turns
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return false
	}
	first := t.kept.Load() == 0
	if first && (unix.SchedGetaffinity(0, &t.own) != nil || unix.SchedGetaffinity(p.pid, &t.child) != nil || t.own.Count() < 2 || !t.child.IsSet(to)) {
		return false
	}
	one := processorSet(to)
	if !bind(p.pid, &one) {
		return false
	}
	t.kept.Store(int64(to) + 1)
	if first {
		time.AfterFunc(watchTurn, func() { p.watch(t.taken.Load()) })
	}
	return true
}

// watch frees the child when no turn was taken for a while: it has more to do.
func (p *process) watch(before uint64) {
	taken := p.turns.taken.Load()
	switch {
	case p.turns.kept.Load() == 0:
	case taken == before:
		p.release()
	default:
		time.AfterFunc(watchTurn, func() { p.watch(taken) })
	}
}

// release lets the child go where the kernel wants it.
func (p *process) release() {
	if p.turns.kept.Load() == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped && p.turns.kept.Swap(0) != 0 {
		bind(p.pid, &p.turns.child)
	}
}

// stayOnThread has the child's engine run on the thread that its parent knows.
func stayOnThread() {
	if unix.Gettid() == os.Getpid() {
		stdruntime.LockOSThread()
	}
}

func processorSet(n int) (set unix.CPUSet) {
	set.Set(n)
	return set
}

// processor is the one on which this thread runs, or -1.
func processor() int {
	var n uint32
	if _, _, errno := syscall.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&n)), 0, 0); errno != 0 {
		return -1
	}
	return int(n)
}

// bind says on which processors a thread may run.
func bind(thread int, to *unix.CPUSet) bool {
	_, _, errno := syscall.RawSyscall(unix.SYS_SCHED_SETAFFINITY, uintptr(thread), unsafe.Sizeof(*to), uintptr(unsafe.Pointer(to)))
	return errno == 0
}

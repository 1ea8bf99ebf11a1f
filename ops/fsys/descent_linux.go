package fsys

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A descent goes down a tree depth first, in one goroutine, which opens and
// lists the directories. What lies in them besides directories it leaves to
// workers, in parts: those are where the time goes, and they need nothing of
// each other. It goes on while they work, as far ahead as the queue is long;
// when that is full it does a part itself. A directory is done when its parts
// and its subdirectories are, whoever finishes the last one.
//
// Each directory under way is open, so the queue bounds descriptors, too, and
// they are bounded by depth as said at [maxOpen].
type descent struct {
	job       job
	wait      bool // nothing in a directory is worked on before all of it is listed
	buf       []byte
	self      *worker // of the goroutine that descends
	extra     []*worker
	queue     chan part
	most      int // workers
	met       int // entries so far
	active    sync.WaitGroup
	open      atomic.Int64 // parts that are queued or worked on
	nodes     atomic.Int64 // directories that are open
	mostNodes int64

	unnumbered bool          // the numbers of entries mean nothing here, see isFUSE
	done       chan struct{} // closed when the top is done
	failed     atomic.Pointer[error]
}

// job is what is done with a tree. Its errors end the descent.
type job interface {
	// enter opens the directory n, whose parent is open. When it fails for want
	// of descriptors it is called once more.
	enter(n *node) error
	// listed is called when n.listing is complete, before anything is gone into.
	listed(n *node) error
	// entry works on an entry of n that is no directory.
	entry(w *worker, n *node, e listed) error
	// leave is called when everything in n is done.
	leave(w *worker, n *node) error
	// stop is called instead after a failure anywhere.
	stop(w *worker, n *node)
	// fail words an error that concerns something in n, or n itself with "".
	fail(n *node, name, op string, err error) error
}

// worker is what each goroutine has for itself.
type worker struct {
	id       int
	object   Object
	record   []byte
	buf      []byte
	survey   Survey
	progress struct{ entries, bytes int64 }
	done     *Progress
}

// part is a part of the listing of a directory.
type part struct {
	in       *node
	block    block
	from, to int
	count    int // of entries to work on
}

const (
	// partSize is how many entries make a part: enough to be worth handing
	// over, and not so many that workers meet in one directory, which the
	// kernel lets only one of them change at a time.
	partSize = 256
	// smallTree is done by one goroutine: waking another costs more.
	smallTree = 96
)

// limits is how many workers, how long a queue and how many open directories
// there may be. Eight workers on two cores are no faster than two as long as the
// cores are busy, and much faster when they wait for a disk. A worker holds two
// descriptors, a directory up to two, and the way down counts as well.
func limits() (workers, queue int, directories int64) {
	workers, queue, directories = max(8, 2*runtime.GOMAXPROCS(0)), 32, 256
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil {
		room := max(int(min(limit.Cur, 1<<20))-64, 8) / 4
		workers, queue, directories = min(workers, max(room/4, 1)), min(queue, room/2), min(directories, int64(room))
	}
	return min(workers, mostWorkers), queue, directories
}

// descend does a job with the directory name in the node above. It returns all
// workers, also with an error.
func descend(job job, wait bool, up *node, name cname, done *Progress) ([]*worker, error) {
	workers, queue, directories := limits()
	d := &descent{
		job: job, wait: wait, buf: make([]byte, 32<<10), self: &worker{done: done}, queue: make(chan part, queue),
		most: workers - 1, mostNodes: directories, done: make(chan struct{}),
	}
	up.left.Store(1)
	up.users++
	if err := d.directory(up, name); err != nil {
		d.fail(err)
	}
	d.finish(d.self, up)
	d.help(d.done)
	close(d.queue)
	d.active.Wait()
	all := append(d.extra, d.self)
	if failed := d.failed.Load(); failed != nil {
		return all, *failed
	}
	return all, nil
}

// directory goes down into one directory and comes up again.
func (d *descent) directory(up *node, name cname) error {
	n := &node{up: up, name: name, depth: up.depth + 1, opened: &d.nodes}
	if d.nodes.Load() >= d.mostNodes {
		d.drain()
	}
	enter := func() error { return d.job.enter(n) }
	err := guarded(enter)
	if scarce(err) {
		d.drain()
		err = guarded(enter)
	}
	if err != nil {
		return err
	}
	d.nodes.Add(1)
	if n.depth == 0 {
		d.unnumbered = isFUSE(n.from.fd)
	}
	up.left.Add(1)
	n.left.Store(1)
	n.users = 1
	deep := up.depth >= maxOpen
	if deep {
		up.drop()
	}
	err = guarded(func() error { return d.contents(n) })
	if deep {
		if again := up.hold(n); again != nil && err == nil {
			err = d.job.fail(n, "", "leave", again)
		}
	}
	if err != nil {
		d.fail(err)
	}
	d.finish(d.self, n)
	return err
}

func scarce(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE)
}

// contents lists n, hands out what is no directory, and goes into the rest.
func (d *descent) contents(n *node) error {
	var (
		dirs    []cname
		waiting []part
	)
	for d.failed.Load() == nil {
		b, err := readBlock(n.from.fd, d.buf)
		if err != nil {
			return d.job.fail(n, "", "list", err)
		}
		if b == "" {
			break
		}
		for p := (part{in: n, block: b}); p.to < len(b); p.from, p.count = p.to, 0 {
			for p.to < len(b) && p.count < partSize {
				e, next := b.next(p.to)
				p.to = next
				if e.self() {
					continue
				}
				if d.unnumbered {
					e.ino = 0
				}
				n.listing.add(e.name.String(), e.ino, e.kind)
				if e.kind == unix.DT_DIR {
					dirs = append(dirs, e.name)
				} else {
					p.count++
				}
			}
			switch {
			case p.count == 0:
			case d.wait:
				waiting = append(waiting, p)
			default:
				d.submit(p)
			}
		}
	}
	if err := d.job.listed(n); err != nil {
		return err
	}
	for _, p := range waiting {
		d.submit(p)
	}
	waiting = nil
	for _, name := range dirs {
		if d.failed.Load() != nil {
			return nil
		}
		if err := d.directory(n, name); err != nil {
			return err
		}
	}
	return nil
}

// submit hands a part to the workers, or does it itself.
func (d *descent) submit(p part) {
	p.in.left.Add(1)
	p.in.share()
	d.open.Add(1)
	if d.met += p.count; d.met <= smallTree {
		d.work(d.self, p)
		return
	}
	if len(d.extra) < d.most && len(d.queue) >= len(d.extra) {
		w := &worker{id: len(d.extra) + 1, done: d.self.done}
		d.extra = append(d.extra, w)
		d.active.Go(func() {
			for p := range d.queue {
				d.work(w, p)
			}
		})
	}
	select {
	case d.queue <- p:
	default:
		d.work(d.self, p)
	}
}

// work does a part, or nothing any more after a failure.
func (d *descent) work(w *worker, p part) {
	err := guarded(func() error {
		for at := p.from; at < p.to && d.failed.Load() == nil; {
			e, next := p.block.next(at)
			at = next
			if e.kind == unix.DT_DIR || e.self() {
				continue
			}
			if err := d.job.entry(w, p.in, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		d.fail(err)
	}
	p.in.bytes.Add(w.progress.bytes)
	w.flush()
	d.finish(w, p.in)
	d.open.Add(-1)
}

// guarded makes a panic, such as of a visit, the end of the descent and not of
// the whole program, which cannot recover it on these goroutines.
func guarded(act func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the engine failed: %v", r)
		}
	}()
	return act()
}

// isFUSE reports whether a directory lies on a file system that may number an
// entry differently each time it lists it.
func isFUSE(fd int) bool {
	var st unix.Statfs_t
	return unix.Fstatfs(fd, &st) == nil && int64(st.Type) == unix.FUSE_SUPER_MAGIC
}

// finish takes one off what is left of n, together with the caller's hold. The
// last one leaves n.
func (d *descent) finish(w *worker, n *node) {
	for {
		if n.left.Add(-1) > 0 {
			n.drop()
			return
		}
		up := n.up
		if up == nil {
			close(d.done)
			return
		}
		if err := up.hold(n); err != nil {
			d.fail(d.job.fail(n, "", "leave", err))
		}
		if d.failed.Load() == nil {
			if err := d.job.leave(w, n); err != nil {
				d.fail(err)
			}
		} else {
			d.job.stop(w, n)
		}
		w.flush()
		n.close()
		n = up
	}
}

// fail keeps the first error.
func (d *descent) fail(err error) { d.failed.CompareAndSwap(nil, &err) }

// help works until something is closed.
func (d *descent) help(until <-chan struct{}) {
	for {
		select {
		case <-until:
			return
		case p := <-d.queue:
			d.work(d.self, p)
		}
	}
}

// drain waits for everything that is under way, so that its descriptors are
// free again.
func (d *descent) drain() {
	for d.open.Load() > 0 {
		select {
		case p := <-d.queue:
			d.work(d.self, p)
		default:
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// count takes an object into the progress, which is told to others in steps:
// an atomic addition for every entry would make the workers wait for each other.
func (w *worker) count(info *Info) {
	w.progress.entries++
	w.progress.bytes += info.size()
	if w.progress.bytes > chunk {
		w.flush()
	}
}

func (w *worker) flush() {
	if w.progress.entries > 0 || w.progress.bytes > 0 {
		w.done.Entries.Add(w.progress.entries)
		w.done.Bytes.Add(w.progress.bytes)
		w.progress.entries, w.progress.bytes = 0, 0
	}
}

package ops

import (
	"os"
	"sync"
	"time"
)

// lookTime is how long an abandoned call may take to look at the disk. Whoever
// waits for its receipt waits longer, see package bindings.
const lookTime = 100 * time.Millisecond

// evidence looks at the disk: after a failure, and of an execution that goes on
// unwatched, only the disk can tell. Where that hangs, what was not seen is what
// it was before the execution.
func (x *execution) evidence() (e *Evidence, seen bool) {
	l := look{evidence: Evidence{
		Entries: x.done.Entries.Load(), Bytes: x.done.Bytes.Load(), SourceExists: !x.req.makes() || x.p.dest != nil, TargetExists: x.p.target != nil && x.p.dest != nil,
	}}
	if phase := x.phase.Load(); phase != nil {
		l.evidence.Phase = *phase
	}
	if !x.p.abandoned {
		l.around(x)
		return &l.evidence, true
	}
	done := make(chan struct{})
	go func() {
		l.around(x)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(lookTime):
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	snapshot := l.evidence
	return &snapshot, l.complete
}

// look is a look at the disk on its way.
type look struct {
	mu       sync.Mutex
	evidence Evidence
	complete bool
}

func (l *look) around(x *execution) {
	see := func(note func(*Evidence)) {
		l.mu.Lock()
		defer l.mu.Unlock()
		note(&l.evidence)
	}
	source := exists(x.p.source.Path)
	see(func(e *Evidence) { e.SourceExists = source })
	path := ""
	if x.p.target != nil {
		path = x.p.target.Path
		target := exists(path)
		see(func(e *Evidence) { e.TargetExists = target })
	}
	left := Leftovers(x.p.source.Path, path, x.p.hidden, x.parent, exists)
	see(func(e *Evidence) { e.Leave(left); l.complete = true })
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

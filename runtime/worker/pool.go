package worker

import (
	"errors"
	"sync"
	"time"

	"codemode/runtime"
)

var (
	errNotEntered = errors.New("this program does not call worker.Main first in main, so a child of it would not be an engine")
	errClosed     = errors.New("the pool is closed")
)

// longRun is when a run has lasted so long that another may come before its end.
const longRun = 30 * time.Millisecond

// maxSpares bounds how many children may wait.
const maxSpares = 16

// Config says how a [Pool] works. The zero value starts a child when a run needs
// it.
type Config struct {
	// Spares is how many children are kept started ahead, at most 16. Each
	// waits with some 10 MB of memory of its own.
	Spares int
	// Memory is the limit of the spares; 0 means [runtime.DefaultMemory]. A run
	// with another limit gets a child that is started for it.
	Memory int64
}

// A Pool gives each run a fresh child process. It is a [runtime.Engine] and may
// be used by any number of runs at once.
type Pool struct {
	config Config

	mu       sync.Mutex
	spares   []*process
	used     map[*process]bool // children of runs, as long as something is left of them
	starting int
	closed   bool
	started  sync.WaitGroup
}

// New returns a pool, which begins to start its spares.
func New(c Config) *Pool {
	if c.Memory <= 0 {
		c.Memory = runtime.DefaultMemory
	}
	c.Spares = min(max(c.Spares, 0), maxSpares)
	p := &Pool{config: c, used: map[*process]bool{}}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refill()
	return p
}

// Start gives a child for one run, a spare one if there is one.
func (p *Pool) Start(memory int64) (runtime.Process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	if memory == p.config.Memory {
		for len(p.spares) > 0 {
			spare := p.spares[0]
			p.spares = p.spares[1:]
			if spare.alive() {
				p.use(spare)
				time.AfterFunc(longRun, p.replace)
				return spare, nil
			}
			spare.Wait()
		}
	}
	p.mu.Unlock()
	child, err := start(modeRun, memory)
	p.mu.Lock()
	if err != nil {
		return nil, err
	}
	p.use(child)
	return child, nil
}

// use notes that a run has a child. The pool is locked.
func (p *Pool) use(child *process) {
	p.used[child] = true
	child.gone = func() {
		p.mu.Lock()
		delete(p.used, child)
		p.mu.Unlock()
		p.replace()
	}
}

// replace is called when a run is over, or lasts: until then its child needs the
// machine more than its successor does.
func (p *Pool) replace() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refill()
}

// refill begins to start the spares that are missing. The pool is locked.
func (p *Pool) refill() {
	for !p.closed && len(p.spares)+p.starting < p.config.Spares {
		p.starting++
		p.started.Go(func() {
			spare, err := start(modeSpare, p.config.Memory)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.starting--
			switch {
			case err != nil: // the next run that needs one says what is wrong
			case p.closed:
				discard(spare)
			default:
				p.spares = append(p.spares, spare)
			}
		})
	}
}

// Close ends the spares and returns when nothing is left of them, nor of the
// children of runs that are over. Runs that are under way go on; no other begins.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	spares := p.spares
	p.spares = nil
	var over []*process
	for child := range p.used {
		if child.dying() {
			over = append(over, child)
		}
	}
	p.mu.Unlock()
	for _, spare := range spares {
		spare.Kill()
	}
	for _, spare := range spares {
		spare.Wait()
	}
	for _, child := range over {
		<-child.left
	}
	p.started.Wait()
}

func discard(spare *process) {
	spare.Kill()
	spare.Wait()
}

package worker

import (
	"io"
	"os"
	"sync"
	"time"

	"codemode/runtime"
)

// lingering is how long a child may take to die by itself once its channel has
// ended. It is then killed.
const lingering = 20 * time.Millisecond

// A process is a child as its parent sees it: a [runtime.Process].
type process struct {
	in  *os.File // its standard input, which we write
	out *os.File // its standard output, which we read
	err *os.File // its standard error, which is read when it is dead: no more is kept than a pipe holds

	control *os.File // a pipe to its fourth descriptor

	gone    func()        // told when nothing is left of the child, or nil
	left    chan struct{} // closed then
	memory  int64
	greeted bool
	inForce protections
	turns   turns

	mu     sync.Mutex
	system // how the operating system knows it
	killed bool
	reaped bool
}

// start starts a child, which will be good for one run or one session.
func start(mode string, memory int64) (*process, error) {
	if !entered.Load() {
		return nil, errNotEntered
	}
	p := &process{memory: memory, left: make(chan struct{})}
	if err := p.spawn(mode); err != nil {
		return nil, err
	}
	return p, nil
}

// greet reads the child's hello.
func (p *process) greet() error {
	if p.greeted {
		return nil
	}
	p.greeted = true
	hello := make([]byte, helloSize)
	if _, err := io.ReadFull(p.out, hello); err != nil {
		return err
	}
	var err error
	p.inForce, err = readHello(hello)
	return err
}

// Read reads what the child says.
func (p *process) Read(b []byte) (int, error) {
	if err := p.greet(); err != nil {
		return 0, err
	}
	return p.read(b)
}

// Write says something to the child.
func (p *process) Write(b []byte) (int, error) { return p.in.Write(b) }

// Interrupt asks the child to stop the script of a run.
func (p *process) Interrupt(run byte) { _, _ = p.control.Write([]byte{run}) }

// Kill kills the child at once.
func (p *process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		p.killed = true
		p.end()
	}
}

// dying reports whether the child was killed.
func (p *process) dying() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed
}

// Wait lets the child die and leaves nothing of it.
func (p *process) Wait() runtime.Death {
	patience := time.AfterFunc(lingering, p.Kill)
	p.await()
	patience.Stop()
	p.mu.Lock()
	came := p.reap()
	p.reaped = true
	killed := p.killed
	p.mu.Unlock()
	came.killed = killed
	came.said = p.lastWords()
	p.in.Close()
	p.out.Close()
	p.err.Close()
	p.control.Close()
	close(p.left)
	if p.gone != nil {
		p.gone()
	}
	return came.explain(p.memory)
}

package main

import (
	"context"
	"errors"
	"io"
	"sync"

	"codemode/ops"
	"codemode/ops/policy"
)

// inFlight knows the operation that is changing the disk, if there is one, and
// tells whoever interrupts it why nothing seems to happen.
type inFlight struct {
	s    *screen
	mute bool // nobody is there to be told

	mu          sync.Mutex
	doing       string // empty: nothing
	interrupted bool
	told        bool
}

// announce lets the person know, once the context is interrupted, what is
// still being finished. The returned function is told of every operation that
// begins.
func (s *screen) announce(ctx context.Context) (begin func(ops.Activity) (ended func()), release func()) {
	f := &inFlight{s: s}
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), errInterrupted) {
			f.interrupt()
		}
	})
	return f.begin, func() { stop() }
}

func (f *inFlight) begin(a ops.Activity) (ended func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.doing = string(a.Operation) + " of " + policy.Printable(a.Path)
	f.tell() // the interruption may have come between the last look and this
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.doing = ""
	}
}

// busy reports whether an operation is changing the disk.
func (f *inFlight) busy() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.doing != ""
}

// again forgets an interruption, since something new begins.
func (f *inFlight) again() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.interrupted, f.told = false, false
}

func (f *inFlight) interrupt() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.interrupted = true
	f.tell()
}

func (f *inFlight) tell() {
	if f.doing == "" || !f.interrupted || f.told || f.mute {
		return
	}
	f.told = true
	f.s.newLine()
	f.s.complain("interrupted: the " + f.doing + " has begun and is being finished; nothing else will be started. " +
		"Ctrl-C again stops waiting for it, and what became of it is then unknown")
}

// newLine leaves the line where the terminal has echoed what was typed.
func (s *screen) newLine() {
	switch {
	case !s.errTTY:
	case s.dumb:
		io.WriteString(s.stderr(), "\n")
	default:
		io.WriteString(s.stderr(), wipeLine)
	}
}

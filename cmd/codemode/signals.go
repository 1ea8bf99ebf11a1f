package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// stopping is how a command hears that it should end.
type stopping struct {
	ctx     context.Context
	abandon <-chan struct{} // closed when even what is in flight is given up
	release func()
}

// listen turns the first SIGINT, SIGTERM or hang-up into the end of the context
// and the second into abandon. A third one ends the process, as it does by
// default.
func listen() *stopping {
	ctx, cancel := context.WithCancelCause(context.Background())
	abandon := make(chan struct{})
	arrived := catch()
	over := make(chan struct{})
	go func() {
		select {
		case <-arrived:
			cancel(errInterrupted)
		case <-over:
			return
		}
		select {
		case <-arrived:
			signal.Stop(arrived)
			close(abandon)
		case <-over:
		}
	}()
	var once sync.Once
	return &stopping{ctx: ctx, abandon: abandon, release: func() {
		once.Do(func() {
			close(over)
			signal.Stop(arrived)
			cancel(nil)
		})
	}}
}

// catch takes the signals that ask the program to end.
//
// A closed standard output raises SIGPIPE, whose default would end the process
// in the middle of an operation. It is taken and dropped: the write then
// fails, and what else the program does goes on. It is not ignored, since
// hooks and git would inherit that.
func catch() (arrived chan os.Signal) {
	arrived = make(chan os.Signal, 2)
	signal.Notify(arrived, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signal.Notify(arrived, syscall.SIGHUP)
	}
	notifyPipe(make(chan os.Signal, 1))
	return arrived
}

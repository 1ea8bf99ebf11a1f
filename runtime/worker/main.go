package worker

import (
	"os"
	"runtime/debug"
	"strconv"
	"sync/atomic"

	"codemode/runtime"
)

// What the command line of a child is: the program, the marker, the mode and the
// memory limit. Nobody else starts the program like that.
const (
	childMarker = "--codemode-sandbox-process"
	childArgs   = 4

	modeRun   = "run"   // a job is on its way
	modeSpare = "spare" // a job may come some time
)

// maxStack is how deep the Go stack of the engine may grow. Some built-ins
// recurse without limit; they shall end at once and not take all memory first.
const maxStack = 64 << 20

// entered is whether Main was called: only then does a child of this program
// become an engine.
var entered atomic.Bool

// Main must be the first thing that main does, and TestMain where tests use this
// package. In a process that was started as a child it does the child's work and
// never returns; in any other it returns at once.
func Main() {
	entered.Store(true)
	if len(os.Args) != childArgs || os.Args[1] != childMarker {
		return
	}
	memory, err := strconv.ParseInt(os.Args[3], 10, 64)
	if err != nil {
		os.Exit(1)
	}
	child(os.Args[2], memory)
	os.Exit(0)
}

// child is the life of a child. Nothing of the script is read before the child
// is confined.
func child(mode string, memory int64) {
	stayOnThread()
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(memory - memory/4)
	in, out := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = nil, nil // the channel is nobody else's
	control := controlEnd()
	inForce := confine(memory)
	if _, err := out.Write(appendHello(nil, inForce)); err != nil {
		os.Exit(1)
	}
	if probe := probes[mode]; probe != nil {
		probe(out)
		return
	}
	runtime.Serve(in, out, control, mode == modeSpare)
}

package runtime

import "io"

// An Engine provides the processes in which the JavaScript engine of a run can
// live instead of this one. Package worker has the one to use; a nil Engine in
// [Options] keeps the JavaScript engine in this process.
type Engine interface {
	// Start gives a process in which [Serve] runs, for one run or one [Session].
	// Memory is its limit in bytes.
	Start(memory int64) (Process, error)
}

// A Process is one process of an [Engine], good for one run or one [Session].
// Nothing that it says is believed.
type Process interface {
	// Read and Write are its channel. They block, and end with an error soon
	// after the process has died.
	io.ReadWriter
	// Interrupt sends a byte, the number of the run that it is meant for, down the
	// control of Serve. It does not block.
	Interrupt(run byte)
	// Kill ends the process at once. It may be called at any time, from any
	// goroutine and more than once.
	Kill()
	// Wait kills the process if it is alive, returns when nothing is left of it
	// and says how it died. It is called once, when nobody reads any more; after
	// a run that has ended well this may be after its report.
	Wait() Death
}

// Death is how a [Process] died: a kind of [Error] and a message.
type Death struct{ Kind, Message string }

// DefaultMemory is what a script may use in a process of its own when
// [Options.Memory] does not say.
const DefaultMemory = 256 << 20

// A half is the engine's half of a run as the host's half sees it: a [sandbox]
// in this process, or a [remote] in another one.
type half interface {
	downward
	// runFor runs the script and says how it has ended, here or on a goroutine that
	// went on with it.
	runFor(ended chan<- outcome)
	// kill ends the half whatever it does, and reports whether it can: then the end
	// comes soon.
	kill() bool
}

// kill cannot be done to a goroutine. A sandbox that does not stop goes on
// alone; the supervisor no longer listens to it.
func (s *sandbox) kill() bool { return false }

// newHalf makes the engine's half where the options want it: that of the session,
// if there is one.
func newHalf(j job, host upward, o Options) (half, error) {
	if kept := o.Session.engine(); kept != nil {
		kept.again(j, host)
		return kept, nil
	}
	if o.Engine == nil {
		return newSandbox(j, host), nil
	}
	j.Memory = o.Memory
	process, err := o.Engine.Start(o.Memory)
	if err != nil {
		return nil, err
	}
	return newRemote(process, j, host), nil
}

package runtime

// The half that holds the engine and the half that faces the host talk through
// the two interfaces of this file and in no other way. Everything that passes is
// plain data, each method is one frame, and no method waits for the other half
// except store, load and module, which are a question and its answer. So a pipe
// between two processes can stand where this file has method calls: see remote.go for the
// host's end of it, channel.go for the engine's, and frame.go for what passes.

// job is what the host's half sends first.
type job struct {
	Script Script
	Tools  []Tool
	Memory int64 // the limit in bytes, where the engine has a process of its own
	Keep   bool  // the engine is to be ready for another job afterwards
	Run    byte  // the number of the run in its session, and then from 0 again
}

// outcome is what the engine's half says last.
type outcome struct {
	Value []byte // JSON
	Shown string // of an interactive script: the value for a person to read
	Err   *Error

	Incomplete bool // the script does not parse only because it ends too early
	Spent      bool // the engine cannot serve another run

	Relieved bool // there is none yet: another goroutine goes on with the run
}

// upward is what the engine's half can say.
type upward interface {
	// call announces a call that the script made. It is not to be carried out
	// before the next release. Alone says that every call before it was
	// answered when the script made it.
	call(id uint64, c Call, alone bool)
	// seen says that the script has had the result of a call, and that what it
	// did about that has been said. Only then may the next call be carried out
	// that it made before: a failure that it does not handle stops that one. It
	// is not said where no call is waiting. seenAll says that the script has
	// ended and will take no notice of any result.
	//
	// With here the host may carry out on this goroutine, before seen or release
	// returns, what may be carried out now.
	seen(id uint64, here bool)
	// release lets the calls announced so far be carried out.
	release(here bool)
	// fail says that the script has failed: no call not yet begun is to be
	// carried out, nor any announced later.
	fail()
	// output is something that the script showed.
	output(o Output)
	// store and load are the script's functions of that name.
	store(key string, value []byte) error
	load(key string) ([]byte, bool)
	// module is the question for a file that the script imports.
	module(specifier, importer string) (name, source string, err error)
}

// seenAll is the number of no call, see [upward].
const seenAll = 1<<64 - 1

// downward is what the host's half can say. Its methods never block and may be
// used from any goroutine.
type downward interface {
	// settle gives the result of the call announced with id.
	settle(id uint64, r Result)
	// stop ends the script as soon as the engine lets it.
	stop()
}

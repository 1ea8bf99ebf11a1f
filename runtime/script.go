package runtime

import (
	"context"
	"encoding/json"
	"time"
)

// MaxSource is the length in bytes beyond which a script is refused.
const MaxSource = 1 << 20

// Script is what to run: the body of an async function, so that await and
// return work at the top level.
type Script struct {
	Name   string   // shown in stacks; "script.js" when empty
	Source string   // TypeScript or JavaScript
	Args   []string // `args` in the script, a frozen array
	File   string   // its absolute path, for import.meta, __filename and __dirname; "" if it has none

	// Deterministic makes runs of one script equal: Date begins at a fixed time
	// and moves by itself, Math.random and crypto follow a fixed seed, and the time
	// zone is UTC. What the tools answer, and when, is the host's.
	Deterministic bool

	// Interactive makes it one input of a person at a prompt: its value is that of
	// its last statement when it returns none, which also becomes the global `_`,
	// and [Report.Shown] is how that value is printed. Input that starts with a
	// brace is an object where that makes sense. It ends when its timers have, too.
	Interactive bool
	// Colours lets [Report.Shown] have the colours of a terminal.
	Colours bool
	// Inquiry, where it is not empty, is what is to be found out instead of
	// running the source.
	Inquiry Inquiry

	// Globals are further global names, each with its JSON value. A lone
	// surrogate U+DC80–U+DCFF in them is a stray byte of a file name.
	Globals map[string]json.RawMessage
}

// Tool is one function of the script's `tools` object.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Call is one call of a tool. Its argument was copied out of the engine once,
// when the script made the call; nothing the script does later changes it.
type Call struct {
	Name string

	// Args is the JSON text of the one argument: null when the script passed
	// null, an object as a rule. Members that were undefined are absent. Stray
	// bytes of file names are lone surrogates U+DC80–U+DCFF.
	Args []byte

	// Problem is not empty when the argument is not plain data or not there, and
	// says so in a sentence, such as "path is a function; pass plain data". Args
	// then holds what could be read, and the host must refuse the call.
	Problem string
}

// CallError is how a host refuses a call or reports its failure. The script
// sees it as an OperationError.
type CallError struct {
	Message string
	Props   []byte // a JSON object; its members become properties of the error
}

// Result is the outcome of one [Call]: a JSON value, or an error. An empty
// Value is undefined.
type Result struct {
	Value []byte
	Err   *CallError
}

// Host is the world outside the sandbox.
type Host interface {
	// Tools lists the functions of `tools`. It is called once per run.
	Tools() []Tool

	// Call carries out one call. Calls come one at a time, in the order in which
	// the script made them, on whatever goroutine. Once the script has failed, or
	// the run was stopped, every call still waiting comes too, with a context that
	// is already done, so that the host can record it as not applied. The context
	// of a call in flight is done when the run is stopped by its context or a
	// limit; the report waits for such a call to return. Call is never entered
	// after [Run] has returned.
	Call(ctx context.Context, c Call) Result

	// Store and Load back the script's store(key, value) and load(key). Values
	// are JSON. They may be called while a Call is in flight.
	Store(key string, value []byte) error
	Load(key string) ([]byte, bool)
}

// Options bound a run. The zero value has no deadline and the default limits.
type Options struct {
	// Deadline is when the run is stopped; nil means never.
	Deadline *Deadline

	// Engine is where the JavaScript engine lives; nil means in this process.
	// Package worker has one that gives each run a confined process of its own.
	Engine Engine

	// Session, where it is not nil, keeps the engine of this run for the next run
	// of the same session, see [NewSession].
	Session *Session

	// Memory bounds what a script may use, in bytes. With an Engine it is a hard
	// limit of the other process, half of which live data may take; 0 means
	// [DefaultMemory]. Without one it stops the run when the heap of this
	// process has grown by so much since its start; 0 means no limit. It is then
	// sampled, and the heap is shared with everything else in the process: a
	// script can outrun it with one large allocation.
	Memory int64

	// MaxOutput is how many bytes of text the report keeps; beyond it the middle
	// is left out, with a note. 0 means four bytes for each of the script's own
	// max_output_tokens, or 1 MiB.
	MaxOutput int

	// Grace is how long the report of a stopped run waits for the engine to
	// notice; 0 means 150 ms. With an Engine it means 10 ms, or 80 ms in a
	// session, which loses its state; the process is then killed. Without one, an engine that sits in a built-in goes on alone,
	// without any way to reach the host, until that built-in ends.
	Grace time.Duration

	// Abandon, once closed, stops the run at once and no longer waits for the
	// call in flight. Calls that were still waiting never reach the host.
	Abandon <-chan struct{}

	// OnOutput sees each piece of output when the script makes it. It is called
	// on the goroutine that hears the script.
	OnOutput func(Output)
}

const (
	defaultGrace     = 150 * time.Millisecond
	remoteGrace      = 10 * time.Millisecond // a script that can stop does so in less
	sessionGrace     = 80 * time.Millisecond // even where the machine is busy
	defaultMaxOutput = 1 << 20
)

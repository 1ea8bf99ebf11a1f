package bindings

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"

	"codemode/ops"
	"codemode/runtime"
)

// DefaultMaxOutput is how many bytes of output a report keeps when neither the
// host nor the script says less.
const DefaultMaxOutput = 1 << 20

// maxAbandonWait bounds how long an abandoned run waits for the receipt of the
// operation in flight, which the session gives up at the same moment, and for
// which it then looks at the disk for a tenth of a second at most.
const maxAbandonWait = 400 * time.Millisecond

// Options of one run. Limits are the host's; a script's own options line can
// only lower them.
type Options struct {
	Script runtime.Script
	// Path is the file that the script is, absolute or relative to the session's
	// directory: what it imports is found from there. Empty: the script has no
	// file and imports as if it lay in the session's directory.
	Path string
	// Modules, where it is not nil, holds the script, whose Path is then relative
	// to it, and all that the script may import: a script that comes with the
	// host's program imports none of the project's files.
	Modules fs.FS

	// Timeout is when the script is stopped; 0: never, unless it asks for it.
	// The clock stands still while a person is asked.
	Timeout time.Duration
	// Deadline, when set, is used instead of one made of Timeout, so that the
	// host can pause it by itself, too. Timeout then says how long it is: only a
	// script that asks for less gets a deadline of its own.
	Deadline *runtime.Deadline
	// Memory is the growth of the heap in bytes at which the script is stopped;
	// 0: no limit.
	Memory int64
	// MaxOutput is how many bytes of output the report keeps; 0:
	// [DefaultMaxOutput].
	MaxOutput int

	// Engine is where the script runs; nil: in this process, with what that
	// means (see the README of package runtime).
	Engine runtime.Engine
	// Session, where it is not nil, keeps what the script declares for later runs
	// with the same one, see [runtime.Session].
	Session *runtime.Session

	// OnOutput sees each piece of output when the script makes it.
	OnOutput func(runtime.Output)
	// Abandon, once closed, ends the run without waiting for the operation in
	// flight. The session should have the same, see [ops.Config.Abandon].
	Abandon <-chan struct{}
	// Store backs store and load. Nil: one for this run alone.
	Store *Store
	// RunID goes into the report.
	RunID string
}

// Run runs a script with the tools of s. It returns when the script has ended
// and no operation is in flight. The report holds the receipts of this run only.
func Run(ctx context.Context, s *ops.Session, o Options) Report {
	o = o.lowered()
	o.Script.File = o.file(s.Dir())
	h := &host{session: s, store: o.Store, abandon: o.Abandon, script: o.Script.Name, path: o.Path, modules: o.Modules}
	if h.store == nil {
		h.store = &Store{}
	}
	h.sealed = o.Script.Inquiry != "" // what is only asked calls nothing, whatever was done to the engine
	deadline := o.Deadline
	if o.Timeout > 0 {
		deadline = runtime.NewDeadline(o.Timeout)
		h.clocks = append(h.clocks, deadline)
	}
	if o.Deadline != nil {
		h.clocks = append(h.clocks, o.Deadline)
	}
	came := runtime.Run(ctx, o.Script, h, runtime.Options{
		Deadline: deadline, Memory: o.Memory, MaxOutput: o.MaxOutput, Abandon: o.Abandon, OnOutput: o.OnOutput, Engine: o.Engine, Session: o.Session,
	})
	if busy := h.seal(); busy != nil {
		select {
		case <-busy:
		case <-time.After(maxAbandonWait):
		}
	}
	return newReport(o.RunID, came, h.taken())
}

// file is the absolute path of the script: one that has no file is as if it lay
// in the session's directory.
func (o Options) file(dir string) string {
	switch {
	case o.Path == "":
		return filepath.Join(dir, "script.js")
	case filepath.IsAbs(o.Path):
		return o.Path
	}
	return filepath.Join(dir, o.Path)
}

// lowered applies what the script asks for in its options line. Timeout is left
// over only where a deadline is to be made of it. A malformed line is left to
// the runtime, which refuses the script.
func (o Options) lowered() Options {
	if o.MaxOutput <= 0 {
		o.MaxOutput = DefaultMaxOutput
	}
	asked, err := runtime.ParseOptionsLine(o.Script.Source)
	if err != nil {
		asked = runtime.ScriptOptions{}
	}
	if n := asked.MaxOutputTokens; n > 0 {
		o.MaxOutput = min(o.MaxOutput, n*bytesPerToken)
	}
	lower := asked.Timeout > 0 && (o.Timeout <= 0 || asked.Timeout < o.Timeout)
	switch {
	case o.Deadline == nil && lower:
		o.Timeout = asked.Timeout
	case o.Deadline == nil:
	case lower && o.Timeout > 0:
		o.Timeout = asked.Timeout
	default:
		o.Timeout = 0
	}
	return o
}

// bytesPerToken is what a token of max_output_tokens counts as.
const bytesPerToken = 4

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Run runs s to its end and reports. It returns only when no call of the host
// is in flight, unless [Options.Abandon] was closed. A run stopped by ctx or by
// a limit is reported within [Options.Grace] of that, apart from such a call.
func Run(ctx context.Context, s Script, h Host, o Options) Report {
	started := time.Now()
	report := run(ctx, s, h, o)
	report.OK = report.Error == nil
	report.Duration = time.Since(started)
	if !report.OK || len(report.Value) == 0 {
		report.Value = json.RawMessage("null")
	}
	return report
}

func run(ctx context.Context, s Script, h Host, o Options) Report {
	if len(s.Source) > MaxSource {
		return Report{Error: &Error{Kind: KindScript, Message: fmt.Sprintf("the script has %d bytes; the limit is %d", len(s.Source), MaxSource)}}
	}
	asked, err := ParseOptionsLine(s.Source)
	if err != nil {
		return Report{Error: &Error{Kind: KindScript, Message: err.Error()}}
	}
	if err := ctx.Err(); err != nil {
		return Report{Error: &Error{Kind: KindAborted, Message: "the run was cancelled before it began"}}
	}
	o = o.withDefaults(asked)
	j := job{Script: s, Tools: h.Tools()}
	if o.Session == nil {
		report, _, _ := supervise(ctx, j, h, o)
		return report
	}
	j.Keep = true
	if j.Run, err = o.Session.begin(ctx); err != nil {
		return Report{Error: &Error{Kind: KindAborted, Message: "the run was cancelled before it began"}}
	}
	report, engine, useful := supervise(ctx, j, h, o)
	kept, _ := engine.(keptHalf)
	report.Lost = o.Session.end(kept, useful)
	return report
}

// supervise runs a job. The engine's half is of use for another one of its
// session only if useful says so.
func supervise(ctx context.Context, j job, h Host, o Options) (report Report, engine half, useful bool) {
	r := &supervisor{
		host:    h,
		options: o,
		out:     newCollector(o.MaxOutput, o.OnOutput),
		calls:   newDispatcher(ctx, h),
		ended:   make(chan outcome, 1),
	}
	defer r.calls.cancel(errRunStopped)
	engine, err := newHalf(j, r, o)
	if err != nil {
		return Report{Error: &Error{Kind: KindSandbox, Message: fmt.Sprintf("the sandbox process could not be started: %v", err)}}, nil, false
	}
	r.engine = engine
	r.calls.settle = engine.settle
	go r.calls.run()
	go engine.runFor(r.ended)
	report = r.watch(ctx)
	return report, engine, r.useful
}

func (o Options) withDefaults(asked ScriptOptions) Options {
	if o.Deadline == nil && asked.Timeout > 0 {
		o.Deadline = NewDeadline(asked.Timeout)
	}
	if o.MaxOutput <= 0 {
		o.MaxOutput = defaultMaxOutput
		if asked.MaxOutputTokens > 0 {
			o.MaxOutput = asked.MaxOutputTokens * 4
		}
	}
	if o.Grace <= 0 {
		switch {
		case o.Engine == nil:
			o.Grace = defaultGrace
		case o.Session == nil:
			o.Grace = remoteGrace
		default:
			o.Grace = sessionGrace
		}
	}
	if o.Engine != nil && o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	return o
}

// A supervisor is the host's half of a run. It is the engine's [upward].
type supervisor struct {
	host    Host
	options Options
	out     *collector
	calls   *dispatcher
	engine  half
	ended   chan outcome
	useful  bool        // the engine has ended the run by itself, and well enough for another
	over    atomic.Bool // the report is made; an engine given up reaches nothing any more
}

func (r *supervisor) call(id uint64, c Call, alone bool) { r.calls.announce(id, c, alone) }
func (r *supervisor) seen(id uint64, here bool)          { r.calls.sawResult(id, here) }
func (r *supervisor) release(here bool)                  { r.calls.release(here) }
func (r *supervisor) fail()                              { r.calls.refuse() }
func (r *supervisor) output(o Output)                    { r.out.add(o) }

func (r *supervisor) store(key string, value []byte) error {
	if r.over.Load() {
		return errRunStopped
	}
	return r.host.Store(key, value)
}

func (r *supervisor) load(key string) ([]byte, bool) {
	if r.over.Load() {
		return nil, false
	}
	return r.host.Load(key)
}

func (r *supervisor) module(specifier, importer string) (name, source string, err error) {
	if r.over.Load() {
		return "", "", errRunStopped
	}
	host, ok := r.host.(ModuleHost)
	if !ok {
		return "", "", errors.New(noModuleHost)
	}
	return host.Module(specifier, importer)
}

// reapGrace is how long the report waits for a killed process to be gone.
const reapGrace = 60 * time.Millisecond

// watchMemory watches the heap when the engine shares it.
func (r *supervisor) watchMemory() *memoryWatch {
	if r.options.Engine != nil {
		return watchMemory(0)
	}
	return watchMemory(r.options.Memory)
}

// watch waits for the end of the run, which has two parts: the engine has ended
// or is given up, and no call is in flight or waiting.
func (r *supervisor) watch(ctx context.Context) Report {
	var (
		report  Report
		ended   = r.ended
		idle    <-chan struct{}
		grace   <-chan time.Time
		expired = r.options.Deadline.start()
		full    = r.watchMemory()
		killed  bool
	)
	defer r.options.Deadline.stop()
	defer full.stop()
	stop := func(kind, format string, args ...any) {
		if report.Error == nil {
			report.Error = &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
		}
		r.calls.stop()
		r.engine.stop()
		if !killed {
			grace = time.After(r.options.Grace)
		}
	}
	cancelled, flooded := ctx.Done(), r.out.flooded
	for {
		select {
		case o := <-ended:
			ended = nil
			r.useful = o.useful() && !killed
			switch {
			case report.Error == nil:
				report.Value, report.Error, report.Shown, report.Incomplete = o.Value, o.Err, o.Shown, o.Incomplete
			case o.Err != nil && report.Error.Stack == "":
				report.Error.Stack = o.Err.Stack // where the script was when it was stopped
			}
			idle = r.calls.close()
		case <-grace:
			grace = nil
			switch {
			case ended == nil:
			case !killed && r.engine.kill():
				killed = true
				grace = time.After(reapGrace)
			default:
				idle = r.calls.close()
			}
		case <-idle:
			r.over.Store(true)
			report.Output = r.out.seal()
			return report
		case <-r.options.Abandon:
			stop(KindAborted, "the run was abandoned")
			r.useful = false
			r.engine.kill()
			r.calls.leave()
			r.over.Store(true)
			report.Output = r.out.seal()
			return report
		case <-cancelled:
			cancelled = nil
			stop(KindAborted, "the run was cancelled")
		case <-expired:
			expired = nil
			stop(KindTimeout, "the script was stopped at its deadline of %v", r.options.Deadline.total)
		case <-full.reached:
			full.reached = nil
			stop(KindMemory, "the script was stopped at its memory limit of %d bytes", r.options.Memory)
		case <-flooded:
			flooded = nil
			stop(KindOutput, "the script was stopped after %d bytes of output", maxFlood)
		}
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codemode/bindings"
	"codemode/cmd/codemode/repl"
	"codemode/ops/policy"
	"codemode/runtime"
)

// fromPrompt is the source under which a prompt is recorded.
const fromPrompt = "repl"

func newREPLCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "repl [flags]",
		Short: "Try operations at a prompt",
		Long: `Repl reads JavaScript from a prompt and shows what each input comes to: await
works, names can be declared again, _ is the last value. Tab completes, Ctrl-R
searches what was typed before, Ctrl-C stops what is being carried out, Ctrl-D
leaves; .help says more.

All inputs are one run: its journal, "codemode log last", tells what each did,
and what one operation made no other overwrites by accident. --timeout is for
each input.

When standard input is no terminal it is read line by line. Values go to standard
output, everything else to standard error. The first input that fails ends it,
with the exit status that "codemode run" would have.`,
		Example: `  codemode repl
  codemode repl --root . --strict
  echo '(await tools.list({path: "."})).entries.length' | codemode repl`,
		Args:              exactly(0, "no argument"),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := addFlags(cmd)
	f.memory = defaultMemory
	cmd.Flags().Lookup("memory").DefValue = f.memory.String()
	_ = cmd.Flags().MarkHidden("json") // fails for unknown flags only
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check(cmd); err != nil {
			return err
		}
		if f.json {
			return misuse("codemode repl has no --json: a prompt is no single document; use codemode run --json, or codemode log --json afterwards")
		}
		return p.repl(f)
	}
	return cmd
}

// A replSession is one session at a repl.
type replSession struct {
	*program
	f       *flags
	h       *host
	breaks  *breaks
	person  bool // somebody sits at it, who sees what went wrong and goes on
	session *runtime.Session
	store   *bindings.Store
	began   time.Time

	count int      // inputs so far
	done  []string // those that succeeded
	over  bool     // the person wants to leave
	sad   bool     // that the journal could not be written was said
	last  bindings.Report
	wrong bool // the last input failed
}

// repl runs a session to its end.
func (p *program) repl(f *flags) error {
	b := newBreaks(p.screen)
	h, err := p.openHost(f, task{source: fromPrompt, live: !f.quiet, spares: 1, stop: b.stopping, applied: b.flight.begin})
	if err != nil {
		return err
	}
	defer h.close()
	r := &replSession{program: p, f: f, h: h, breaks: b, store: &bindings.Store{}, began: time.Now()}
	r.session = runtime.NewSession()
	defer func() { r.session.Close() }()
	// So that an engine is there when the first input comes.
	warming := r.inquiry("", runtime.InquireWhole, 0)
	go bindings.Run(b.ctx, h.session, warming)
	in, isFile := p.in.(*os.File)
	switch {
	case isFile && isTerminal(in) && p.screen.outTTY && p.screen.errTTY && !p.screen.dumb:
		r.person = true
		err = r.converse()
	case isFile && isTerminal(in):
		r.person = true
		err = r.readLines(in)
	default:
		err = r.readLines(p.in)
	}
	return r.finish(err)
}

// finish records the end of the session and says how it ended.
func (r *replSession) finish(err error) error {
	report := bindings.Report{OK: err == nil, RunID: r.h.journal.id, Operations: r.h.session.Receipts(), DurationMs: float64(time.Since(r.began).Microseconds()) / 1000}
	status := statusOK
	switch {
	case r.breaks.gaveUp():
		report.OK = false
		report.Error = &runtime.Error{Kind: runtime.KindAborted, Message: "the session was ended while an operation was changing the disk"}
		r.screen.complain("the session ends here, since that operation may still be changing the disk; see codemode log last")
		status = statusUnknown
	case r.breaks.ctx.Err() != nil:
		report.OK = false
		report.Error = &runtime.Error{Kind: runtime.KindAborted, Message: "the session was ended by a signal"}
		status = statusCancelled
	case !r.person && r.wrong && r.last.Error == nil:
		report.OK = false
		report.Error = &runtime.Error{Kind: runtime.KindScript, Message: "a command of the prompt could not be carried out"}
		status = statusFailed
	case !r.person && r.wrong:
		report.OK = false
		report.Error = r.last.Error
		status = statusOfRun(r.last)
	}
	r.h.end(r.program, report)
	if err != nil {
		return err
	}
	return withStatus(status)
}

// take carries out one input. It reports whether the session can go on as if
// nothing had happened.
func (r *replSession) take(input string) (ok bool) {
	if strings.TrimSpace(input) == "" {
		return true
	}
	if name, argument, ok := repl.Command(input); ok {
		r.last = bindings.Report{}
		ok = r.command(name, argument)
		r.wrong = !ok
		return ok
	}
	ok = r.evaluate(input, "")
	r.wrong = !ok
	if r.person && farewells[strings.TrimSpace(input)] {
		r.screen.note(".exit or Ctrl-D leaves")
	}
	return ok
}

// farewells are what is typed in vain to leave.
var farewells = map[string]bool{"exit": true, "exit()": true, "quit": true, "quit()": true}

// evaluate runs one input: what was typed, or the text of a file.
func (r *replSession) evaluate(input, file string) (ok bool) {
	r.count++
	name := fmt.Sprintf("repl:%d", r.count)
	if file != "" {
		name = filepath.Base(file)
	}
	r.record(bindings.NewInputStarted(r.count, "", input))
	ctx, done := r.breaks.begin()
	report := bindings.Run(ctx, r.h.session, r.options(runtime.Script{
		Name: name, Source: input, Interactive: true, Colours: r.screen.colours && r.screen.outTTY,
	}, time.Duration(r.f.timeout), file))
	done()
	r.record(bindings.NewInputFinished(r.count, report))
	r.last = report
	r.show(report)
	if report.OK {
		r.done = append(r.done, input)
		if len(r.done) > maxSaved {
			r.done = r.done[1:]
		}
	}
	return report.OK
}

// maxSaved is how many inputs .save can write.
const maxSaved = 10_000

func (r *replSession) options(script runtime.Script, timeout time.Duration, file string) bindings.Options {
	return bindings.Options{
		Script: script, Path: file, Timeout: timeout, Memory: int64(r.f.memory), Abandon: r.h.stop.abandon, RunID: r.h.journal.id,
		Engine: r.h.engine, Session: r.session, Store: r.store, OnOutput: r.showOutput,
	}
}

// ask finds something out for the repl. It runs nothing of the session.
func (r *replSession) ask(source string, what runtime.Inquiry, timeout time.Duration) bindings.Report {
	return bindings.Run(r.breaks.ctx, r.h.session, r.inquiry(source, what, timeout))
}

func (r *replSession) inquiry(source string, what runtime.Inquiry, timeout time.Duration) bindings.Options {
	o := r.options(runtime.Script{Source: source, Inquiry: what, Interactive: true}, timeout, "")
	o.OnOutput = nil
	return o
}

// record writes a line of the journal. Without it the session still keeps its
// operations recorded; only which input they were of is missing.
func (r *replSession) record(line any) {
	if r.h.journal.run == nil || r.sad {
		return
	}
	if err := r.h.journal.run.Append(line); err != nil {
		r.sad = true
		r.screen.complain("the inputs of this session cannot be recorded any more: " + policy.Printable(err.Error()))
	}
}

// show prints what an input came to. Its output and operations have been shown.
func (r *replSession) show(report bindings.Report) {
	switch {
	case report.OK && (r.person || report.Shown != "undefined"):
		r.screen.value(report.Shown)
	case report.Incomplete:
		r.screen.complain("the input ends too early: " + tame(report.Error.Message))
	case report.Error != nil:
		r.screen.uncaught(report.Error, !r.f.quiet && refusedBy(report) != nil)
	}
	if report.Lost {
		r.screen.advise("the script engine had to be replaced: what earlier inputs have declared is lost")
	}
}

// uncaught says why an input failed. A refusal that was shown with its operation
// is not said twice.
func (s *screen) uncaught(e *runtime.Error, shown bool) {
	switch e.Kind {
	case runtime.KindScript:
	case runtime.KindAborted:
		s.newLine() // which has ^C
		s.note(s.paint(yellow, "Interrupted", s.errTTY))
		s.frames(e.Stack)
		return
	default:
		s.runError(e, false)
		return
	}
	message := tame(strings.TrimPrefix(e.Message, "uncaught ")) // as it says of what is no Error
	if shown {
		message = "the operation failed, see above"
	}
	s.note(s.paint(red, "Uncaught ", s.errTTY) + message)
	s.frames(e.Stack)
}

// state is where the session keeps what outlives it.
func (p *program) historyFile() string {
	dir, err := p.env.stateDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "repl-history")
}

package main

import (
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/journal"
	"codemode/ops/plain"
	"codemode/ops/policy"
	"codemode/runtime"
)

// runJournal records the start and the end of one run; the session records
// what lies between. It is usable without a journal, too.
type runJournal struct {
	id  string
	run *journal.Run // nil: none is kept
}

// options is what a journal keeps of what the host decided for a run.
type options struct {
	Args        []plain.Text `json:"args,omitempty"`
	Root        plain.Text   `json:"root,omitempty"`
	Approve     string       `json:"approve"`
	Ask         policy.Ask   `json:"ask"`
	Protected   []plain.Text `json:"protected,omitempty"`
	Temporary   []plain.Text `json:"temporary,omitempty"`
	Hooks       []plain.Text `json:"hooks,omitempty"`
	TimeoutMs   int64        `json:"timeoutMs,omitempty"`
	MemoryBytes int64        `json:"memoryBytes,omitempty"`
	Sync        bool         `json:"sync,omitempty"`
}

// openJournal starts the journal of a run and tells the session of it. Where
// it cannot be written, the session refuses every operation; a script that
// only reads still runs.
func (h *host) openJournal(p *program, f *flags, cfg *ops.Config, t task, set settings) error {
	dir, err := p.env.stateDir()
	if err != nil {
		return misuse("%v", err)
	}
	// Protected also when this run keeps none: others do.
	cfg.JournalDir = dir
	h.journal = &runJournal{id: journal.NewID(time.Now())}
	if f.noJournal {
		return nil
	}
	run, err := journal.Create(dir, journal.Options{Sync: f.journalSync})
	if err != nil {
		cfg.JournalErr = err
		p.screen.complain("this run cannot be recorded, so that its operations will be refused: " + policy.Printable(err.Error()))
		return nil
	}
	h.closers = append(h.closers, func() { run.Close() })
	h.journal = &runJournal{id: run.ID(), run: run}
	said := options{
		Args: texts(t.args), Root: plain.Text(cfg.Root), Approve: set.approve, Ask: set.ask,
		Protected: texts(set.protected), Temporary: texts(set.temporary),
		TimeoutMs: time.Duration(f.timeout).Milliseconds(), MemoryBytes: int64(f.memory), Sync: f.journalSync,
	}
	for _, hook := range set.hooks {
		said.Hooks = append(said.Hooks, plain.Text(hook.ID()))
	}
	cfg.Journal = run
	if err := run.Append(bindings.NewRunStarted(run.ID(), cfg.Dir, t.source, t.script, said)); err != nil {
		cfg.JournalErr = err
	}
	return nil
}

// texts keeps the stray bytes of file names in JSON.
func texts(list []string) []plain.Text {
	var out []plain.Text
	for _, s := range list {
		out = append(out, plain.Text(s))
	}
	return out
}

// end records the end of a run. Failing to do so changes nothing: the run then
// reads as interrupted, with all of its operations.
func (h *host) end(p *program, r bindings.Report) {
	if h.journal.run == nil {
		return
	}
	if err := h.journal.run.Append(bindings.NewRunFinished(r)); err != nil {
		p.screen.complain("the end of this run could not be recorded: " + err.Error())
	}
}

// single is the report of a run that was one operation.
func (j *runJournal) single(r ops.Receipt) bindings.Report {
	report := bindings.Report{OK: r.OK, RunID: j.id, Operations: []ops.Receipt{r}, DurationMs: r.DurationMs}
	if e := r.Error; e != nil {
		kind := runtime.KindScript
		if e.Code == ops.Aborted {
			kind = runtime.KindAborted
		}
		report.Error = &runtime.Error{Kind: kind, Message: string(e.Code) + ": " + e.Message}
	}
	return report
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/ops/wording"
)

func newDoctorCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "Look for what dead runs left behind, and whether all is well here",
		Long: `Doctor reads the journals of all runs that have ended, in whatever way, and looks
for what their operations left on disk:

  unfinished   what a copy, move, write or edit had not finished making
  put-aside    the source of a move, renamed before it was to be removed
  replaced     what a move took the place of, renamed before it was to be removed
  parent       empty folders that were made for a target that never came

It says what each of them is, whether it may be the only copy of something, and
what to do. At a terminal it then offers to remove it or to put it back, one by
one. That is an ordinary operation: protected paths, hooks, questions and the
journal apply. With --json or without a terminal nothing is changed. A run that is
still going on is left alone.

It also looks at the journal's directory, the settings, Git and the isolation of
scripts.

Exit status: 0 all is well, 1 something is left over or wrong, 4 an operation's
effect is unknown.`,
		Example: `  codemode doctor
  codemode doctor --json | jq -r '.runs[].operations[].leftovers[].path'`,
		Args: exactly(0, "no arguments"),
	}
	f := addFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check(cmd); err != nil {
			return err
		}
		return p.doctor(f)
	}
	return cmd
}

// diagnosis is all that doctor found.
type diagnosis struct {
	OK      bool      `json:"ok"`
	Checks  []check   `json:"checks"`
	Runs    []deadRun `json:"runs"`    // those that left something or have an operation without an end
	Running int       `json:"running"` // runs that go on
}

// verdict fills in OK.
func (d *diagnosis) verdict() {
	d.OK = d.left() == 0
	for _, c := range d.Checks {
		d.OK = d.OK && c.State != stateProblem
	}
}

// left counts the leftovers.
func (d *diagnosis) left() (n int) {
	for _, run := range d.Runs {
		for _, op := range run.Operations {
			n += len(op.Leftovers)
		}
	}
	return n
}

func (p *program) doctor(f *flags) error {
	dir, err := p.env.stateDir()
	if err != nil {
		return misuse("%v", err)
	}
	_, resolved, err := workingDirectory(f)
	if err != nil {
		return err
	}
	d := diagnosis{Runs: []deadRun{}, Checks: p.checkups(f, dir, resolved)}
	found, running, err := p.deadRuns(dir)
	switch {
	case err == nil:
		d.Runs, d.Running = found, running
	case d.Checks[0].State != stateProblem: // which says it
		return failure("the journals cannot be listed: %w", err)
	}
	d.verdict()
	if f.json {
		if err := p.screen.document(d); err != nil {
			return err
		}
		return withStatus(d.status())
	}
	p.showDiagnosis(f, d)
	if d.left() == 0 {
		return withStatus(d.status())
	}
	unknown, err := p.treat(f, &d)
	switch {
	case err != nil:
		return err
	case unknown:
		return withStatus(statusUnknown)
	}
	d.verdict()
	return withStatus(d.status())
}

func (d *diagnosis) status() int {
	if d.OK {
		return statusOK
	}
	return statusFailed
}

// showDiagnosis prints what was found for a person.
func (p *program) showDiagnosis(f *flags, d diagnosis) {
	s := p.screen
	var rows [][]string
	for _, c := range d.Checks {
		if !f.quiet || c.State == stateProblem {
			rows = append(rows, []string{c.State, c.Name, policy.Printable(c.Detail)})
		}
	}
	if len(rows) > 0 {
		for i, line := range table(rows) {
			if rows[i][0] == stateProblem {
				line = s.paint(red, line, s.outTTY)
			}
			s.say(line)
		}
	}
	bare := 0
	for _, run := range d.Runs {
		for _, op := range run.Operations {
			if len(op.Leftovers) == 0 {
				bare++
				continue
			}
			s.say("")
			s.say(fmt.Sprintf("run %s, %s, operation %d: %s", policy.Printable(run.RunID), run.Status, op.Receipt.Seq, wording.Deed(op.Receipt, "")))
			for _, l := range op.Leftovers {
				s.say(fmt.Sprintf("  %-10s  %s", l.What, policy.Printable(string(l.Path))))
				s.say("              " + l.Says)
			}
		}
	}
	if f.quiet {
		return
	}
	s.say("")
	switch n := d.left(); n {
	case 0:
		s.say("nothing is left over")
	default:
		s.say(wording.Plural(int64(n), "leftover", "leftovers"))
	}
	if bare > 0 {
		s.say(wording.Plural(int64(bare), "operation has", "operations have") + " an unknown effect and left nothing hidden; codemode log shows which, look at what is there")
	}
	if d.Running > 0 {
		s.say(wording.Plural(int64(d.Running), "run goes", "runs go") + " on and was left alone")
	}
}

// treat offers to remove or put back what was left over, one by one, if somebody
// can be asked. What is gone is taken out of the diagnosis.
func (p *program) treat(f *flags, d *diagnosis) (unknown bool, err error) {
	tty, err := openTerminal()
	if err != nil {
		p.screen.note("nobody can be asked here, so nothing was changed; at a terminal codemode doctor offers to remove or put back each of them")
		return false, nil
	}
	defer tty.close()
	h, err := p.openHost(f, task{source: "doctor"})
	if err != nil {
		return false, err
	}
	defer h.close()
	for i := range d.Runs {
		for j := range d.Runs[i].Operations {
			op := &d.Runs[i].Operations[j]
			var left []leftover
			for _, l := range op.Leftovers {
				request, may := l.remedy()
				if !may || h.ctx.Err() != nil {
					left = append(left, l)
					continue
				}
				answered := p.screen.ask()
				yes, err := askAt(h.ctx, tty, l.question(p.screen.colours, tty.width()))
				answered()
				if err != nil || !yes {
					left = append(left, l)
					continue
				}
				// A person may think for long.
				if !op.still(l) {
					p.screen.complain(policy.Printable(string(l.Path)) + " changed meanwhile, so nothing was done; run codemode doctor again")
					left = append(left, l)
					continue
				}
				r := h.session.Do(h.ctx, request)
				unknown = unknown || r.Effect == ops.Unknown
				if !r.OK {
					left = append(left, l)
				}
				p.screen.receipt(p.screen.stdout(), r, "", p.screen.outTTY)
			}
			op.Leftovers = left
		}
	}
	h.end(p, bindings.Report{OK: !unknown, RunID: h.journal.id, Operations: h.session.Receipts()})
	if h.ctx.Err() != nil {
		return unknown, withStatus(statusCancelled)
	}
	return unknown, nil
}

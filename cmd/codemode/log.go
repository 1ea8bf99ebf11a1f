package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/journal"
	"codemode/ops/policy"
	"codemode/ops/wording"
)

// shownRuns is how many runs log lists for a person unless told otherwise.
const shownRuns = 20

func newLogCommand(p *program) *cobra.Command {
	var asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use:   "log [RUN]",
		Short: "Show what earlier runs did",
		Long: `Log lists the recorded runs, newest first, or shows one: what started it, every
operation with its effect, and what came of it. RUN is a run's ID, the beginning
of one, or "last".

An operation that was recorded as started and has no recorded end counts as
unknown: look at what is on disk.`,
		Example: `  codemode log
  codemode log last
  codemode log --json last | jq '.operations[] | select(.effect != "applied")'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse("codemode log takes at most one RUN, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			dir, err := p.env.stateDir()
			if err != nil || len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			ids, _ := journal.IDs(dir)
			return append([]string{"last"}, ids...), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document to standard output"+nothingOnMisuse)
	cmd.Flags().IntVarP(&limit, "limit", "n", 0, fmt.Sprintf("list the newest `N` runs only (default: all with --json, else %d)", shownRuns))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := p.env.stateDir()
		if err != nil {
			return misuse("%v", err)
		}
		if limit < 0 || cmd.Flags().Changed("limit") && limit == 0 {
			return misuse("--limit must be at least 1")
		}
		if len(args) == 1 {
			return p.logRun(dir, args[0], asJSON)
		}
		return p.logRuns(dir, limit, asJSON)
	}
	return cmd
}

// recorded is a run as its journal tells it.
type recorded struct {
	bindings.Rebuilt
	torn  int  // lines that could not be read
	alive bool // its writer goes on
}

// readRun reads the journal of one run.
func readRun(dir, id string) (recorded, error) {
	rec, err := journal.Read(dir, id)
	if err != nil {
		return recorded{}, err
	}
	run := recorded{bindings.Rebuild(rec.Lines, rec.Running), rec.Torn, rec.Running}
	// The file's name is what finds the run again, whatever its lines say.
	run.RunID = id
	run.Look(ops.ObjectAt)
	return run, nil
}

func (p *program) logRun(dir, name string, asJSON bool) error {
	id, err := journal.Find(dir, name)
	if errors.Is(err, journal.ErrNoRun) {
		if several := namesSeveral(dir, name); several != nil {
			return several
		}
		return misuse("%v", err)
	}
	if err != nil {
		return failure("the journals cannot be listed: %w", err)
	}
	run, err := readRun(dir, id)
	if err != nil {
		return failure("the journal of %s cannot be read: %w", policy.Printable(id), err)
	}
	p.warnTorn(run)
	if asJSON {
		return p.screen.document(run.Rebuilt)
	}
	p.showRun(run.Rebuilt)
	return nil
}

// namesSeveral is the error for the beginning of several IDs; nil if it is none.
func namesSeveral(dir, name string) error {
	ids, err := journal.IDs(dir)
	if err != nil || name == "" {
		return nil
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return !strings.HasPrefix(id, name) })
	if len(ids) < 2 {
		return nil
	}
	return misuse("%s names %s, among them %s and %s; give more of the ID, or last for the newest of all",
		policy.Printable(name), wording.Plural(int64(len(ids)), "run", "runs"), ids[0], ids[1])
}

// warnTorn says that a journal is shown with gaps. The last line of a run that
// goes on may just be half written.
func (p *program) warnTorn(run recorded) {
	if run.torn > 0 && run.Status != bindings.StatusRunning {
		p.screen.complain(fmt.Sprintf("%s of the journal of %s could not be read; what was recorded there is missing",
			wording.Plural(int64(run.torn), "line", "lines"), policy.Printable(run.RunID)))
	}
}

func (p *program) logRuns(dir string, limit int, asJSON bool) error {
	ids, err := journal.IDs(dir)
	if err != nil {
		return failure("the journals cannot be listed: %w", err)
	}
	if limit == 0 && !asJSON {
		limit = shownRuns
	}
	all := len(ids)
	if limit > 0 && limit < all {
		ids = ids[:limit]
	}
	list := []bindings.Rebuilt{}
	for _, id := range ids {
		run, err := readRun(dir, id)
		if err != nil {
			// Gone meanwhile, or not ours to read: the others still are.
			p.screen.complain("the journal of " + policy.Printable(id) + " cannot be read: " + reason(err).Error())
			continue
		}
		p.warnTorn(run)
		list = append(list, run.Rebuilt)
	}
	if asJSON {
		runs := []bindings.Summary{}
		for _, run := range list {
			runs = append(runs, run.Summary())
		}
		return p.screen.document(struct {
			Runs []bindings.Summary `json:"runs"`
		}{runs})
	}
	p.showRuns(dir, list, all)
	return nil
}

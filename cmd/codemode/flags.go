package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codemode/ops/wording"
)

// flags are what run, delete, copy and move share.
type flags struct {
	cwd, root    string
	approve      choice
	strict       bool
	json         bool
	timeout      span
	memory       size
	hooks        string
	config       string
	noJournal    bool
	journalSync  bool
	isolation    choice
	quiet        bool
	rootGiven    bool
	configGiven  bool
	hooksGiven   bool
	approveGiven bool

	around string // a directory whose project's configuration counts, too
}

// nothingOnMisuse completes the description of --json.
const nothingOnMisuse = "; on wrong usage nothing is printed there"

// addFlags gives the shared flags to a command.
func addFlags(cmd *cobra.Command) *flags {
	f := &flags{
		approve:   choice{value: "ask", allowed: []string{"ask", "deny", "allow"}},
		isolation: choice{value: "process", allowed: []string{"process", "none"}},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&f.cwd, "cwd", "", "work in `DIR`: relative paths start there (default: the current directory)")
	set.StringVar(&f.root, "root", "", "confine everything to `DIR`: paths are relative to it, nothing outside can be reached")
	set.Var(&f.approve, "approve", "how removals that need approval are answered: ask (on the terminal; without one they are refused), deny or allow")
	set.BoolVar(&f.strict, "strict", false, "ask for untracked objects, for regular files and before anything is replaced, too")
	set.BoolVar(&f.json, "json", false, "print exactly one JSON document to standard output"+nothingOnMisuse)
	set.Var(&f.timeout, "timeout", "stop after this long, such as 60s; the clock stands still while you are asked")
	set.Var(&f.memory, "memory", "stop a script that uses more memory than this, such as 256MiB")
	set.StringVar(&f.hooks, "hooks", "", "ask the before-delete script hook in `FILE`, after the configured ones")
	set.StringVar(&f.config, "config", "", "use `FILE` instead of your own configuration file")
	set.BoolVar(&f.noJournal, "no-journal", false, "keep no journal of this run")
	set.BoolVar(&f.journalSync, "journal-sync", false, "make every journal record, and the copies of moved files, durable against power loss before going on")
	set.Var(&f.isolation, "isolation", "where scripts run: process (one of their own that holds nothing) or none (in this one)")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "print results and errors only")
	complete(cmd, "approve", f.approve.allowed...)
	complete(cmd, "isolation", f.isolation.allowed...)
	for _, dir := range []string{"cwd", "root"} {
		_ = cmd.MarkFlagDirname(dir) // fails for unknown flags only
	}
	return f
}

// complete offers the values of a flag to shell completion.
func complete(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails for unknown flags only
}

// check notes which flags were given and finds those that contradict.
func (f *flags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	f.rootGiven, f.configGiven, f.hooksGiven, f.approveGiven = given("root"), given("config"), given("hooks"), given("approve")
	switch {
	case f.rootGiven && given("cwd"):
		return misuse("--cwd and --root exclude each other: with --root every path is relative to the root")
	case f.noJournal && f.journalSync:
		return misuse("--no-journal and --journal-sync exclude each other")
	}
	for _, name := range []string{"cwd", "root", "config", "hooks"} {
		// A variable that a caller's shell left empty must not mean the default.
		if given(name) && cmd.Flags().Lookup(name).Value.String() == "" {
			return misuse("--%s is empty", name)
		}
	}
	return nil
}

// choice is a flag with a few possible values.
type choice struct {
	value   string
	allowed []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.allowed, "|") }
func (c *choice) Set(s string) error {
	for _, one := range c.allowed {
		if s == one {
			c.value = s
			return nil
		}
	}
	return fmt.Errorf("must be one of %s", strings.Join(c.allowed, ", "))
}

// span is a flag with a length of time; 0 is none.
type span time.Duration

func (d *span) String() string {
	if *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}
func (d *span) Type() string { return "duration" }
func (d *span) Set(s string) error {
	parsed, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("must be a time such as 500ms, 60s or 2m")
	}
	if parsed < 0 {
		return fmt.Errorf("must not be negative")
	}
	*d = span(parsed)
	return nil
}

// size is a flag with a number of bytes; 0 is no limit.
type size int64

func (n *size) String() string {
	if *n == 0 {
		return ""
	}
	return strings.ReplaceAll(wording.Bytes(int64(*n)), " ", "")
}
func (n *size) Type() string { return "size" }
func (n *size) Set(s string) error {
	digits := strings.TrimRight(s, "BKMGTibkmgt")
	factor, known := map[string]float64{
		"": 1, "b": 1,
		"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
		"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
		"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
		"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
	}[strings.ToLower(s[len(digits):])]
	number, err := strconv.ParseFloat(digits, 64)
	if err != nil || !known || !(number >= 0) || number*factor >= math.MaxInt64 {
		return fmt.Errorf("must be a size such as 64MiB or 1GiB")
	}
	*n = size(number * factor)
	return nil
}

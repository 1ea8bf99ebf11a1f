// Command peerbench pairs codemode with the programs that people use for the
// same work, in one run on one machine, and prints how many times as fast it is.
// Its README tells how to read that, and shows the newest table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"codemode/runtime/worker"
)

func main() {
	worker.Main() // in a sandbox's process it does not return
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are what the command line says.
type options struct {
	only     *regexp.Regexp
	rounds   int
	long     bool
	scale    float64
	json     string
	svg      string
	markdown string
	from     string
	patience time.Duration
	images   string
	cache    string
	codemode string
	offline  bool
	list     bool
	notes    bool
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("peerbench", flag.ContinueOnError)
	f.SetOutput(stderr)
	only := f.String("only", "", "run the benches whose names match this `REGEX`")
	f.IntVar(&o.rounds, "rounds", 20, "take `N` samples of each side")
	f.BoolVar(&o.long, "long", false, "also run what takes long: trees of 100,000 files and of a million entries")
	f.Float64Var(&o.scale, "scale", 1, "do `X` times the usual work with files, such as 0.01 for a quick look")
	f.StringVar(&o.json, "json", "", "write everything that was measured to this `FILE`, too")
	f.StringVar(&o.svg, "svg", "", "draw the targets and how far they are reached into this `FILE`, too")
	f.StringVar(&o.markdown, "markdown", "", "put the tables between their marks in this `FILE`, too")
	f.StringVar(&o.from, "from", "", "measure nothing, and show what --json has written to this `FILE`")
	f.DurationVar(&o.patience, "wait", time.Minute, "wait so long, all in all, for others to leave the machine alone; 0 does not look")
	f.StringVar(&o.cache, "cache", "", "keep peers in this `FOLDER` (default: peerbench in the user's cache folder)")
	f.StringVar(&o.images, "images", os.TempDir(), "make disk images in this `FOLDER`, which takes 6 GiB")
	f.StringVar(&o.codemode, "codemode", "", "measure this `FILE` instead of building the command")
	f.BoolVar(&o.offline, "offline", false, "fetch nothing: peers that are not in the cache are missing")
	f.BoolVar(&o.list, "list", false, "only list the benches")
	f.BoolVar(&o.notes, "notes", false, "say below the table what exactly each side did")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.rounds < 1 {
		return o, errors.New("--rounds must be at least 1")
	}
	if o.scale <= 0 || o.scale > 10 {
		return o, errors.New("--scale must be more than 0 and at most 10")
	}
	if o.only, err = regexp.Compile(*only); err != nil {
		return o, fmt.Errorf("--only: %w", err)
	}
	if o.cache == "" {
		folder, err := os.UserCacheDir()
		if err != nil {
			return o, fmt.Errorf("%w; name a folder with --cache", err)
		}
		o.cache = filepath.Join(folder, "peerbench")
	}
	o.cache, err = filepath.Abs(o.cache)
	return o, err
}

// command is the whole program. It returns the exit status: 2 for wrong usage,
// 1 when something of ours could not be measured. A missed target or a missing
// peer is a result like any other.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	say := func(format string, args ...any) { fmt.Fprintf(stderr, "peerbench: "+format+"\n", args...) }
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		say("%v", err)
		return 2
	}
	if o.from != "" {
		r, err := readReport(o.from)
		if err == nil {
			err = r.write(ctx, o, stdout)
		}
		if err != nil {
			say("%v", err)
			return 1
		}
		return 0
	}
	all := benches()
	if o.long {
		all = append(all, longBenches()...)
	}
	var chosen []bench
	for _, b := range all {
		if o.only.MatchString(b.name) {
			chosen = append(chosen, b)
		}
	}
	if len(chosen) == 0 {
		say("no bench matches --only; --list shows their names")
		return 2
	}
	if o.list {
		for _, b := range chosen {
			fmt.Fprintln(stdout, b.name)
		}
		return 0
	}
	r, err := measureAll(ctx, chosen, o, say)
	if err == nil {
		err = r.write(ctx, o, stdout)
	}
	if err != nil {
		say("%v", err)
		return 1
	}
	for _, problem := range r.failed() {
		say("not measured: %s", problem)
	}
	if len(r.failed()) > 0 {
		return 1
	}
	return 0
}

// measureAll runs benches one after the other.
func measureAll(ctx context.Context, chosen []bench, o options, say func(string, ...any)) (r *report, err error) {
	l, err := newLab(ctx, o, say)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	// Building and fetching come first: they make the machine busy.
	if _, err := l.codemode(); err != nil {
		return nil, err
	}
	r = &report{Date: time.Now().UTC().Truncate(time.Second), Machine: thisMachine(), Rounds: o.rounds, Scale: o.scale, Peers: l.peers()}
	patience := o.patience
	for i, b := range chosen {
		if o.patience > 0 {
			began := time.Now()
			busy, err := awaitQuiet(ctx, patience, say)
			if err != nil {
				return nil, err
			}
			patience -= time.Since(began)
			r.Busy = max(r.Busy, busy)
		}
		say("%d of %d: %s", i+1, len(chosen), b.name)
		result := b.measure(ctx, l, o.rounds, warmups)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.Benches = append(r.Benches, result)
	}
	return r, nil
}

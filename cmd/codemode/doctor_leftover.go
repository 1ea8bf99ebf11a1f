package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/fsys"
	"codemode/ops/journal"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

// deadRun is a run that has ended.
type deadRun struct {
	bindings.Summary
	Operations []deadOperation `json:"operations"` // those whose effect is unknown
}

// deadOperation is an operation whose effect is unknown.
type deadOperation struct {
	Receipt   ops.Receipt `json:"receipt"`
	Leftovers []leftover  `json:"leftovers"`
	begun     bindings.Begun
}

// What a leftover is.
const (
	leftUnfinished = "unfinished"
	leftAside      = "put-aside"
	leftReplaced   = "replaced"
	leftParent     = "parent"
)

// What to do with it.
const (
	adviceRemove  = "remove"
	adviceRestore = "restore"
	adviceLook    = "look" // a person must decide
)

// leftover is something that an operation left on disk.
type leftover struct {
	Path     plain.Text `json:"path"`
	What     string     `json:"what"`
	Says     string     `json:"says"`     // the same in a sentence, and what to do
	OnlyCopy bool       `json:"onlyCopy"` // it may hold what nothing else does
	Advice   string     `json:"advice"`
	Restore  plain.Text `json:"restore,omitempty"` // to where
}

// deadRuns reads the journals of all runs and finds those that left something or
// have an operation whose effect is unknown, newest first. Runs that go on are
// counted only: what they have hidden is in use.
func (p *program) deadRuns(dir string) (dead []deadRun, running int, err error) {
	ids, err := journal.IDs(dir)
	if err != nil {
		return nil, 0, err
	}
	dead = []deadRun{}
	for _, id := range ids {
		run, err := readRun(dir, id)
		if err != nil {
			p.screen.complain("the journal of " + policy.Printable(id) + " cannot be read: " + reason(err).Error())
			continue
		}
		if run.alive {
			running++
			continue
		}
		p.warnTorn(run)
		d := deadRun{Summary: run.Summary()}
		for _, r := range run.Operations {
			if r.Effect != ops.Unknown {
				continue
			}
			op := deadOperation{Receipt: r, Leftovers: []leftover{}}
			op.begun, _ = run.Begun(r.Seq)
			op.find()
			if len(op.Leftovers) > 0 || run.Status == bindings.StatusInterrupted {
				d.Operations = append(d.Operations, op)
			}
		}
		if len(d.Operations) > 0 {
			dead = append(dead, d)
		}
	}
	return dead, running, nil
}

// tagged is a hidden name as sessions make them: a journal that somebody meddled
// with must not point at anything else.
var tagged = regexp.MustCompile(`^\.codemode-[0-9a-f]{8}-([0-9]+)$`)

// find looks for what the operation left.
func (op *deadOperation) find() {
	m := tagged.FindStringSubmatch(op.begun.Hidden)
	if m == nil || m[1] != fmt.Sprint(op.Receipt.Seq) {
		return
	}
	source, target := string(op.Receipt.Path), string(op.Receipt.Target)
	paths := ops.Leftovers(source, target, op.begun.Hidden, op.begun.Parent, present)
	if op.Receipt.Operation == ops.Copy && op.begun.Replaces != "" {
		paths = append(paths, op.deeper(paths)...)
	}
	for _, path := range paths {
		if l, ok := op.classify(path, paths); ok {
			op.Leftovers = append(op.Leftovers, l)
		}
	}
}

// deeper finds what a merge left further down, where a part of the target lies on
// another file system or its top cannot be written to.
func (op *deadOperation) deeper(known []string) (found []string) {
	names := fsys.HiddenNames(op.begun.Hidden)
	// What cannot be read holds nothing that could be found.
	_ = filepath.WalkDir(string(op.Receipt.Target), func(path string, d fs.DirEntry, err error) error {
		if err == nil && slices.Contains(names, d.Name()) && !slices.Contains(known, path) {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// classify finds out what is at a path where an operation may have left something.
// Where that cannot be told for certain it counts as the only copy.
func (op *deadOperation) classify(path string, all []string) (leftover, bool) {
	l := leftover{Path: plain.Text(path), Advice: adviceRemove}
	r, b := op.Receipt, op.begun
	source, target := string(r.Path), string(r.Target)
	here, _ := ops.ObjectAt(path)
	atSource, sourceThere := ops.ObjectAt(source)
	atTarget, targetThere := "", false
	if target != "" {
		atTarget, targetThere = ops.ObjectAt(target)
	}
	if path == b.Parent {
		l.What, l.Says = leftParent, "empty folders that were made for a target that never came: remove them"
		return l, onlyFolders(path, all)
	}
	beside := filepath.Dir(path) == filepath.Dir(source)
	switch {
	case r.Operation == ops.Move && sameInode(here, b.Object):
		l.What = leftAside
		if here == b.Object && targetThere && b.Replaces == "" || here == b.Object && targetThere && !sameInode(atTarget, b.Replaces) {
			l.Says = fmt.Sprintf("the source of a move, or what is left of it; its complete copy is at %s: remove it", policy.Printable(target))
			return l, true
		}
		op.mayBeOnly(&l, source, sourceThere, "the source of a move, which was put aside and whose target was not completed")
	case r.Operation == ops.Move && here == b.Replaces && targetThere:
		l.What = leftReplaced
		l.Says = fmt.Sprintf("what %s held before something else was moved there, or what is left of it: remove it, unless you want that back", policy.Printable(target))
	case r.Operation == ops.Move && here == b.Replaces:
		l.What = leftReplaced
		op.mayBeOnly(&l, target, false, "what was replaced by a move; what took its place is no longer there")
	case r.Operation == ops.Move && beside && !sourceThere:
		// After a restart the kernel may name file systems otherwise.
		l.What = leftAside
		op.mayBeOnly(&l, source, false, "probably the source of a move, which was put aside, or what was to be replaced")
	case r.Operation == ops.Write, r.Operation == ops.Edit:
		l.What, l.Says = leftUnfinished, fmt.Sprintf("new text for %s that was not put in place, maybe not all of it: remove it and do it again", policy.Printable(source))
	case sourceThere && atSource == b.Object:
		l.What, l.Says = leftUnfinished, fmt.Sprintf("an unfinished copy of %s, which is still there: remove it", policy.Printable(source))
	default:
		l.What, l.OnlyCopy, l.Advice = leftUnfinished, true, adviceLook
		l.Says = fmt.Sprintf("a copy of %s, maybe unfinished; %s is not there as it was, so this MAY BE THE ONLY COPY: look at it, then delete it or move it yourself", policy.Printable(source), policy.Printable(source))
	}
	return l, true
}

// mayBeOnly advises to put something back that may be the only copy.
func (op *deadOperation) mayBeOnly(l *leftover, back string, taken bool, what string) {
	l.OnlyCopy = true
	if taken || present(back) {
		l.Advice = adviceLook
		l.Says = fmt.Sprintf("%s; this MAY BE THE ONLY COPY, and something else is at %s now: look at both, then move it yourself", what, policy.Printable(back))
		return
	}
	l.Advice, l.Restore = adviceRestore, plain.Text(back)
	l.Says = fmt.Sprintf("%s; this MAY BE THE ONLY COPY: put it back to %s", what, policy.Printable(back))
}

// still reports whether a leftover is what it was when it was found.
func (op *deadOperation) still(l leftover) bool {
	now, there := op.classify(string(l.Path), []string{string(l.Path)})
	return present(string(l.Path)) && there && now == l
}

// sameInode compares objects, whatever the kernel calls their file system.
func sameInode(a, b string) bool {
	_, x, _ := strings.Cut(a, ":")
	_, y, _ := strings.Cut(b, ":")
	return a != "" && b != "" && x == y
}

// onlyFolders reports whether a directory holds nothing but directories, apart
// from what is known to be left over.
func onlyFolders(top string, known []string) bool {
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != top && slices.Contains(known, path) && d.IsDir():
			return fs.SkipDir
		case !d.IsDir() && !slices.Contains(known, path):
			return fs.ErrExist
		}
		return nil
	})
	return err == nil
}

// remedy is the operation that a leftover calls for, if one can be offered.
func (l leftover) remedy() (ops.Request, bool) {
	switch l.Advice {
	case adviceRemove:
		return ops.Request{Operation: ops.Delete, Path: string(l.Path)}, true
	case adviceRestore:
		return ops.Request{Operation: ops.Move, Path: string(l.Path), Target: string(l.Restore), Overwrite: ops.OverwriteNothing, ParentsExist: true}, true
	}
	return ops.Request{}, false
}

// question words the offer.
func (l leftover) question(colours bool, width int) question {
	if width <= 0 {
		width = 80
	}
	d := &frame{width: max(width, minWidth), colours: colours}
	asks := "Remove it?"
	if l.Advice == adviceRestore {
		asks = "Put it back?"
	}
	d.line("", "codemode doctor: a leftover")
	d.line("", "")
	d.item("what", policy.Printable(string(l.Path)))
	d.prose("which is", l.Says)
	d.line("", "")
	prompt := words(asks+" Only y or yes means yes. [y/N]", d.width-len("| ")-len(" yes")-1)
	return question{text: d.b.String(), prompt: "| " + strings.Join(prompt, "\n| ") + " "}
}

// present reports whether something is at a path, a link included.
func present(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

package ops

import (
	"context"
	"fmt"
	"path/filepath"

	"codemode/ops/fsys"
	"codemode/ops/gitstate"
	"codemode/ops/policy"
)

// plan is what a call is about to do and everything that was seen on the way:
// the directories are held open, nothing has been changed.
type plan struct {
	source  spot
	info    fsys.Info // the source
	target  *spot
	dest    *fsys.Info // what exists at the target, nil if nothing
	git     *gitstate.View
	project gitstate.Project
	guards  *protection

	survey     fsys.Survey // the source tree
	destSurvey fsys.Survey // an existing target that would be replaced
	seen       *fsys.Listings
	destSeen   *fsys.Listings
	remains    hazards // of a source that would leave its place
	loses      hazards // of a target that would be replaced

	merge       bool       // Copy into an existing directory
	overwritten fsys.Tally // files that a Copy would overwrite
	copied      map[uint64]struct{}
	crossing    bool // a Move between file systems, as far as can be told
	caseOnly    bool // a Move that changes only the case of a name

	content   []byte // what a Write or Edit would make
	diff      string // from what is there
	identical bool   // it is there already

	hidden    string // the name of anything unfinished
	abandoned bool   // still in use by an execution that nobody waits for
}

// hazards are what a tree to be removed holds.
type hazards struct {
	repository string // a nested Git repository, by path
	mount      string // a mount point, by path
}

func (p *plan) close() {
	if p.abandoned {
		return
	}
	p.source.Close()
	if p.target != nil && p.target != &p.source {
		p.target.Close()
	}
}

// plan resolves, checks and walks, and changes nothing. Its errors are
// refusals. On an error everything it holds is closed.
func (c *call) plan(ctx context.Context) (*plan, error) {
	s := c.s
	p := &plan{git: s.git.View(ctx)}
	p.project = p.git.Project(s.cwd)
	if p.project.Damaged != nil {
		return nil, &Error{Code: GitProtectionFailed, cause: p.project.Damaged,
			Message: "Git's control data cannot be identified, so that it cannot be protected: " + p.project.Damaged.Error()}
	}
	p.guards = s.protection(p.project)
	p.hidden = fmt.Sprintf(".codemode-%s-%d", s.tag, c.receipt.Seq)
	var err error
	if p.source, err = s.resolve(c.req.Path, nil); err != nil {
		return nil, s.absent(c.req.Path, err)
	}
	if err := c.fill(ctx, p); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (c *call) fill(ctx context.Context, p *plan) error {
	if c.req.makes() {
		return c.making(ctx, p)
	}
	if c.req.transfer() {
		target, err := c.s.resolve(c.req.Target, p.source.Place)
		if err != nil {
			return err
		}
		p.target = &target
	}
	if err := c.protected(p); err != nil {
		return err
	}
	var err error
	if p.info, err = p.source.Stat(); err != nil {
		return c.s.absent(c.req.Path, err)
	}
	if p.source.directory && p.info.Kind != fsys.Directory {
		return notDirectory(c.req.Path, p.info)
	}
	if c.req.transfer() {
		if err := c.arrival(p); err != nil {
			return err
		}
	}
	if err := c.survey(ctx, p); err != nil {
		return err
	}
	if c.req.transfer() {
		return c.ownResult(p)
	}
	return nil
}

// protected is asked before any tree is walked.
func (c *call) protected(p *plan) error {
	if c.req.leaves() {
		doing := map[Operation]string{Delete: "deleted", Move: "moved"}[c.req.Operation]
		if err := p.guards.guarded(p.source.Place, doing); err != nil {
			return err
		}
	}
	if p.target == nil {
		return nil
	}
	if err := p.guards.guarded(p.target.Place, "written to"); err != nil {
		return err
	}
	if repository := p.completes(); repository != "" {
		return refuse(ProtectedTarget, "%s cannot be made: with it %s would be a Git repository's own directory, whose configuration Git would follow; make a repository with git init", show(p.target.Path), show(repository))
	}
	// A git dir need not be called .git: hooks in it would run all the same.
	if repository := p.bareAround(p.target.Path); repository != "" {
		return refuse(ProtectedTarget, "%s cannot be written to: %s is a Git repository's own directory, which nothing is written into", show(p.target.Path), show(repository))
	}
	return nil
}

// completes is the directory that what is about to appear at the target would
// make a Git repository's own, or "".
func (p *plan) completes() string {
	dir, name := filepath.Dir(p.target.Path), p.target.Name
	for n := len(p.target.Missing); n > 0; n-- {
		name, dir = p.target.Missing[n-1], filepath.Dir(dir)
	}
	if _, part := bareNames[name]; !part {
		return ""
	}
	here := func(entry string) bool { return exists(filepath.Join(dir, entry)) }
	if !gitstate.IsBareLayout(here) && gitstate.IsBareLayout(func(entry string) bool { return entry == name || here(entry) }) {
		return dir
	}
	return ""
}

func notDirectory(path string, info fsys.Info) error {
	return refuse("ENOTDIR", "%s ends in a slash, but is a %s; leave the slash out to name the object itself", show(path), info.Kind)
}

// survey walks what would be removed, copied, merged or replaced.
func (c *call) survey(ctx context.Context, p *plan) (err error) {
	switch c.req.Operation {
	case Delete:
		p.seen = &fsys.Listings{}
		v := &removal{plan: p, top: p.source.Path, found: &p.remains}
		p.survey, err = p.source.Survey(ctx, fsys.Surveying{Seen: &p.info, Removal: true, Listings: p.seen, Visit: v.visit})
		return err
	case Move:
		v := &removal{plan: p, top: p.source.Path, found: &p.remains, refuseSpecial: true}
		if p.crossing {
			p.seen = &fsys.Listings{}
		}
		p.survey, err = p.source.Survey(ctx, fsys.Surveying{Seen: &p.info, Removal: p.crossing, Reading: p.crossing, Listings: p.seen, Visit: v.visit})
		if err == nil && !p.crossing {
			err = p.source.Writable()
		}
		if err == nil && p.dest != nil && !p.caseOnly {
			p.destSeen = &fsys.Listings{}
			v := &removal{plan: p, top: p.target.Path, found: &p.loses}
			p.destSurvey, err = p.target.Survey(ctx, fsys.Surveying{Removal: true, Listings: p.destSeen, Visit: v.visit})
		}
		return err
	}
	v := &copying{call: c, plan: p}
	how := fsys.Surveying{Seen: &p.info, Reading: true, Visit: v.visit}
	if p.dest != nil {
		how.Mirror = p.target.Place
	}
	if p.merge {
		p.copied = map[uint64]struct{}{}
	}
	p.survey, err = p.source.Survey(ctx, how)
	return err
}

// replaced says what the operation would replace or overwrite, for receipts.
func (p *plan) replaced(op Operation) *policy.Replaced {
	switch {
	case p.dest == nil || p.caseOnly || p.identical:
		return nil
	case op == Move:
		return &policy.Replaced{Kind: string(p.dest.Kind), Entries: p.destSurvey.Entries, Bytes: p.destSurvey.Bytes}
	case p.overwritten.Entries > 0:
		return &policy.Replaced{Kind: string(p.dest.Kind), Entries: p.overwritten.Entries, Bytes: p.overwritten.Bytes}
	}
	return nil
}

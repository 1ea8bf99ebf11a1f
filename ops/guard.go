package ops

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"codemode/ops/fsys"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

// object is something that an operation would remove from its place, or
// overwrite.
type object struct {
	path    string // resolved
	asked   plain.Text
	info    fsys.Info
	fate    policy.Fate
	merged  bool // a directory that stays, only files in it are overwritten
	stake   fsys.Tally
	hazards hazards
	hooked  bool // before-delete hooks are told
	target  bool // the target of the operation, not its source
}

// objects lists what a plan would remove or overwrite: the source first.
func (c *call) objects(p *plan) []object {
	var list []object
	if c.req.leaves() {
		list = append(list, object{
			path: p.source.Path, asked: c.receipt.Path, info: p.info, fate: policy.Removed,
			stake: p.survey.Tally, hazards: p.remains,
			hooked: c.req.Operation == Delete || p.info.Kind != fsys.File,
		})
	}
	if p.dest == nil || p.caseOnly {
		return list
	}
	dest := object{path: p.target.Path, asked: c.receipt.Target, info: *p.dest, fate: policy.Overwritten, target: true}
	if c.req.makes() {
		dest.asked = c.receipt.Path
	}
	switch {
	case c.req.Operation == Move:
		dest.stake, dest.hazards = p.destSurvey.Tally, p.loses
		dest.hooked = p.dest.Kind == fsys.Directory
	case p.overwritten.Entries > 0:
		dest.stake, dest.merged = p.overwritten, p.merge
	default:
		return list
	}
	return append(list, dest)
}

// guard asks everybody who may object: hooks, then the host. Whoever was asked
// may have taken time, or changed something, so afterwards everything is
// looked at again. It returns the plan to carry out and closes the other.
func (c *call) guard(ctx context.Context, p *plan) (*plan, error) {
	objects := c.objects(p)
	hooked, err := c.hooks(ctx, p, objects)
	if err != nil {
		return p, err
	}
	reasons, asked, err := c.approvals(ctx, p, objects)
	if err != nil {
		return p, err
	}
	for _, o := range objects {
		if mount := o.hazards.mount; mount != "" {
			return p, refuse(MountPoint, "%s cannot be removed, since %s is a mount point and its files live elsewhere; unmount it first", show(o.path), show(mount))
		}
	}
	if !hooked && !asked {
		return p, nil
	}
	return c.recheck(ctx, p, reasons)
}

// hooks tells every hook about every object that would be removed.
func (c *call) hooks(ctx context.Context, p *plan, objects []object) (asked bool, err error) {
	for _, o := range objects {
		if !o.hooked {
			continue
		}
		event := policy.Event{
			Operation: string(c.req.Operation), Path: o.asked, ResolvedPath: plain.Text(o.path),
			Cwd: plain.Text(c.s.dir), Kind: string(o.info.Kind), Recursive: o.info.Kind == fsys.Directory,
		}
		for _, h := range c.s.cfg.Hooks {
			asked = true
			d, err := askHook(ctx, h, event)
			switch {
			case ctx.Err() != nil:
				return asked, ctx.Err()
			case err != nil:
				return asked, denied(h, o.path, fmt.Sprintf("it failed, which blocks, too: %v", err))
			case d.Deny:
				reason := d.Reason
				if reason == "" {
					reason = "no reason was given"
				}
				reason = strings.Join(strings.Fields(reason), " ")
				return asked, denied(h, o.path, reason)
			}
		}
	}
	return asked, nil
}

// askHook turns a panic of a host's hook into its failure.
func askHook(ctx context.Context, h Hook, e policy.Event) (d policy.Decision, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panicked: %v", r)
		}
	}()
	return h.BeforeDelete(ctx, e)
}

func denied(h Hook, path, reason string) error {
	e := refuse(HookDenied, "the hook %s does not allow removing %s: %s", show(h.ID()), show(path), show(reason))
	e.Hook, e.Reason = h.ID(), reason
	return e
}

// reasons says why the host must approve of what happens to an object.
func (c *call) reasons(ctx context.Context, p *plan, o object) []policy.Reason {
	directory := o.info.Kind == fsys.Directory
	moved := c.req.Operation == Move && !o.target
	facts := policy.Facts{
		Fate:      o.fate,
		Plain:     !directory && o.info.Kind != fsys.Symlink,
		Merged:    o.merged,
		External:  c.s.external(p, o.path),
		InGit:     p.project.Root != "",
		Confined:  c.s.cfg.Root != "" && !c.s.cfg.RootAsks,
		Temporary: c.req.Operation == Delete && c.s.inTemporary(o.path),
		Nested:    o.hazards.repository != "",
		InBare:    p.bareAround(o.path) != "",
		Tracked: func() (bool, bool) {
			v := c.s.git.Classify(ctx, o.path, directory, c.s.cwd)
			return v.Tracked, v.Doubt != ""
		},
		Untracked: func() bool {
			// A file that is only moved is not lost.
			if moved && !directory {
				return false
			}
			return c.s.git.Untracked(ctx, o.path, directory)
		},
	}
	return policy.Reasons(facts, c.s.cfg.Ask)
}

// bareAround is the bare repository that an object is a part of, or "".
func (p *plan) bareAround(path string) string { return p.git.BareAround(filepath.Dir(path)) }

// external reports whether an object lies outside the project.
func (s *Session) external(p *plan, path string) bool {
	if s.cfg.Root != "" {
		return s.inner != "" && path != s.inner && !fsys.Contains(s.inner, path)
	}
	project := p.project.Root
	if project == "" {
		project = s.cwd
	}
	return path != project && !fsys.Contains(project, path)
}

func (s *Session) inTemporary(path string) bool {
	return slices.ContainsFunc(s.temporary, func(dir string) bool { return fsys.Contains(dir, path) })
}

// approvals asks the host about every object for which there is a reason.
func (c *call) approvals(ctx context.Context, p *plan, objects []object) (all [][]policy.Reason, asked bool, err error) {
	for _, o := range objects {
		reasons := c.reasons(ctx, p, o)
		all = append(all, reasons)
		if len(reasons) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, asked, err
		}
		approval := Approval{Path: o.asked, Reasons: reasons, Decision: "unavailable"}
		if c.s.cfg.Approve == nil {
			c.receipt.Approvals = append(c.receipt.Approvals, approval)
			return nil, asked, refuse(ConfirmationRequired, "%s needs the host's approval (%s), and nobody can be asked; let a person run this at a terminal, or the host approve it beforehand (--approve allow)",
				show(o.path), explain(reasons, p, o))
		}
		asked = true
		yes, err := c.askHost(ctx, c.question(p, o, reasons))
		approval.Decision = "denied"
		if yes && err == nil && ctx.Err() == nil {
			approval.Decision = "approved"
		}
		c.receipt.Approvals = append(c.receipt.Approvals, approval)
		switch {
		case ctx.Err() != nil:
			return nil, asked, ctx.Err()
		case err != nil:
			return nil, asked, &Error{Code: NotApproved, cause: err, Message: fmt.Sprintf("%s was not approved (%s): %s", show(o.path), explain(reasons, p, o), show(err.Error()))}
		case !yes:
			return nil, asked, refuse(NotApproved, "%s was not approved (%s); do not try again without asking the person", show(o.path), explain(reasons, p, o))
		}
	}
	return all, asked, nil
}

// askHost puts one question. The clock that the call is under stands still
// meanwhile, and a panic of the host's callback is no yes.
func (c *call) askHost(ctx context.Context, q policy.Question) (yes bool, err error) {
	defer pauseClock(ctx)()
	defer func() {
		if r := recover(); r != nil {
			yes, err = false, fmt.Errorf("it panicked: %v", r)
		}
	}()
	return c.s.cfg.Approve(ctx, q)
}

func (c *call) question(p *plan, o object, reasons []policy.Reason) policy.Question {
	q := policy.Question{
		Operation: string(c.req.Operation), Path: o.asked, ResolvedPath: plain.Text(o.path), Kind: string(o.info.Kind),
		Reasons: reasons, Entries: o.stake.Entries, Bytes: o.stake.Bytes, Overwrites: o.target,
	}
	q.Diff = plain.Text(p.diff)
	if c.req.transfer() {
		q.Source, q.Target = c.receipt.Path, c.receipt.Target
		q.Replaced = p.replaced(c.req.Operation)
	}
	return q
}

// explain says in words why approval is needed.
func explain(reasons []policy.Reason, p *plan, o object) string {
	words := ""
	for i, r := range reasons {
		if i > 0 {
			words += ", "
		}
		words += string(r)
		if at := o.hazards.repository; r == policy.NestedRepository && at != "" {
			words += " at " + show(at)
		} else if r == policy.NestedRepository {
			words += " " + show(p.bareAround(o.path)) + " around it"
		}
	}
	return words
}

// recheck makes the whole plan again and compares.
func (c *call) recheck(ctx context.Context, old *plan, reasons [][]policy.Reason) (*plan, error) {
	code := TransferTargetChanged
	if c.req.Operation == Delete {
		code = DeleteTargetChanged
	}
	p, err := c.plan(ctx)
	if ctx.Err() != nil {
		if err == nil {
			p.close()
		}
		return old, ctx.Err()
	}
	if err != nil {
		e := asError(err)
		return old, &Error{Code: code, cause: e, Message: fmt.Sprintf("%s changed while hooks or the host were asked, nothing was done: %s", show(old.source.Path), e.Message)}
	}
	what := old.differs(p)
	if what == "" {
		for i, o := range c.objects(p) {
			if i >= len(reasons) || !slices.Equal(reasons[i], c.reasons(ctx, p, o)) {
				what = "what Git knows of " + show(o.path)
			}
		}
	}
	if what != "" {
		p.close()
		return old, refuse(code, "%s changed while hooks or the host were asked, nothing was done; look at it and try again", what)
	}
	old.close()
	return p, nil
}

// differs names what is no longer as it was, or "".
func (p *plan) differs(now *plan) string {
	switch {
	case p.source.Path != now.source.Path, !slices.Equal(p.source.Ancestors, now.source.Ancestors):
		return "the way to " + show(p.source.Path)
	case p.info.Identity != now.info.Identity, p.info.Kind != now.info.Kind, p.survey != now.survey:
		return show(p.source.Path)
	}
	if p.target == nil {
		return ""
	}
	switch {
	case p.target.Path != now.target.Path, !slices.Equal(p.target.Ancestors, now.target.Ancestors), !slices.Equal(p.target.Missing, now.target.Missing):
		return "the way to " + show(p.target.Path)
	case (p.dest == nil) != (now.dest == nil), !bytes.Equal(p.content, now.content), p.dest != nil && *p.dest != *now.dest, p.destSurvey != now.destSurvey, p.overwritten != now.overwritten:
		return show(p.target.Path)
	}
	return ""
}

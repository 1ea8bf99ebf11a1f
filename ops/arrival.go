package ops

import (
	"path/filepath"
	"strings"

	"codemode/ops/fsys"
)

// arrival checks source against target of a Copy or Move before any tree is
// walked.
func (c *call) arrival(p *plan) error {
	if p.info.Kind.Special() {
		return special(p.source.Path, p.info.Kind)
	}
	if p.source.InProc() {
		return refuse(InvalidFileType, "%s lies in /proc, which shows processes and their secrets; it cannot be copied or moved", show(p.source.Path))
	}
	if err := c.meet(p); err != nil {
		return err
	}
	if err := c.overlap(p); err != nil {
		return err
	}
	if p.dest == nil || p.caseOnly {
		if p.target.directory && p.info.Kind != fsys.Directory {
			return refuse("ENOTDIR", "target %s ends in a slash, but the source is a %s; target names the resulting object, so to put it into that directory name %s",
				show(c.req.Target), p.info.Kind, show(filepath.Join(c.req.Target, p.source.Name)))
		}
		if c.req.ParentsExist && len(p.target.Missing) > 0 {
			return refuse("ENOENT", "the directory %s does not exist; pass create_dirs: true to have it made", show(p.target.ParentPath()))
		}
		return p.target.Writable()
	}
	return c.existing(p)
}

// meet looks at what exists at the target.
func (c *call) meet(p *plan) error {
	if len(p.target.Missing) == 0 {
		dest, err := p.target.Stat()
		if err == nil {
			p.dest = &dest
		} else if asError(err).Code != "ENOENT" {
			return err
		}
	}
	if c.req.Operation == Move {
		parent := p.target.Mount()
		p.crossing = parent != p.source.Mount()
	}
	if p.dest == nil || p.dest.Identity != p.info.Identity {
		return nil
	}
	// On a file system that folds case, a new spelling of a name finds the old
	// object: that is a rename, not a collision.
	if c.req.Operation == Move && p.source.ParentPath() == p.target.ParentPath() && p.source.Name != p.target.Name &&
		strings.EqualFold(p.source.Name, p.target.Name) && (p.info.Links == 1 || p.info.Kind == fsys.Directory) {
		p.caseOnly = true
		return nil
	}
	return refuse(SameFile, "%s and %s are the same object; nothing was changed", show(p.source.Path), show(p.target.Path))
}

// overlap refuses one tree inside the other, by path and, for aliases that
// paths do not show, by identity.
func (c *call) overlap(p *plan) error {
	inside := fsys.Contains(p.source.Path, p.target.Path)
	around := fsys.Contains(p.target.Path, p.source.Path)
	if p.info.Kind == fsys.Directory {
		for _, id := range p.target.Ancestors {
			inside = inside || id == p.info.Identity
		}
	}
	if p.dest != nil && p.dest.Kind == fsys.Directory {
		for _, id := range p.source.Ancestors {
			around = around || id == p.dest.Identity
		}
	}
	switch {
	case inside:
		return refuse(OverlappingPaths, "%s lies inside %s; choose a target outside of it", show(p.target.Path), show(p.source.Path))
	case around:
		return refuse(OverlappingPaths, "%s lies inside %s; choose a target that does not contain the source", show(p.source.Path), show(p.target.Path))
	}
	return nil
}

// existing checks a target that exists already.
func (c *call) existing(p *plan) error {
	dest := *p.dest
	switch {
	case c.req.Overwrite == OverwriteNothing:
		return refuse(TargetExists, "%s exists already; choose another target, or pass overwrite: true (--overwrite)", show(p.target.Path))
	case dest.Kind == fsys.Symlink:
		return refuse(InvalidFileType, "the target %s is a symbolic link, which is never written through or replaced; delete it first, or name what it points to", show(p.target.Path))
	case p.target.directory && dest.Kind != fsys.Directory:
		return notDirectory(c.req.Target, dest)
	case dest.Kind != p.info.Kind:
		hint := "delete or move it first"
		if dest.Kind == fsys.Directory {
			hint = "target names the resulting object, so to put the source into that directory name " + show(p.target.Path+"/"+p.source.Name)
		}
		return refuse(InvalidFileType, "%s is a %s and cannot become a %s; %s", show(p.target.Path), dest.Kind, p.info.Kind, hint)
	case dest.MountRoot && dest.Kind == fsys.File:
		return refuse(MountPoint, "%s is a mount point and cannot be overwritten; unmount it first", show(p.target.Path))
	}
	if c.req.ReadFirst && dest.Kind == fsys.File {
		if err := c.s.reads.check(p.target.Path, dest, false); err != nil {
			return err
		}
	}
	if p.merge = c.req.Operation == Copy && dest.Kind == fsys.Directory; p.merge {
		return nil // what must be writable is asked on the way, see survey
	}
	return p.target.Writable()
}

// ownResult refuses a target that this run put there itself, or that holds
// such a thing and would be replaced. For Copy each file is looked at on the
// way, see ownFile.
func (c *call) ownResult(p *plan) error {
	if p.dest == nil || p.caseOnly || c.req.Operation != Move || c.req.Overwrite == OverwriteAny {
		return nil
	}
	r, own := c.s.results.at(p.target.Path)
	if !own && p.dest.Kind == fsys.Directory {
		r, own = c.s.results.within(p.target.Path)
	}
	if own {
		return c.destroys(p.target.Path, r)
	}
	return nil
}

// ownFile refuses to overwrite a file that this run put there, unless the very
// same Copy is repeated.
func (c *call) ownFile(path, from string) error {
	if c.req.Overwrite == OverwriteAny {
		return nil
	}
	r, own := c.s.results.at(path)
	if !own || c.s.results.repeats(r, from) {
		return nil
	}
	return c.destroys(path, r)
}

func (c *call) destroys(path string, r result) error {
	return refuse(OverwritesOwnResult,
		"%s was put there by operation %d of this run (%s of %s) and would be lost; target names the resulting object, so name one target for each source, or pass overwrite: true (--overwrite)",
		show(path), r.seq, r.op, show(r.source))
}

package ops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"codemode/ops/fsys"
	"codemode/ops/textedit"
)

const (
	// maxEdited is the size up to which files are edited.
	maxEdited = textedit.MaxSize
	// maxDiff is about how many bytes of a difference a receipt shows.
	maxDiff = 8 << 10
)

// making plans an operation that makes something at its path: a write, an edit
// or a new directory. Source and target are then the same place.
func (c *call) making(ctx context.Context, p *plan) error {
	p.target = &p.source
	dest, err := p.target.Stat()
	switch {
	case err == nil:
		p.dest = &dest
	case asError(err).Code != "ENOENT":
		return err
	}
	p.info.Kind = fsys.File
	if p.dest != nil {
		p.info = *p.dest
	}
	if c.req.Operation == Mkdir {
		return c.makingDirectory(p)
	}
	if err := c.protected(p); err != nil {
		return err
	}
	if err := c.madeFile(p); err != nil {
		return err
	}
	var old []byte
	if p.dest != nil {
		if old, err = c.old(ctx, p); err != nil {
			return err
		}
	}
	if err := c.contents(ctx, p, old); err != nil {
		return err
	}
	p.survey = fsys.Survey{Tally: fsys.Tally{Entries: 1, Bytes: int64(len(p.content))}}
	if p.dest != nil && !p.identical {
		p.overwritten = fsys.Tally{Entries: 1, Bytes: p.dest.Size}
	}
	return p.target.Writable()
}

// makingDirectory plans a directory. One that is there already is as good as
// made, unless the request says otherwise.
func (c *call) makingDirectory(p *plan) error {
	switch {
	case p.dest == nil:
	case p.target.directory && p.dest.Kind != fsys.Directory:
		return notDirectory(c.req.Path, *p.dest)
	case p.dest.Kind == fsys.Directory && c.req.Overwrite != OverwriteNothing:
		p.identical = true
		return nil
	case p.dest.Kind == fsys.Directory:
		return refuse(TargetExists, "the directory %s exists already", show(p.target.Path))
	default:
		return refuse(InvalidFileType, "%s is a %s and cannot become a directory; delete or move it first", show(p.target.Path), p.dest.Kind)
	}
	p.info.Kind = fsys.Directory
	p.survey = fsys.Survey{Tally: fsys.Tally{Entries: int64(1 + len(p.target.Missing))}}
	if err := c.protected(p); err != nil {
		return err
	}
	if err := c.parents(p); err != nil {
		return err
	}
	return p.target.Writable()
}

// madeFile checks what is at the path of a file to be written or edited.
func (c *call) madeFile(p *plan) error {
	switch {
	case p.target.directory:
		return refuse("ENOTDIR", "%s ends in a slash, but a file is to be written there; leave the slash out", show(c.req.Path))
	case p.dest == nil && c.req.Operation == Edit:
		return c.s.absent(c.req.Path, fs.ErrNotExist)
	case p.dest == nil:
		return c.parents(p)
	case p.dest.Kind == fsys.Symlink:
		return refuse(InvalidFileType, "%s is a symbolic link, which is never written through or replaced; name what it points to", show(p.target.Path))
	case p.dest.Kind != fsys.File:
		return refuse(InvalidFileType, "%s is a %s and cannot be written to; only regular files can", show(p.target.Path), p.dest.Kind)
	case p.target.InProc():
		return refuse(InvalidFileType, "%s lies in /proc and cannot be written to", show(p.target.Path))
	case p.dest.MountRoot:
		return refuse(MountPoint, "%s is a mount point and cannot be overwritten; unmount it first", show(p.target.Path))
	case c.req.Operation == Write && c.req.Overwrite == OverwriteNothing && !c.req.Append:
		return refuse(TargetExists, "%s exists already; edit changes a part of it, and write with overwrite: true all of it once it was read", show(p.target.Path))
	}
	if c.req.ReadFirst || c.hasRanges() {
		if err := c.s.reads.check(p.target.Path, *p.dest, c.req.ReadFirst); err != nil {
			return err
		}
	}
	return p.target.MayWrite()
}

// hasRanges reports whether an edit names places, which mean something only in a
// text that was read.
func (c *call) hasRanges() bool {
	for _, e := range c.req.Edits {
		if e.Range != nil {
			return true
		}
	}
	return false
}

func (c *call) parents(p *plan) error {
	if c.req.ParentsExist && len(p.target.Missing) > 0 {
		return refuse("ENOENT", "the directory %s does not exist; pass create_dirs: true to have it made", show(p.target.ParentPath()))
	}
	return nil
}

// old is the content of a file that is to be changed. It must be what the rest
// of the plan has seen.
func (c *call) old(ctx context.Context, p *plan) ([]byte, error) {
	replaced := c.req.Operation == Write && !c.req.Append
	if replaced && (p.dest.Size > maxEdited || p.dest.Size > int64(8*len(c.req.Content)+1<<20)) {
		return nil, nil // not worth reading for what a receipt would show
	}
	if p.dest.Size > maxEdited {
		return nil, refuse("EFBIG", "%s has %d bytes; files of up to %d can be edited", show(p.target.Path), p.dest.Size, maxEdited)
	}
	file, info, err := p.target.Open()
	if err != nil {
		if replaced && asError(err).Code == "EACCES" {
			return nil, nil
		}
		return nil, err
	}
	defer file.Close()
	if info.Stamp() != p.dest.Stamp() {
		return nil, fmt.Errorf("%s: %w", show(p.target.Path), fsys.ErrChanged)
	}
	data := make([]byte, info.Size)
	n, err := io.ReadFull(reading{ctx, file}, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && err != io.EOF {
		return nil, err
	}
	return data[:n], nil
}

// reading ends with its context.
type reading struct {
	ctx  context.Context
	from io.Reader
}

func (r reading) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(b[:min(len(b), 4<<20)])
}

// contents works out what the file will hold, and how that differs from old.
func (c *call) contents(ctx context.Context, p *plan, old []byte) error {
	if c.req.Operation == Write {
		p.content = c.req.Content
		if c.req.Append {
			p.content = slices.Concat(old, c.req.Content)
		}
		if p.dest == nil || old != nil {
			p.diff = diffOf(old, textedit.Between(old, p.content))
			p.identical = p.dest != nil && string(old) == string(p.content)
		}
		return nil
	}
	spans, err := textedit.Find(ctx, old, c.req.Edits)
	if err != nil {
		return c.unedited(p, err)
	}
	p.content = textedit.Apply(old, spans)
	p.diff = diffOf(old, spans)
	p.identical = string(old) == string(p.content)
	return nil
}

// diffOf shows a change of texts; of anything else there is nothing to show.
func diffOf(old []byte, spans []textedit.Span) string {
	for _, s := range spans {
		if !textedit.IsText([]byte(s.Text)) || !textedit.IsText(old[s.Start:s.End]) {
			return ""
		}
	}
	return textedit.Diff(old, spans, maxDiff)
}

// unedited words why edits cannot be applied.
func (c *call) unedited(p *plan, err error) error {
	var problem *textedit.Problem
	if !errors.As(err, &problem) {
		return err
	}
	code, advice := InvalidArguments, ""
	switch problem.Kind {
	case textedit.NoMatch:
		code, advice = EditNoMatch, "read the file and copy the text exactly"
	case textedit.Ambiguous:
		code, advice = EditAmbiguous, "give more of the text around it, or pass all: true"
	case textedit.Overlap:
		code, advice = EditOverlap, "make one edit of them"
	case textedit.BadRange:
		advice = "read the file again"
	case textedit.TooMuch:
		code, advice = "EFBIG", "change less at once"
	case textedit.NotText:
		code, advice = InvalidFileType, "read it with encoding: \"base64\" and write it with bytes"
	}
	e := refuse(code, "%s was not changed: %s; %s", show(p.target.Path), show(problem.Message), advice)
	e.Places = problem.Places
	return e
}

// make carries out the plan: a file is written under the hidden name and then
// given its own.
func (x *execution) make() error {
	if x.req.Operation == Mkdir {
		x.enter(phaseMake)
		if err := x.p.target.Mkdir(); err != nil {
			return err
		}
		x.arrived = true
		x.count()
		return nil
	}
	x.enter(phaseWrite)
	if err := x.p.target.Create(x.p.hidden, x.p.content, x.p.dest); err != nil {
		return x.discard(err)
	}
	if x.p.dest != nil {
		now, err := x.p.target.Stat()
		if err == nil && now.Stamp() != x.p.dest.Stamp() {
			err = fmt.Errorf("%s: %w", show(x.p.target.Path), fsys.ErrChanged)
		}
		if err != nil {
			return x.discard(err)
		}
	}
	if err := x.publish(); err != nil {
		return err
	}
	x.count()
	return nil
}

// rememberMade keeps what was made as a result of this run. A file that was
// written counts as read, and so does one that was edited when all of it had been.
func (x *execution) rememberMade() {
	s, path := x.s, x.p.target.Path
	if !x.arrived {
		return
	}
	s.results.touched[path] = x.receipt.Seq
	s.results.remove(path, false)
	made := result{seq: x.receipt.Seq, op: x.req.Operation, source: path}
	if x.req.Operation == Mkdir {
		made.merged = map[uint64]struct{}{s.results.hash(""): {}} // what comes into it later is not its result
		s.results.add(path, made)
		return
	}
	s.results.add(path, made)
	taken := s.reads.take(path)
	seen, _ := taken.get("/")
	known := x.req.Operation == Write && !x.req.Append || x.p.dest != nil && seen.Stamp == x.p.dest.Stamp() && seen.whole()
	if info, err := x.p.target.Stat(); err == nil && known && info.Size == int64(len(x.p.content)) {
		s.reads.note(path, info.Stamp(), 0, info.Size)
	}
}

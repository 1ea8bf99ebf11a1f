package ops

import (
	"context"
	"encoding/json"
	"path/filepath"
	"time"

	"codemode/ops/fsys"
	"codemode/ops/plain"
)

// Queries are the names of the reading tools, see [Session.Query].
var Queries = []string{"list", "stat", "read", "glob", "search"}

// Query answers a reading tool, arguments and result in JSON. It changes
// nothing. Its error is an *[Error].
func (s *Session) Query(ctx context.Context, tool string, args []byte, problem string) (json.RawMessage, error) {
	result, err := s.query(ctx, tool, args, problem)
	if err != nil {
		return nil, asError(err)
	}
	return json.Marshal(result)
}

func (s *Session) query(ctx context.Context, tool string, args []byte, problem string) (any, error) {
	if problem != "" {
		return nil, refuse(InvalidArguments, "%s", problem)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	answer, ok := map[string]func(context.Context, *fields) (any, error){
		"list": s.list, "stat": s.stat, "read": s.read, "glob": s.glob, "search": s.search,
	}[tool]
	if !ok {
		return nil, refuse(InvalidArguments, "there is no tool %s", show(tool))
	}
	f, err := fieldsOf(tool, args)
	if err != nil {
		return nil, err
	}
	return answer(ctx, f)
}

// Listed is an object as the reading tools show it.
type Listed struct {
	Name  plain.Text  `json:"name"`
	Path  plain.Text  `json:"path"` // relative if it was asked for by a relative path
	Kind  fsys.Kind   `json:"kind"`
	Size  int64       `json:"size"`
	Mode  uint32      `json:"mode"` // permission bits
	Mtime time.Time   `json:"mtime"`
	Link  *plain.Text `json:"link,omitempty"` // the text of a symbolic link
	// Of stat with follow: where the object really is, and what this process may
	// do with it, some of "rwx".
	Real   plain.Text `json:"real,omitempty"`
	Access *string    `json:"access,omitempty"`
}

func listed(name, path string, e fsys.Info, link func() (string, error)) Listed {
	l := Listed{
		Name: plain.Text(name), Path: plain.Text(path),
		Kind: e.Kind, Size: e.Size, Mode: e.Mode & 0o777, Mtime: e.Mtime.UTC().Truncate(time.Millisecond),
	}
	if e.Kind == fsys.Symlink {
		if text, err := link(); err == nil {
			t := plain.Text(text)
			l.Link = &t
		}
	}
	return l
}

// Listing is the result of the tool list.
type Listing struct {
	Path       plain.Text   `json:"path"`
	Entries    []Listed     `json:"entries"`
	Truncated  bool         `json:"truncated"`
	Unreadable []plain.Text `json:"unreadable,omitempty"` // directories that could not be looked into
}

const (
	defaultListLimit   = 10_000
	maxListLimit       = 1_000_000
	defaultSearchLimit = 1_000
)

// errEnough ends a walk that has found as much as was asked for.
var errEnough = refuse(InvalidArguments, "enough")

func (s *Session) list(ctx context.Context, f *fields) (any, error) {
	path := f.text("path", required)
	recursive, _ := f.boolean("recursive", strict)
	limit := f.limit(defaultListLimit)
	if err := f.done(); err != nil {
		return nil, err
	}
	at, info, err := s.look(path, true)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	if info.Kind != fsys.Directory {
		return nil, refuse("ENOTDIR", "%s is a %s, not a directory; look at it with tools.stat", show(at.Path), info.Kind)
	}
	top := asked(path)
	out := Listing{Path: plain.Text(top), Entries: []Listed{}}
	walk := fsys.Walk{Unreadable: unreadable(top, &out.Unreadable), Visit: func(e *fsys.Entry) error {
		if e.Depth == 0 {
			return nil
		}
		if int64(len(out.Entries)) >= limit {
			out.Truncated = true
			return errEnough
		}
		out.Entries = append(out.Entries, listed(e.Name, spelled(top, e), e.Info, e.ReadLink))
		if !recursive && e.Kind == fsys.Directory {
			return fsys.SkipDir
		}
		return nil
	}}
	if err := at.Walk(ctx, walk); err != nil && err != errEnough {
		return nil, err
	}
	if len(out.Unreadable) > 0 && out.Unreadable[0] == out.Path {
		return nil, refuse("EACCES", "%s cannot be listed: permission denied", show(at.Path))
	}
	return out, nil
}

func (s *Session) stat(_ context.Context, f *fields) (any, error) {
	path := f.text("path", required)
	follow, _ := f.boolean("follow", strict)
	if err := f.done(); err != nil {
		return nil, err
	}
	at, info, err := s.look(path, follow)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	entry := listed(at.Name, asked(path), info, at.ReadLink)
	if follow {
		access := at.Access()
		entry.Real, entry.Access = plain.Text(at.Path), &access
	}
	return entry, nil
}

// asked is a path the way it was asked for, cleaned. Results are spelled like
// that, so that a script that works with relative paths stays with them.
func asked(path string) string { return filepath.Clean(path) }

// spelled is the path of an entry below a top that was asked for.
func spelled(top string, e *fsys.Entry) string {
	switch {
	case e.Depth == 0:
		return top
	case top == ".":
		return e.Rel()
	}
	return below(top, e)
}

// look finds an object to be read.
func (s *Session) look(path string, follow bool) (*fsys.Place, fsys.Info, error) {
	if err := checkPath("path", path); err != nil {
		return nil, fsys.Info{}, err
	}
	at, err := s.resolve(path, nil)
	if err != nil {
		return nil, fsys.Info{}, s.absent(path, err)
	}
	info, err := at.Stat()
	if err == nil && at.directory && info.Kind != fsys.Directory {
		err = notDirectory(path, info)
	}
	if err != nil {
		at.Close()
		return nil, info, s.absent(path, err)
	}
	if !follow || info.Kind != fsys.Symlink {
		return at.Place, info, nil
	}
	link := at.Path
	at.Close()
	real, err := s.root.Resolve(s.root.Below(link), true)
	if err != nil {
		return nil, info, err
	}
	if info, err = real.Stat(); err != nil {
		real.Close()
		return nil, info, refuse("ENOENT", "%s is a symbolic link that points nowhere; look at the link itself with tools.stat", show(link))
	}
	return real, info, nil
}

func (f *fields) limit(otherwise int64) int64 {
	return min(f.number("limit", 1, otherwise), maxListLimit)
}

// unreadable collects directories that a walk could not look into.
func unreadable(top string, list *[]plain.Text) func(*fsys.Entry, error) {
	return func(e *fsys.Entry, _ error) {
		*list = append(*list, plain.Text(spelled(top, e)))
	}
}

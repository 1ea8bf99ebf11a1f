package ops

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"codemode/ops/fsys"
	"codemode/ops/gitstate"
	"codemode/ops/plain"
	"codemode/ops/policy"
)

// Found is one line that the tool search found.
type Found struct {
	Path   plain.Text `json:"path"`
	Line   int        `json:"line"`   // from 1
	Column int        `json:"column"` // from 1, in UTF-16 units as in JavaScript strings
	Text   plain.Text `json:"text"`   // the line without its end, cut after 2000 bytes
}

// SearchResult is the result of the tool search. Git's own directories and
// binary files are not searched.
type SearchResult struct {
	Matches    []Found      `json:"matches"`
	Truncated  bool         `json:"truncated"`
	Unreadable []plain.Text `json:"unreadable,omitempty"` // files and directories that could not be read, or are over 64 MiB
}

const (
	maxSearched  = 64 << 20
	maxFoundText = 2000
	binaryProbe  = 8 << 10
)

func (s *Session) search(ctx context.Context, f *fields) (any, error) {
	pattern := f.text("pattern", required)
	path := f.text("path", optional)
	glob := f.text("glob", optional)
	isRegex, _ := f.boolean("regex", strict)
	limit := f.limit(defaultSearchLimit)
	if err := f.done(); err != nil {
		return nil, err
	}
	if !isRegex {
		pattern = regexp.QuoteMeta(pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, refuse(InvalidArguments, "%s is not a valid regular expression (RE2 syntax): %v", show(pattern), err)
	}
	if pattern == "" {
		return nil, refuse(InvalidArguments, "pattern is an empty string")
	}
	if path == "" {
		path = "."
	}
	if err := policy.CheckGlob(glob); glob != "" && err != nil {
		return nil, refuse(InvalidArguments, "glob: %v", err)
	}
	at, info, err := s.look(path, true)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	q := &searching{top: asked(path), re: re, limit: int(limit), out: SearchResult{Matches: []Found{}}}
	if info.Kind == fsys.File {
		file, info, err := at.Open()
		if err != nil {
			return nil, err
		}
		if err := q.file(q.top, file, info); err != nil && err != errEnough {
			return nil, err
		}
		return q.out, nil
	}
	err = at.Walk(ctx, fsys.Walk{Unreadable: unreadable(q.top, &q.out.Unreadable), Visit: func(e *fsys.Entry) error {
		if e.Kind == fsys.Directory && e.Depth > 0 && gitstate.IsControlName(e.Name) {
			return fsys.SkipDir
		}
		if e.Kind != fsys.File || glob != "" && !globHits(glob, e) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return q.entry(e)
	}})
	if err != nil && err != errEnough {
		return nil, err
	}
	return q.out, nil
}

// globHits matches a pattern without a slash against the name alone.
func globHits(glob string, e *fsys.Entry) bool {
	what := e.Rel()
	if !strings.Contains(glob, "/") {
		what = e.Name
	}
	ok, _ := doublestar.Match(glob, what)
	return ok
}

type searching struct {
	top   string
	re    *regexp.Regexp
	limit int
	out   SearchResult
}

func (q *searching) entry(e *fsys.Entry) error {
	path := spelled(q.top, e)
	file, info, err := e.Open()
	if err != nil {
		q.out.Unreadable = append(q.out.Unreadable, plain.Text(path))
		return nil
	}
	return q.file(path, file, info)
}

func (q *searching) file(path string, file io.ReadCloser, info fsys.Info) error {
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSearched+1))
	if err != nil || len(data) > maxSearched {
		q.out.Unreadable = append(q.out.Unreadable, plain.Text(path))
		return nil
	}
	if bytes.IndexByte(data[:min(len(data), binaryProbe)], 0) >= 0 {
		return nil
	}
	for number := 1; len(data) > 0; number++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		line = bytes.TrimSuffix(line, []byte("\r"))
		hit := q.re.FindIndex(line)
		if hit == nil {
			continue
		}
		if len(q.out.Matches) >= q.limit {
			q.out.Truncated = true
			return errEnough
		}
		q.out.Matches = append(q.out.Matches, Found{
			Path: plain.Text(path), Line: number, Column: len(plain.UTF16(string(line[:hit[0]]))) + 1, Text: plain.Text(shorten(line)),
		})
	}
	return nil
}

func shorten(line []byte) []byte {
	if len(line) <= maxFoundText {
		return line
	}
	cut := maxFoundText
	for cut > 0 && !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut]
}

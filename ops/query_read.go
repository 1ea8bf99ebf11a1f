package ops

import (
	"context"
	"encoding/base64"
	"io"
	"unicode/utf8"

	"codemode/ops/plain"
)

// Content is the result of the tool read: text for UTF-8, bytes in base64
// otherwise.
type Content struct {
	Path      plain.Text `json:"path"`
	Size      int64      `json:"size"` // of the whole file
	Text      *string    `json:"text,omitempty"`
	Bytes     *string    `json:"bytes,omitempty"`
	Truncated bool       `json:"truncated,omitempty"` // more follows
}

const (
	defaultReadLimit = 10 << 20
	maxReadLimit     = 64 << 20
)

func (s *Session) read(_ context.Context, f *fields) (any, error) {
	path := f.text("path", required)
	encoding := f.text("encoding", optional)
	offset := f.number("offset", 0, 0)
	limit := min(f.number("limit", 1, defaultReadLimit), maxReadLimit)
	if err := f.done(); err != nil {
		return nil, err
	}
	switch encoding {
	case "", "utf8", "utf-8", "base64":
	default:
		return nil, refuse(InvalidArguments, "unknown encoding %s; there are utf-8 and base64", show(encoding))
	}
	at, _, err := s.look(path, true)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	file, info, err := at.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// One byte more than asked for tells whether more follows, also in files
	// that do not know their size.
	data, err := io.ReadAll(io.LimitReader(io.NewSectionReader(file, offset, limit+1), limit+1))
	if err != nil {
		return nil, err
	}
	out := Content{Path: plain.Text(asked(path)), Size: info.Size}
	if int64(len(data)) > limit {
		data, out.Truncated = data[:limit], true
	}
	s.reads.note(at.Path, info.Stamp(), offset, offset+int64(len(data)))
	if encoding != "base64" {
		if out.Truncated {
			data = wholeRunes(data)
		}
		if utf8.Valid(data) {
			text := string(data)
			out.Text = &text
			return out, nil
		}
	}
	text := base64.StdEncoding.EncodeToString(data)
	out.Bytes = &text
	return out, nil
}

// wholeRunes cuts off a character that a limit split.
func wholeRunes(data []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(data); i++ {
		if c := data[len(data)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(data[len(data)-i:]) {
				return data[:len(data)-i]
			}
			break
		}
	}
	return data
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/ops"
	"codemode/ops/plain"
	"codemode/ops/wording"
)

// query answers a reading tool. A result that is too large is cut, and says
// truncated like one that a limit of its own cut.
func query(ctx context.Context, s *ops.Session, tool string, args json.RawMessage) *sdk.CallToolResult {
	data, err := s.Query(ctx, tool, args, "")
	cut := false
	if err == nil && len(data) > MaxStructured {
		cut = true
		data, err = smaller(ctx, s, tool, args, data)
	}
	if err != nil {
		return queryFailed(tool, err)
	}
	text, err := queryText(tool, data)
	if err != nil {
		return queryFailed(tool, err)
	}
	if cut {
		text += "\n[cut at " + wording.Bytes(MaxStructured) + ", " + advice[tool] + "]"
	}
	return structured(data, text, true)
}

// advice says how to get the rest.
var advice = map[string]string{
	"read": "read the rest with offset and limit, or let a script look for what you need",
	"list": "list the directories below one by one", "glob": "use a narrower pattern", "search": "use a narrower pattern, path or glob",
}

// queryFailed has the error where the result would be.
func queryFailed(tool string, err error) *sdk.CallToolResult {
	var e *ops.Error
	if !errors.As(err, &e) {
		e = &ops.Error{Code: "EIO", Message: err.Error()}
	}
	return structured(map[string]any{"error": e}, fmt.Sprintf("%s failed: %s: %s", tool, e.Code, e.Message), false)
}

// smaller cuts a result to size: a file by reading less of it, a list behind
// the last member that fits.
func smaller(ctx context.Context, s *ops.Session, tool string, args, data json.RawMessage) (json.RawMessage, error) {
	if tool != "read" {
		return fewer(data)
	}
	for limit := MaxStructured * 3 / 4; limit > 0; limit /= 2 {
		less, err := withLimit(args, limit)
		if err != nil {
			return nil, err
		}
		if data, err = s.Query(ctx, tool, less, ""); err != nil || len(data) <= MaxStructured {
			return data, err
		}
	}
	return nil, errors.New("the result is too large")
}

// withLimit puts another limit into the arguments of a call that was understood.
func withLimit(args json.RawMessage, limit int) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(args, &members); err != nil {
		return nil, err
	}
	members["limit"] = json.RawMessage(strconv.Itoa(limit))
	return json.Marshal(members)
}

// fewer keeps as many members of a result's list as fit.
func fewer(data json.RawMessage) (json.RawMessage, error) {
	var result map[string]json.RawMessage
	if err := json.Unmarshal(data, &result); err != nil {
		return nil, err
	}
	for _, list := range []string{"entries", "matches"} {
		var members []json.RawMessage
		if result[list] == nil {
			continue
		}
		if err := json.Unmarshal(result[list], &members); err != nil {
			return nil, err
		}
		room := MaxStructured - (len(data) - len(result[list])) - len("[]")
		kept := 0
		for kept < len(members) && room >= len(members[kept])+1 {
			room -= len(members[kept]) + 1
			kept++
		}
		var err error
		if result[list], err = json.Marshal(members[:kept]); err != nil {
			return nil, err
		}
		result["truncated"] = json.RawMessage("true")
	}
	return json.Marshal(result)
}

// queryText says a result in lines.
func queryText(tool string, data json.RawMessage) (string, error) {
	var b strings.Builder
	var truncated bool
	var unreadable []plain.Text
	switch tool {
	case "read":
		return contentText(data)
	case "stat":
		var e ops.Listed
		err := json.Unmarshal(data, &e)
		return entryText(e), err
	case "list":
		var l ops.Listing
		if err := json.Unmarshal(data, &l); err != nil {
			return "", err
		}
		for _, e := range l.Entries {
			b.WriteString(entryText(e) + "\n")
		}
		truncated, unreadable = l.Truncated, l.Unreadable
	case "glob":
		var g ops.Globbed
		if err := json.Unmarshal(data, &g); err != nil {
			return "", err
		}
		for _, path := range g.Matches {
			b.WriteString(name(path) + "\n")
		}
		truncated, unreadable = g.Truncated, g.Unreadable
	case "search":
		var r ops.SearchResult
		if err := json.Unmarshal(data, &r); err != nil {
			return "", err
		}
		for _, f := range r.Matches {
			fmt.Fprintf(&b, "%s:%d:%d: %s\n", name(f.Path), f.Line, f.Column, f.Text)
		}
		truncated, unreadable = r.Truncated, r.Unreadable
	}
	if b.Len() == 0 {
		b.WriteString("nothing\n")
	}
	if truncated {
		b.WriteString("[truncated: there is more]\n")
	}
	for _, path := range unreadable {
		b.WriteString("[could not be read: " + name(path) + "]\n")
	}
	return b.String(), nil
}

func entryText(e ops.Listed) string {
	switch {
	case e.Link != nil:
		return name(e.Path) + " -> " + name(*e.Link)
	case e.Kind == "directory":
		return name(e.Path) + "/"
	case e.Kind == "file":
		return name(e.Path) + "  " + wording.Bytes(e.Size)
	}
	return name(e.Path) + "  " + string(e.Kind)
}

func contentText(data json.RawMessage) (string, error) {
	var c ops.Content
	if err := json.Unmarshal(data, &c); err != nil {
		return "", err
	}
	text := ""
	switch {
	case c.Text != nil:
		text = *c.Text
	case c.Bytes != nil:
		text = *c.Bytes
	}
	if c.Truncated {
		text += fmt.Sprintf("\n[truncated: the file has %s]", wording.Bytes(c.Size))
	}
	return text, nil
}

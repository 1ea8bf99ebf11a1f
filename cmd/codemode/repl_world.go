package main

import (
	"context"
	"encoding/json"
	"time"

	"codemode/cmd/codemode/repl"
	"codemode/ops"
	"codemode/ops/fsys"
	"codemode/ops/plain"
	"codemode/runtime"
)

// How long completion may take, and how many entries of a directory it looks at.
const (
	membersPatience = 500 * time.Millisecond
	entriesPatience = 300 * time.Millisecond
	shownEntries    = 2000
)

// Members lists the members of a value of the session.
func (r *replSession) Members(of string) (list []repl.Member) {
	report := r.ask(of, runtime.InquireMembers, membersPatience)
	var members []runtime.Member
	if json.Unmarshal(report.Value, &members) != nil {
		return nil
	}
	for _, m := range members {
		if of == "" && m.Depth > 0 {
			break // what every object has
		}
		list = append(list, repl.Member{Name: m.Name, Kind: m.Kind})
	}
	return list
}

// Entries lists a directory with the session's own tool, which a root confines.
func (r *replSession) Entries(path string) (list []repl.Entry) {
	ctx, cancel := context.WithTimeout(r.breaks.ctx, entriesPatience)
	defer cancel()
	args, err := json.Marshal(struct {
		Path  plain.Text `json:"path"`
		Limit int        `json:"limit"`
	}{plain.Text(path), shownEntries})
	if err != nil {
		return nil
	}
	value, err := r.h.session.Query(ctx, "list", args, "")
	if err != nil {
		return nil
	}
	var found ops.Listing
	if json.Unmarshal(value, &found) != nil {
		return nil
	}
	for _, e := range found.Entries {
		list = append(list, repl.Entry{Name: string(e.Name), Directory: e.Kind == fsys.Directory})
	}
	return list
}

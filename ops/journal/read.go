package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Record is what can be read of one run.
type Record struct {
	ID      string
	Path    string
	Running bool              // its writer is still alive
	Lines   []json.RawMessage // whole lines in order; torn or garbled ones are left out
	Torn    int               // how many those were
}

// ErrNoRun: no run has the name that was asked for.
var ErrNoRun = errors.New("no such run")

// IDs lists the runs recorded in dir, newest first. A missing dir holds none.
func IDs(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), suffix); ok && e.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	sort.Sort(sort.Reverse(sort.StringSlice(ids)))
	return ids, nil
}

// Find returns the run called name: its whole ID, an unambiguous prefix of it,
// or "last".
func Find(dir, name string) (string, error) {
	ids, err := IDs(dir)
	if err != nil {
		return "", err
	}
	if len(ids) == 0 {
		return "", fmt.Errorf("%w: nothing is recorded in %s", ErrNoRun, dir)
	}
	if name == "last" {
		return ids[0], nil
	}
	var found []string
	for _, id := range ids {
		if id == name {
			return id, nil
		}
		if name != "" && strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%w: %q; codemode log lists them", ErrNoRun, name)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%w: %q is the start of %d runs, among them %s and %s", ErrNoRun, name, len(found), found[0], found[1])
}

// Read reads the journal of one run, also while it is being written.
func Read(dir, id string) (rec Record, err error) {
	rec = Record{ID: id, Path: filepath.Join(dir, id+suffix)}
	f, err := os.Open(rec.Path)
	if err != nil {
		return rec, err
	}
	defer f.Close()
	// Asked first: a run that ends while it is read has then left its last line.
	// Asked again: one that was just about to begin has begun.
	rec.Running = locked(f)
	defer func() { rec.Running = rec.Running || locked(f) }()
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if whole := err == nil && json.Valid(line); whole {
			rec.Lines = append(rec.Lines, json.RawMessage(bytes.TrimSuffix(line, []byte("\n"))))
		} else if len(bytes.TrimSpace(line)) > 0 {
			rec.Torn++
		}
		if err == io.EOF {
			return rec, nil
		}
		if err != nil {
			return rec, err
		}
	}
}

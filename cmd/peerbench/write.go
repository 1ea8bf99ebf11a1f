package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// write shows a report in all the ways that were asked for.
func (r *report) write(ctx context.Context, o options, stdout io.Writer) error {
	if o.json != "" {
		if err := r.writeJSON(o.json); err != nil {
			return err
		}
	}
	if o.markdown != "" {
		if err := r.writeMarkdown(o.markdown); err != nil {
			return err
		}
	}
	if o.svg != "" {
		if err := r.draw(ctx, o.svg); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "%s\n\n", r.head())
	if err := r.table(stdout, false); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\n%s\n", r.versions())
	if o.notes {
		fmt.Fprintln(stdout)
		return r.notes(stdout)
	}
	return nil
}

// head says where and when.
func (r *report) head() string {
	text := fmt.Sprintf("%s, %s, %d cores, %s, %d rounds", r.Date.Format(time.DateOnly), r.Machine, r.Machine.Cores, r.Machine.Go, r.Rounds)
	if r.Scale != 1 {
		text += fmt.Sprintf("; trees of %s times the usual size", short(r.Scale))
	}
	if r.Busy > quiet {
		text += fmt.Sprintf("; others used up to %.0f %% of the machine", r.Busy*100)
	}
	return text
}

func (r *report) versions() string {
	var list []string
	for _, name := range peerNames {
		if version, ok := r.Peers[name]; ok {
			list = append(list, name+" "+version)
		}
	}
	return "Peers: " + strings.Join(list, ", ")
}

func (r *report) writeJSON(name string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}

// readReport reads what writeJSON has written.
func readReport(name string) (*report, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r := &report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// The marks of a file that has the tables between them.
const (
	beginMark = "<!-- newest table: written by --markdown -->\n"
	endMark   = "<!-- end of newest table -->"
)

// markdown is what belongs between the marks.
func (r *report) markdown() (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s.\n\nWhat has a target:\n\n", r.head())
	if err := r.table(&text, true); err != nil {
		return "", err
	}
	text.WriteString("\n<details><summary>Everything</summary>\n\n")
	if err := r.table(&text, false); err != nil {
		return "", err
	}
	fmt.Fprintf(&text, "\n</details>\n\n%s.\n\n", r.versions())
	return text.String(), nil
}

func (r *report) writeMarkdown(name string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), beginMark)
	_, after, closed := strings.Cut(rest, endMark)
	if !ok || !closed {
		return fmt.Errorf("%s lacks the lines %s and %s", name, strings.TrimSpace(beginMark), endMark)
	}
	text, err := r.markdown()
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(before+beginMark+text+endMark+after), 0o644)
}

// draw has the picture drawn by a program of its own, so that the library that
// does it is in none of the processes that are measured.
func (r *report) draw(ctx context.Context, name string) error {
	dir, err := os.MkdirTemp("", "peerbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text := filepath.Join(dir, "report.json")
	if err := r.writeJSON(text); err != nil {
		return err
	}
	return complete(exec.CommandContext(ctx, "go", "run", "codemode/cmd/peerbench/picture", text, name))
}

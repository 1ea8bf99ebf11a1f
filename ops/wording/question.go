package wording

import (
	"fmt"
	"strings"

	"codemode/ops/policy"
)

// Heading says what would be done to the object.
func Heading(q policy.Question) string {
	switch {
	case q.Overwrites && q.Operation == "move" && q.Kind == "directory":
		return "may a move replace this directory, so that it is gone?"
	case q.Overwrites && q.Kind == "directory":
		return "may a copy overwrite files in this directory?"
	case q.Operation == "edit":
		return "may an edit change this file?"
	case q.Overwrites:
		return fmt.Sprintf("may a %s overwrite this %s?", q.Operation, q.Kind)
	case q.Operation == "move":
		return fmt.Sprintf("may this %s be moved away?", q.Kind)
	case q.Kind == "directory":
		return "may this directory be deleted with everything in it?"
	}
	return fmt.Sprintf("may this %s be deleted?", q.Kind)
}

// maxDiffLines is how much of a difference a question shows.
const maxDiffLines = 24

// ChangeLines are the lines of a difference, as far as a question shows them, with
// what could deceive in them escaped.
func ChangeLines(diff string) []string {
	lines := DiffLines(diff)
	rest := len(lines) - maxDiffLines
	if rest <= 0 {
		return lines
	}
	last := lines[len(lines)-1]
	lines = append(lines[:maxDiffLines:maxDiffLines], Plural(int64(rest), "line", "lines")+" more")
	if strings.HasPrefix(last, "…") { // the difference itself was cut
		lines = append(lines, last)
	}
	return lines
}

// noNewline is the line of a difference that is about the line before it.
const noNewline = `\ No newline at end of file`

// DiffLines are the lines of a difference, with what could deceive in them escaped.
func DiffLines(diff string) []string {
	lines := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	for i, line := range lines {
		if line == noNewline {
			continue
		}
		// Blanks that indent a line are no trick.
		text := strings.TrimLeft(line[min(len(line), 1):], " \t")
		indent := line[:len(line)-len(text)]
		lines[i] = strings.ReplaceAll(indent, "\t", "    ") + policy.Printable(text)
	}
	return lines
}

// Because words a reason for a person.
func Because(r policy.Reason, q policy.Question) string {
	directory := q.Kind == "directory"
	switch r {
	case policy.Tracked:
		if directory {
			return "Git tracks files in it, or they are staged"
		}
		return "Git tracks it, or it is staged"
	case policy.External:
		return "it lies outside the project"
	case policy.NoGit:
		return "no Git repository holds the project, so that nothing could bring it back"
	case policy.GitCheckFailed:
		return "what Git tracks here could not be read with certainty"
	case policy.NestedRepository:
		return "it holds another Git repository"
	case policy.Untracked:
		return "Git neither tracks nor ignores it or files in it, so that nothing could bring them back"
	case policy.Replace:
		return "something that exists would be overwritten"
	}
	return string(r)
}

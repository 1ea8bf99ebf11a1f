//go:build linux

package main_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codemode/ops/opstest/cases"
)

// hookScripts are the hooks that cases describe in words.
var hookScripts = map[string]string{
	"before-delete: deny": "echo no >&2; exit 2",
	"before-delete: deny when any *.png is below the target": `path=$(sed 's/.*"resolvedPath":"\([^"]*\)".*/\1/')
test -e "$path" || exit 1
if find "$path" -name '*.png' | grep -q .; then echo 'images are kept' >&2; exit 2; fi`,
}

// alsoOnDisk are bash tests that show that the sentence of a case was acted on.
var alsoOnDisk = map[string]string{
	"hook-changes-tree-a":    "test -L proj/d",
	"swap-during-approval-a": "test -L proj/d || ! test -e proj/d",
	"journal-is-protected-a": "test -n \"$(find proj/log/journal -type f)\"",
}

// amended are tests of the disk that count everything in the project and forget
// the repository that the harness makes there (README.md of the cases).
var amended = map[[2]string]string{
	{"chain-onto-missing-name-a", "test $(find proj -type f | wc -l) -eq 3"}: "test $(find proj -name .git -prune -o -type f -print | wc -l) -eq 3",
	{"missing-parent-a", "test $(find proj -type f | wc -l) -eq 1"}:          "test $(find proj -name .git -prune -o -type f -print | wc -l) -eq 1",
	{"leading-dash-a", `test "$(ls -A proj)" = keep`}:                        `test "$(ls -A -I .git proj)" = keep`,
}

// disk are the tests of a case.
func disk(c cases.Case) string {
	var lines []string
	for _, line := range c.Expected.Disk {
		if better, ok := amended[[2]string{c.ID, line}]; ok {
			line = better
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, alsoOnDisk[c.ID]), "\n")
}

// endsWith is the kind of error that the whole run ends with.
var endsWith = map[string]string{
	"endless-script-a": "timeout", "memory-exhaustion-a": "memory", "record-after-error-a": "script",
}

// careful names cases that name something outside of the world, which an
// ordinary user could not remove even if the command tried.
var careful = map[string]bool{"unset-variable-a": true}

// changesTree names cases whose hook or person changes the tree meanwhile.
var changesTree = map[string]bool{"hook-changes-tree-a": true, "swap-during-approval-a": true}

// noJournal names cases in which no journal can be written.
var noJournal = map[string]bool{"journal-unwritable-a": true, "clean-stdout-a": true}

// sentences carries out what a case says in words beyond the fields that every
// case has, keyed by the case and the sentence, so that a changed sentence is
// noticed.
var sentences = map[[2]string]func(tr *trial){
	{"journal-unwritable-a", "journal path is $W/jdir/journal, which cannot be created"}:                                                                          func(tr *trial) { tr.journalIn("jdir/journal") },
	{"journal-is-protected-a", "journal path is $W/proj/log/journal"}:                                                                                             func(tr *trial) { tr.journalIn("proj/log/journal") },
	{"deep-tree-a", "run with an open-file limit of 256"}:                                                                                                         func(tr *trial) { tr.cmd.files = 256 },
	{"entries-at-root-a", `start confined with root given as "$W/box/" (trailing slash) and as "$W//box/."; then delete tmpdir/x in one and tmpdir in the other`}: func(tr *trial) { tr.instead = oddRoots },

	{"prompt-spoofing-a", "decline; record the prompt text"}:                                func(tr *trial) { tr.instead = spoofed },
	{"swap-during-approval-a", "approve, but first replace proj/d by a link to $W/outside"}: func(tr *trial) { tr.instead = swapped },

	{"prompt-spoofing-a", "must contain the code points in visible escaped form and no raw U+202E or U+200B"}:               nil, // in spoofed
	{"undecodable-names-a", "valid UTF-8 JSON; the two names are told apart (escaped, not both replaced by the same sign)"}: func(tr *trial) { tr.instead = undecodable },

	// What ends a script is the host's limit.
	{"endless-script-a", "10s"}:    func(tr *trial) { tr.flags = append(tr.flags, "--timeout", "1s") },
	{"memory-exhaustion-a", "20s"}: func(tr *trial) { tr.flags = append(tr.flags, "--memory", "64MiB") },

	// Cases that promise more than their fields can say.
	{"escape-a", ""}:          func(tr *trial) { tr.instead = escaping },
	{"source-vanishes-a", ""}: func(tr *trial) { tr.instead = vanishing },
}

func tableIDs() []string {
	ids := slices.Concat(slices.Collect(maps.Keys(alsoOnDisk)), slices.Collect(maps.Keys(changesTree)), slices.Collect(maps.Keys(noJournal)),
		slices.Collect(maps.Keys(decided)), slices.Collect(maps.Keys(endsWith)), slices.Collect(maps.Keys(careful)))
	for key := range sentences {
		ids = append(ids, key[0])
	}
	for key := range amended {
		ids = append(ids, key[0])
	}
	return ids
}

// commandHook is a hook that the setup of a case made.
var commandHook = regexp.MustCompile(`^(\$W/[\w.-]+)(?: \(time limit (\w+)\))?$`)

// hear acts on everything that the case says in words.
func (tr *trial) hear(t *testing.T, host string, config *hostConfig) {
	t.Helper()
	a := tr.c.Action
	heard := func(sentence string) bool {
		act, known := sentences[[2]string{tr.c.ID, sentence}]
		if act != nil {
			act(tr)
		}
		return known
	}
	switch host {
	case "":
	case "approve":
		tr.flags = append(tr.flags, "--approve", "allow")
	case "decline":
		tr.flags = append(tr.flags, "--approve", "deny")
	default:
		if !heard(host) {
			t.Fatalf("no such host: %q", host)
		}
	}
	for _, sentence := range []string{a.Note, tr.c.Expected.Prompt, tr.c.Expected.Journal} {
		if sentence != "" && !heard(sentence) {
			t.Fatalf("nothing acts on %q", sentence)
		}
	}
	heard(a.Timeout) // also without one
	if m := commandHook.FindStringSubmatch(a.Hook); m != nil {
		config.Hooks = hooksOf([]string{tr.w.Expand(m[1])}, m[2])
	} else if a.Hook != "" {
		script, known := hookScripts[a.Hook]
		if !known {
			t.Fatalf("no such hook: %q", a.Hook)
		}
		path := filepath.Join(filepath.Dir(tr.w.W), "hook.sh")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		config.Hooks = hooksOf([]string{path}, "")
	}
}

func (tr *trial) journalIn(dir string) {
	tr.cmd.env = append(tr.cmd.env, "XDG_STATE_HOME="+filepath.Join(tr.w.W, dir))
}

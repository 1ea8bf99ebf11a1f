package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// otiaiVersion is what peers/otiai/go.mod says.
const otiaiVersion = "1.14.1"

// peerNames are all peers, in the order in which they are named.
var peerNames = []string{"pi-codemode", "node", "esbuild", "fs-extra", "otiai10/copy", "coreutils", "findutils", "rsync", "git", "strace"}

// peers are their versions, or why they are missing.
func (l *lab) peers() map[string]string {
	found := map[string]string{}
	note := func(version string, err error, names ...string) {
		if err != nil {
			version = "missing: " + err.Error()
		}
		for _, name := range names {
			found[name] = version
		}
	}
	_, err := l.pi()
	for name, version := range map[string]string{"pi-codemode": piVersion, "node": nodeVersion, "esbuild": esbuildVersion, "fs-extra": fsExtraVersion} {
		note(version, err, name)
	}
	_, err = l.otiai()
	note(otiaiVersion, err, "otiai10/copy")
	for name, program := range map[string]string{"coreutils": "cp", "findutils": "find", "git": "git", "strace": "strace"} {
		version, err := versionOf(exec.CommandContext(l.ctx, program, "--version"))
		note(version, err, name)
	}
	rsync, err := l.rsync()
	version := ""
	if err == nil {
		version, err = versionOf(rsync("--version"))
	}
	note(version, err, "rsync")
	return found
}

var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// versionOf is the number in the first line that a program says of itself.
func versionOf(cmd *exec.Cmd) (string, error) {
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("not installed")
	}
	line, _, _ := strings.Cut(string(out), "\n")
	if number := versionNumber.FindString(line); number != "" {
		return number, nil
	}
	return "", errors.New("it does not tell its version")
}

// buildOtiai builds the program that uses otiai10/copy. Its module, which lies
// in ours and is none of it, pins the version; go fetches it from wherever it is
// set up to.
func (l *lab) buildOtiai() (string, error) {
	out, err := exec.CommandContext(l.ctx, "go", "list", "-m", "-f", "{{.Dir}}", "codemode").Output()
	if err != nil {
		return "", errors.New("the module of peerbench is not found")
	}
	folder := filepath.Join(strings.TrimSpace(string(out)), "cmd", "peerbench", "peers", "otiai")
	if program, err := l.build("otiai", folder, "."); err == nil {
		return program, nil
	}
	if l.ctx.Err() == nil && l.offline {
		return "", errors.New("not in Go's cache, and --offline forbids to fetch it")
	}
	return "", errors.New("go cannot fetch or build it")
}

// findRsync is the system's rsync, or the one of its package.
func (l *lab) findRsync() (func(args ...string) *exec.Cmd, error) {
	if path, err := exec.LookPath("rsync"); err == nil {
		return func(args ...string) *exec.Cmd { return exec.CommandContext(l.ctx, path, args...) }, nil
	}
	return l.debian("rsync", "rsync")
}

// warm reads a program into memory, for samples that begin with empty caches:
// what they are about is the tree.
func warm(ctx context.Context, program string) error {
	return complete(exec.CommandContext(ctx, program, "--help"))
}

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// installNPM puts packages, each name@version, into a folder of the cache and
// returns that folder, in which node_modules lies. It asks npm, with whatever
// registry it is set up for, and only when the cache does not have them. No
// script of a package runs.
//
// An unfinished installation is never found there: it is made beside its place
// and renamed, and whoever comes second uses what the first one made.
func installNPM(ctx context.Context, cache string, offline bool, packages ...string) (string, error) {
	sum := sha256.Sum256([]byte(strings.Join(packages, "\n")))
	dir := filepath.Join(cache, "npm-"+hex.EncodeToString(sum[:8]))
	if installed(dir) {
		return dir, nil
	}
	if offline {
		return "", errors.New("not in the cache, and --offline forbids to fetch it")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errors.New("there is no npm to fetch it with")
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	making, err := os.MkdirTemp(cache, "making-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making)
	if err := os.WriteFile(filepath.Join(making, "package.json"), []byte(`{"private": true}`+"\n"), 0o644); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, npm, append([]string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", "--fetch-retries=1"}, packages...)...)
	cmd.Dir = making
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", npmFailure(err, out)
	}
	if err := os.Rename(making, dir); err != nil && !installed(dir) {
		return "", err
	}
	return dir, nil
}

func installed(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "node_modules"))
	return err == nil && info.IsDir()
}

var npmCode = regexp.MustCompile(`(?m)^npm (?:error|ERR!) code (\S+)`)

// npmFailure is what is worth saying of npm's complaint.
func npmFailure(err error, out []byte) error {
	if m := npmCode.FindSubmatch(out); m != nil {
		return fmt.Errorf("npm cannot install it: %s", m[1])
	}
	return fmt.Errorf("npm cannot install it: %w", err)
}

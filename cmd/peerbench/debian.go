package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// debian finds a program in a package of the system's own, Debian's or one of
// its relatives', which is unpacked into the cache rather than installed.
func (l *lab) debian(name, program string) (func(args ...string) *exec.Cmd, error) {
	root, err := installDebian(l.ctx, l.cache, l.offline, name)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{"usr/bin", "usr/sbin", "sbin", "bin"} {
		path := filepath.Join(root, dir, program)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		libraries, _ := filepath.Glob(filepath.Join(root, "usr", "lib", "*-linux-*"))
		more, _ := filepath.Glob(filepath.Join(root, "lib", "*-linux-*"))
		return func(args ...string) *exec.Cmd {
			cmd := exec.CommandContext(l.ctx, path, args...)
			cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(append(libraries, more...), ":"))
			return cmd
		}, nil
	}
	return nil, fmt.Errorf("package %s has no %s", name, program)
}

// installDebian unpacks a package, and those it needs that the system has not,
// into a folder of the cache and returns that. Nothing is installed, and no
// script of a package runs; it takes no root. Like [installNPM] it never leaves
// something unfinished there.
func installDebian(ctx context.Context, cache string, offline bool, name string) (string, error) {
	dir := filepath.Join(cache, "debian-"+name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if offline {
		return "", errors.New("not in the cache, and --offline forbids to fetch it")
	}
	for _, tool := range []string{"apt-get", "dpkg-deb"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("not installed, and there is no %s to fetch it with", tool)
		}
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	making, err := os.MkdirTemp(cache, "making-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making)
	archives, root := filepath.Join(making, "archives"), filepath.Join(making, "root")
	for _, dir := range []string{filepath.Join(archives, "partial"), root} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
	}
	get := exec.CommandContext(ctx, "apt-get", "install", "--quiet", "--yes", "--download-only", "--no-install-recommends",
		"-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User=", "-o", "Dir::Cache::archives="+archives, name)
	if err := get.Run(); err != nil {
		return "", fmt.Errorf("not installed, and apt-get cannot fetch it: %w", err)
	}
	packages, err := filepath.Glob(filepath.Join(archives, "*.deb"))
	if err != nil || len(packages) == 0 {
		return "", errors.New("not installed, and apt-get fetched nothing")
	}
	for _, file := range packages {
		if err := complete(exec.CommandContext(ctx, "dpkg-deb", "--extract", file, root)); err != nil {
			return "", err
		}
	}
	if err := os.Rename(root, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			return "", err
		}
	}
	return dir, nil
}

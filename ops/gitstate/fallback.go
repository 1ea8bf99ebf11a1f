package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The git program is asked about repositories that may be hostile, so a call
// of it has to be harmless by itself:
//
//   - Only ls-files and a config parser fed from stdin are run. Commands that
//     look at file contents run filters from the repository's config.
//   - core.fsmonitor is switched off on the command line; without that even
//     ls-files executes what the repository names there.
//   - No transport is allowed: with a partial clone a listing may fetch.
//   - No locks are taken and nothing is refreshed. One thing cannot be shut
//     off: git sets the time of the shared part of a split index, so that it is
//     not collected as garbage.
//   - The environment is a short list. Every GIT_* variable that is there may
//     point at another repository, index or program.
//   - The repository is found by git itself, so git's own refusal of foreign
//     owners (safe.directory) holds, but it may not look further up.
//
// Anything but a clean end with a silent stderr is a failure.

// keptVariables are passed on to git: where programs and the person's own
// settings are, and who the person is.
var keptVariables = []string{
	"PATH", "HOME", "XDG_CONFIG_HOME", "SUDO_UID",
	"SYSTEMROOT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "PROGRAMDATA",
}

func gitEnvironment(ceiling string) []string {
	env := []string{
		"LC_ALL=C",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_CEILING_DIRECTORIES=" + ceiling,
	}
	for _, name := range keptVariables {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func findGit(given string) (string, error) {
	if given == "" {
		path, err := exec.LookPath("git")
		if err != nil {
			return "", errors.New("there is no git program in PATH")
		}
		given = path
	}
	if !filepath.IsAbs(given) {
		return "", fmt.Errorf("%q is not an absolute path of git", given)
	}
	return given, nil
}

var (
	errTooMuch    = errors.New("git printed too much")
	errUnexpected = errors.New("git printed something unexpected")
)

// capped collects output up to a limit and fails beyond it, which ends the
// program that writes. It has no method but Write: an embedded buffer would
// offer io.Copy a way around the limit.
type capped struct {
	data  []byte
	limit int
}

func (c *capped) Write(p []byte) (int, error) {
	if len(c.data)+len(p) > c.limit {
		return 0, errTooMuch
	}
	c.data = append(c.data, p...)
	return len(p), nil
}

// git runs the program in dir and returns what it printed.
func (in *Inspector) git(ctx context.Context, dir string, stdin []byte, limit int, args ...string) ([]byte, error) {
	if in.gitErr != nil {
		return nil, in.gitErr
	}
	if strings.Contains(dir, string(os.PathListSeparator)) {
		// The ceiling is a list of paths, and this one cannot be written in it.
		return nil, fmt.Errorf("git cannot be confined to %q", dir)
	}
	ctx, cancel := context.WithTimeout(ctx, in.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, in.gitPath, args...)
	cmd.Dir = dir
	cmd.Env = gitEnvironment(filepath.Dir(dir))
	cmd.WaitDelay = time.Second
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	stdout, stderr := &capped{limit: limit}, &capped{limit: 4 << 10}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git was stopped: %w", ctx.Err())
	case len(stderr.data) > 0:
		return nil, fmt.Errorf("git said %q", bytes.TrimSpace(stderr.data))
	case err != nil:
		return nil, fmt.Errorf("git failed: %w", err)
	}
	return stdout.data, nil
}

// gitParseConfig lets git parse the content of a config file.
func (in *Inspector) gitParseConfig(ctx context.Context, data []byte) ([]setting, error) {
	root := filepath.VolumeName(os.TempDir()) + separator // far from any repository
	out, err := in.git(ctx, root, data, 4*maxConfig, "config", "--no-includes", "-z", "--file", "-", "--list")
	if err != nil {
		return nil, err
	}
	return splitConfig(out)
}

// splitConfig reads "section.key<LF>value<NUL>" items. A key without "=" has no
// line break either.
func splitConfig(out []byte) (list []setting, err error) {
	for len(out) > 0 {
		item, rest, ok := bytes.Cut(out, []byte{0})
		out = rest
		name, value, assigned := strings.Cut(string(item), "\n")
		if !ok || !strings.Contains(name, ".") {
			return nil, errUnexpected
		}
		list = append(list, setting{name: name, value: value, bare: !assigned})
	}
	return list, nil
}

// gitNames lets git list the index of a repository.
func (in *Inspector) gitNames(ctx context.Context, r *repository) (*names, error) {
	if err := in.mayAsk(r); err != nil {
		return nil, err
	}
	// With --sparse no directory is expanded, which would need its tree: where
	// that is missing, git prints a part of the list and calls it a success.
	// Files that are there although they should not be make it expand all the
	// same, unless they are expected. No path is given: paths are matched here,
	// in bytes.
	out, err := in.git(ctx, r.holder, nil, maxIndex, "--no-optional-locks", "-c", "core.fsmonitor=false",
		"-c", "sparse.expectFilesOutsideOfPatterns=true",
		"ls-files", "-z", "--cached", "--stage", "--sparse", "--full-name")
	if err != nil {
		return nil, err
	}
	entries, err := splitStage(out)
	if err != nil {
		return nil, err
	}
	return newNames(entries)
}

// mayAsk tells whether git, started in the directory that holds the ".git",
// lists the whole index of just this repository.
func (in *Inspector) mayAsk(r *repository) error {
	if in.gitErr != nil {
		return in.gitErr
	}
	if !r.valid || r.bare {
		return fmt.Errorf("git would not use %q", r.gitDir)
	}
	program := in.gitPath
	if resolved, err := filepath.EvalSymlinks(program); err == nil {
		program = resolved
	}
	for _, root := range r.roots {
		if _, inside := relative(root, program); inside {
			return fmt.Errorf("the git program %q lies inside the repository %q", program, root)
		}
		if root != r.holder {
			// Started below the root of a worktree, git lists a part only.
			if _, below := relative(root, r.holder); below {
				return fmt.Errorf("the worktree of %q begins further up", r.gitDir)
			}
		}
	}
	return nil
}

// splitStage reads "mode object stage<TAB>name<NUL>" lines.
func splitStage(out []byte) ([]entry, error) {
	var list []entry
	for len(out) > 0 {
		line, rest, ok := bytes.Cut(out, []byte{0})
		out = rest
		meta, name, tab := bytes.Cut(line, []byte{'\t'})
		mode, _, blank := bytes.Cut(meta, []byte{' '})
		if !ok || !tab || !blank {
			return nil, errUnexpected
		}
		list = append(list, entry{name: string(name), link: string(mode) == "160000"})
	}
	return list, nil
}

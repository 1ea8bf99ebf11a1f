package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"

	"codemode/ops/gitstate"
	"codemode/ops/journal"
	"codemode/ops/wording"
	"codemode/runtime/worker"
)

// The states of a check.
const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateProblem = "problem"
)

// check is one thing that doctor looked at.
type check struct {
	Name   string `json:"name"`
	State  string `json:"state"`
	Detail string `json:"detail"` // what is there or, where it is wrong, what to do
}

// checkups look at what every run needs, at the journals first.
func (p *program) checkups(f *flags, state, dir string) []check {
	return []check{checkJournal(state), p.checkSettings(f, dir), checkGit(), checkIsolation()}
}

// checkJournal makes sure that runs can be recorded, and that nobody else can
// read what they were.
func checkJournal(dir string) check {
	c := check{Name: "journal", State: stateProblem}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return check{c.Name, stateOK, dir + " is made by the first run"}
	}
	switch {
	case err != nil:
		c.Detail = dir + ": " + reason(err).Error()
		return c
	case !info.IsDir():
		c.Detail = dir + " is no directory, so that no run can be recorded; move it away"
		return c
	case goruntime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		c.Detail = fmt.Sprintf("%s is open to others (mode %04o), and journals hold scripts and file names; chmod 700 %s", dir, info.Mode().Perm(), dir)
		return c
	}
	// Only trying shows what access lists, quotas and full disks allow.
	probe, err := os.CreateTemp(dir, ".doctor-")
	if err == nil {
		_, err = probe.WriteString("{}\n")
		err = errors.Join(err, probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		c.Detail = dir + " cannot be written to, so that every operation will be refused: " + reason(err).Error()
		return c
	}
	ids, err := journal.IDs(dir)
	if err != nil {
		c.Detail = dir + " cannot be listed: " + reason(err).Error()
		return c
	}
	return check{c.Name, stateOK, fmt.Sprintf("%s, %s", dir, wording.Plural(int64(len(ids)), "run", "runs"))}
}

// checkSettings reads the configuration as a run would.
func (p *program) checkSettings(f *flags, dir string) check {
	c := check{Name: "settings", State: stateProblem}
	var within gitstate.Options
	if f.rootGiven {
		within.Within = dir
	}
	copied := *f // reading settles what the flags leave open
	set, err := p.loadSettings(context.Background(), &copied, dir, gitstate.New(within), nil)
	if err != nil {
		c.Detail = err.Error()
		return c
	}
	folder, err := p.env.configDir()
	if err != nil {
		c.Detail = err.Error()
		return c
	}
	file := filepath.Join(folder, "config.toml")
	if f.configGiven {
		file = f.config
	}
	if !present(file) {
		file += ", which does not exist"
	}
	return check{c.Name, stateOK, fmt.Sprintf("%s; approve %s, %s", file, set.approve, wording.Plural(int64(len(set.hooks)), "hook", "hooks"))}
}

// checkGit looks for the program that is asked where Git's index is beyond us.
func checkGit() check {
	c := check{Name: "git", State: stateWarning}
	path, err := exec.LookPath("git")
	if err != nil {
		c.Detail = "there is no git program in PATH; repositories that only it can read will ask for everything"
		return c
	}
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		c.Detail = path + " does not work: " + err.Error()
		return c
	}
	return check{c.Name, stateOK, strings.TrimSpace(string(out)) + ", " + path}
}

// checkIsolation says what keeps scripts from everything else here.
func checkIsolation() check {
	c := check{Name: "isolation", State: stateOK, Detail: "each script has a process of its own, all protections are in force"}
	protections, err := worker.Protections()
	if err != nil {
		return check{c.Name, stateProblem, "a process of its own cannot be started: " + err.Error() + "; --isolation none does without"}
	}
	var missing []string
	for _, x := range protections {
		if !x.InForce {
			missing = append(missing, x.Name)
		}
	}
	if len(missing) > 0 {
		c.State, c.Detail = stateWarning, "each script has a process of its own; not in force here: "+strings.Join(missing, ", ")
		if builtWithCgo() {
			c.Detail += "; a codemode built with CGO_ENABLED=0 has more of them"
		}
	}
	return c
}

// builtWithCgo reports whether this program was: then Go cannot restrict all of
// its threads.
func builtWithCgo() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"})
}

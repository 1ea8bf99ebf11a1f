package scripts_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
	"codemode/scripts"
)

// A ran script: its report, and what it printed.
type ran struct {
	bindings.Report
	said string
}

// run runs a built-in script in dir, with a person who agrees to everything.
func run(t *testing.T, dir, name string, args ...string) ran {
	t.Helper()
	return runAsking(t, dir, true, name, args...)
}

func runAsking(t *testing.T, dir string, yes bool, name string, args ...string) ran {
	t.Helper()
	script, ok := scripts.Named(name)
	if !ok {
		t.Fatalf("there is no script %s", name)
	}
	s, err := ops.Open(ops.Config{Dir: dir, Approve: func(context.Context, policy.Question) (bool, error) { return yes, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	report := bindings.Run(t.Context(), s, bindings.Options{
		Script: runtime.Script{Name: script.File, Source: script.Source, Args: args},
		Path:   script.File, Modules: scripts.Files, Timeout: 5 * time.Minute,
	})
	var said strings.Builder
	for _, o := range report.Output {
		said.WriteString(o.Text + "\n")
	}
	return ran{report, said.String()}
}

// must fails the test unless the script was successful. It returns what the
// script returned.
func (r ran) must(t *testing.T) map[string]any {
	t.Helper()
	if r.Error != nil {
		t.Fatalf("%s\n%s\n%s", r.Error.Message, r.Error.Stack, r.said)
	}
	var value map[string]any
	if err := json.Unmarshal(r.Value, &value); err != nil {
		t.Fatalf("%s: %v", r.Value, err)
	}
	return value
}

// tree is what lies in dir, Git's own excepted: the content of files, "-> text"
// for links, and a name with a slash at its end for an empty directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	have := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch rel = filepath.ToSlash(rel); {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			if entries, err := os.ReadDir(path); err != nil || len(entries) > 0 {
				return err
			}
			have[rel+"/"] = ""
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			have[rel] = "-> " + link
			return err
		default:
			data, err := os.ReadFile(path)
			have[rel] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return have
}

// commit makes a repository of dir, and everything in it tracked.
func commit(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "as it was", "--allow-empty"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

//go:build linux

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var fenced = regexp.MustCompile("(?ms)^```(\\w*)([^\n]*)\n(.*?)^```$")

// namedTest is a test or fuzz target that a README calls by its name.
var namedTest = regexp.MustCompile(`\b((?:Test|Fuzz)[A-Z]\w+)`)

// TestReadmes runs every command and every setting that a README shows, and
// makes sure that every Go snippet is part of an example that is tested.
func TestReadmes(t *testing.T) {
	t.Parallel()
	top := filepath.Join("..", "..")
	var readmes []string
	var examples strings.Builder
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != top:
			return fs.SkipDir
		case d.Name() == "README.md":
			readmes = append(readmes, path)
		case strings.HasSuffix(d.Name(), "_test.go"):
			data, err := os.ReadFile(path)
			examples.Write(unindented(data))
			return err
		}
		return nil
	})
	if err != nil || len(readmes) < 3 {
		t.Fatalf("found %v, %v", readmes, err)
	}
	for _, path := range readmes {
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range namedTest.FindAllStringSubmatch(string(data), -1) {
				if !strings.Contains(examples.String(), "func "+m[1]) {
					t.Errorf("there is no test %s", m[1])
				}
			}
			dir := t.TempDir()
			for _, m := range fenced.FindAllStringSubmatch(string(data), -1) {
				switch language, text := m[1], m[3]; language {
				case "sh":
					runShell(t, dir, text)
				case "toml":
					checkSettings(t, text)
				case "json":
					checkClientConfig(t, strings.Fields(m[2]), text)
				case "go":
					if !strings.Contains(examples.String(), string(unindented([]byte(text)))) {
						t.Errorf("no test has this snippet:\n%s", text)
					}
				}
			}
		})
	}
}

// unindented makes snippets comparable wherever they stand.
func unindented(text []byte) []byte {
	return regexp.MustCompile(`(?m)^[\t ]+`).ReplaceAll(text, nil)
}

// runShell runs commands the way a reader would: those of Go's tool in the
// clone, the others in a folder of the reader's.
func runShell(t *testing.T, dir, commands string) {
	t.Helper()
	switch strings.TrimSpace(commands) {
	case "go test ./...": // this is running right now
		ci, err := os.ReadFile(filepath.Join("..", "..", ".ci", "run"))
		if err != nil || !strings.Contains(string(ci), "go test ./...") {
			t.Errorf(".ci/run does not run the test command of the README: %v", err)
		}
		return
	case "go run ./cmd/codemode demo":
		commands = "codemode demo"
	}
	if strings.HasPrefix(commands, "go run ./cmd/peerbench") {
		return // which takes minutes; its own TestReadme reads these commands and runs the shortest
	}
	if strings.Contains(commands, "go run ") || strings.Contains(commands, "go test ") {
		t.Errorf("unknown command of Go's tool:\n%s", commands)
		return
	}
	home := filepath.Join(dir, "home")
	os.MkdirAll(home, 0o755)
	cmd := exec.Command("bash", "-eu", "-o", "pipefail", "-c", commands)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "XDG_") }),
		"HOME="+home, "TMPDIR="+dir, "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s\n%v\n%s", commands, err, out)
	}
}

// checkClientConfig compares a configuration that names its client, and the
// flags that it is for, with the one that the command prints.
func checkClientConfig(t *testing.T, said []string, text string) {
	t.Helper()
	if len(said) == 0 {
		return
	}
	out, err := exec.Command("codemode", append([]string{"mcp", "--print-config"}, said...)...).Output()
	if err != nil {
		t.Errorf("%v: %v", said, err)
	}
	printed := regexp.MustCompile(`"command": ".*"`).ReplaceAllString(string(out), `"command": "/home/me/go/bin/codemode"`)
	if printed != text {
		t.Errorf("the command prints\n%s, the README says\n%s", printed, text)
	}
}

// checkSettings lets the command read a configuration.
func checkSettings(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "hooks/keep.js") {
		os.MkdirAll(filepath.Join(dir, "hooks"), 0o755)
		os.WriteFile(filepath.Join(dir, "hooks/keep.js"), nil, 0o644)
	}
	cmd := exec.Command("codemode", "run", "--no-journal", "--config", file, "--cwd", dir, "-e", "return 1")
	cmd.Env = append(os.Environ(), "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the command refuses these settings: %v\n%s\n%s", err, out, text)
	}
}

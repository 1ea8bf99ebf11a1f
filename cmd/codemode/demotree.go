package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"codemode/ops/policy"
)

// The tree of the demonstration. What it holds is what its script needs: see
// scripts/demo.js.

// demoTracked are the files that are committed.
var demoTracked = [...][2]string{
	{".gitignore", "build/\n*.log\n"},
	{"README.md", "# shop\n\nA small shop.\n"},
	{"src/app.js", "import { title } from './util/strings.js';\nconsole.log(title('shop'));\n"},
	{"src/util/strings.js", "export const title = (s) => s[0].toUpperCase() + s.slice(1);\n"},
	{"src/util/dates.js", "export const year = (d) => d.getFullYear();\n"},
	{"src/legacy/old-api.js", "// replaced in 2023\nexport default {};\n"},
	{"docs/guide.md", "# Guide\n\nStart with src/app.js.\n"},
	{"test/fixtures/order.json", "{\"id\": 1}\n"},
	{".codemode/config.toml", "# What a repository may say: it can only forbid more, never allow more.\n\n" +
		"[[hooks.before_delete]]\nid = \"keep-fixtures\"\nscript = \"hooks/keep.js\"\n"},
	{".codemode/hooks/keep.js", "// Tests compare with these files, so that no script may remove them.\n" +
		"if (/\\/fixtures(\\/|$)/.test(event.path)) {\n  return { decision: \"deny\", reason: \"tests need the fixtures\" };\n}\n"},
}

// demoUntracked are files that Git does not track, or ignores.
var demoUntracked = [...][2]string{
	{"build/bundle.js", "/* made from src/ */\n"},
	{"build/bundle.js.map", "{}\n"},
	{"debug.log", "started\n"},
	{"notes/todo.txt", "- move util into lib\n"},
	{"notes/ideas.md", "an idea\n"},
	{"src/app.js.orig", "<<<<<<< ours\n"},
	{"README.md.orig", "# shopp\n"},
}

// demoLinks are symlinks and their texts; one leads nowhere.
var demoLinks = [...][2]string{
	{"current", "src/app.js"},
	{"docs/latest", "archive/2019/guide.md"},
}

// makeDemoProject makes a Git repository with all of that at dir.
func makeDemoProject(dir, home string) error {
	git := demoGit(home)
	for _, f := range demoTracked {
		if err := writeDemoFile(dir, f[0], f[1]); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "A small shop"}} {
		if err := git(dir, args...); err != nil {
			return err
		}
	}
	for _, f := range demoUntracked {
		if err := writeDemoFile(dir, f[0], f[1]); err != nil {
			return err
		}
	}
	for _, l := range demoLinks {
		if err := os.Symlink(l[1], filepath.Join(dir, l[0])); err != nil {
			return err
		}
	}
	widget := filepath.Join(dir, "third_party", "widget")
	if err := writeDemoFile(widget, "widget.js", "export const widget = 1;\n"); err != nil {
		return err
	}
	return git(widget, "init", "-q")
}

func writeDemoFile(dir, name, text string) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// demoGit runs git with an identity of its own and without the person's
// configuration, whose hooks and signing have no business here.
func demoGit(home string) func(dir string, args ...string) error {
	return func(dir string, args ...string) error {
		cmd := exec.Command("git", append([]string{
			"-c", "user.name=codemode demo", "-c", "user.email=demo@example.invalid", "-c", "init.defaultBranch=main", "-c", "core.hooksPath=/dev/null",
		}, args...)...)
		cmd.Dir = dir
		for _, pair := range os.Environ() {
			if !strings.HasPrefix(pair, "GIT_") && !strings.HasPrefix(pair, "HOME=") && !strings.HasPrefix(pair, "XDG_") {
				cmd.Env = append(cmd.Env, pair)
			}
		}
		cmd.Env = append(cmd.Env, "HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, tame(string(out)))
		}
		return nil
	}
}

// demoListing draws a tree, Git's own data left out.
func demoListing(dir string) ([]string, error) {
	var lines []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == dir:
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		line := strings.Repeat("  ", strings.Count(rel, string(filepath.Separator))+1) + policy.Printable(d.Name())
		switch {
		case d.Name() == ".git":
			lines = append(lines, line+"/ ...")
			return fs.SkipDir
		case d.IsDir():
			line += "/"
		case d.Type()&fs.ModeSymlink != 0:
			text, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line += " -> " + policy.Printable(text)
		}
		lines = append(lines, line)
		return nil
	})
	return lines, err
}

// checkDemoDisk says what is not as the script should have left it.
func checkDemoDisk(dir string) error {
	var wrong []error
	for name, there := range map[string]bool{
		"build": false, "README.md.orig": false, "src/app.js.orig": false, "docs/latest": false, "notes": false, "src/util": false, "src/legacy": false,
		"docs/current": true, "current": true, "src/app.js": true, "docs/guide.md": true, "docs/archive/2024/guide.md": true, "docs/notes/todo.txt": true,
		"lib/text/strings.js": true, "lib/text/dates.js": true, "third_party/widget/widget.js": true, "third_party/widget/.git": true,
		"test/fixtures/order.json": true, ".git": true, "debug.log": true,
	} {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		if (err == nil) != there {
			wrong = append(wrong, fmt.Errorf("%s: there should be something: %t", name, there))
		}
	}
	return errors.Join(wrong...)
}

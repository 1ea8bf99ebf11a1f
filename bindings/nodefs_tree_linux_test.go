package bindings_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// nodeEntry is one object of the tree that every case of node:fs begins with.
// Bytes are Latin-1 in JSON.
type nodeEntry struct {
	Name string      `json:"name"`
	Kind string      `json:"kind"`
	Mode fs.FileMode `json:"mode"`
	Text string      `json:"text"`
}

func nodeTree() []nodeEntry {
	file := func(name string, mode fs.FileMode, text string) nodeEntry { return nodeEntry{name, "file", mode, text} }
	dir := func(name string) nodeEntry { return nodeEntry{name, "directory", 0o755, ""} }
	link := func(name, text string) nodeEntry { return nodeEntry{name, "symlink", 0, text} }
	return []nodeEntry{
		file("f", 0o644, "hi\n"), file("g", 0o600, "old"), file("exe", 0o755, "#!/bin/sh\n"), file("ro", 0o444, "ro"), file("empty", 0o644, ""),
		file("bin", 0o644, "a\xff\xfe\x00b"), file("bom", 0o644, "\ufeffb"), file("multi", 0o644, "ü€😀\r\nzwei\n"),
		file("sp ace", 0o644, "s"), file("ü.txt", 0o644, "u"), file("caf\xe9", 0o644, "c"),
		dir("d"), dir("e"), dir("full"), file("full/x", 0o644, "x"), dir("full/sub"), file("full/sub/y", 0o640, "y"),
		dir("full2"), file("full2/x", 0o644, "old"), file("full2/z", 0o644, "z"),
		dir("deep"), dir("deep/a"), dir("deep/a/b"), file("deep/a/b/c", 0o644, "c"), dir("deep/a/d"), file("deep/e", 0o644, "e"),
		{"modes", "directory", 0o750, ""}, file("modes/secret", 0o600, "s"), file("modes/run", 0o755, "r"), {"modes/in", "directory", 0o700, ""}, file("modes/in/ro", 0o444, "r"),
		link("l", "f"), link("ld", "full"), link("broken", "nope"), dir("links"), link("links/rel", "../f"), link("links/gone", "nope"),
		dir("kinds"), file("kinds/f", 0o644, "f"), dir("kinds/d"), link("kinds/l", "f"), {"kinds/p", "fifo", 0o644, ""}, {"fifo", "fifo", 0o644, ""},
		dir("names"), file("names/caf\xe9", 0o644, "c"), file("names/ü", 0o644, "u"),
	}
}

// latin1 spells bytes as text of which each character is one.
func latin1(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

func makeNodeTree(t *testing.T, dir string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fillNodeTree(t, dir, func(string) bool { return true })
}

// repairNodeTree puts back what a case changed, by the listings from before and
// after it.
func repairNodeTree(t *testing.T, dir, before, after string) {
	t.Helper()
	changed := map[string]bool{}
	for line := range strings.Lines(lineDifference(before, after)) {
		name, _, _ := strings.Cut(line[len("- "):], " ")
		top, _, _ := strings.Cut(name, "/")
		changed[top] = true
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range there {
		if changed[shownBytes(e.Name())] {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	fillNodeTree(t, dir, func(top string) bool { return changed[shownBytes(top)] })
}

func fillNodeTree(t *testing.T, dir string, wanted func(top string) bool) {
	t.Helper()
	var err error
	for _, e := range nodeTree() {
		path := filepath.Join(dir, e.Name)
		if err != nil {
			break
		}
		if top, _, _ := strings.Cut(e.Name, "/"); !wanted(top) {
			continue
		}
		switch e.Kind {
		case "directory":
			err = os.Mkdir(path, 0o755)
		case "file":
			err = os.WriteFile(path, []byte(e.Text), 0o644)
		case "symlink":
			err = os.Symlink(e.Text, path)
		case "fifo":
			err = unix.Mkfifo(path, uint32(e.Mode))
		}
		if err == nil && (e.Kind == "directory" || e.Kind == "file") {
			err = os.Chmod(path, e.Mode)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// treeListing spells a tree the way the driver does: kinds, modes, contents and
// link texts.
func treeListing(t *testing.T, dir string) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err != nil {
			return err
		}
		line := fmt.Sprintf("%s %d %o", shownBytes(strings.TrimPrefix(strings.TrimPrefix(path, dir), "/")), st.Mode>>12, st.Mode&0o777)
		switch st.Mode & unix.S_IFMT {
		case unix.S_IFREG:
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += " " + shownBytes(string(data))
		case unix.S_IFLNK:
			text, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line += " " + shownBytes(strings.ReplaceAll(text, dir, "$D"))
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

func shownBytes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c >= '!' && c <= '~' && c != '%' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

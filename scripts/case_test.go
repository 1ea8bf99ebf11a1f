package scripts_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the scripts make of the trees in testdata")

// A testCase is a file in testdata. Its comment holds lines "word: text":
//
//	run: NAME ARG...     the script
//	crlf: PATH           the file has such line ends, before and afterwards
//	bom: PATH            the file begins with a byte order mark
//	dir: PATH            an empty directory
//	link: PATH TEXT      a symbolic link
//	bytes: PATH TEXT     a file with a Go string's escapes \xNN
//	says: TEXT           printed by the script
//	silent: TEXT         not printed
//	again: TEXT          what a second run says; without it, it changes nothing
//	refused: TEXT        the script fails, says so, and changes nothing
//
// Files in/… are the tree before, want/… the tree afterwards. Paths of the
// directives are those in the tree.
type testCase struct {
	archive  *txtar.Archive
	word     map[string][]string
	old, now map[string]string
}

func readCase(t *testing.T, file string) testCase {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := testCase{archive, map[string][]string{}, map[string]string{}, map[string]string{}}
	for line := range strings.Lines(string(archive.Comment)) {
		if word, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			c.word[word] = append(c.word[word], text)
		}
	}
	for _, f := range archive.Files {
		kind, path, _ := strings.Cut(f.Name, "/")
		map[string]map[string]string{"in": c.old, "want": c.now}[kind][path] = string(f.Data)
	}
	return c
}

// dressed gives the files of a tree what an archive cannot hold.
func (c testCase) dressed(files map[string]string) map[string]string {
	out := maps.Clone(files)
	for path, text := range out {
		if slices.Contains(c.word["crlf"], path) {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if slices.Contains(c.word["bom"], path) {
			text = "\ufeff" + text
		}
		out[path] = text
	}
	return out
}

func (c testCase) write(t *testing.T, dir string) {
	t.Helper()
	put := func(path, text string) {
		at := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range c.dressed(c.old) {
		put(path, text)
	}
	for _, text := range c.word["bytes"] {
		path, content, _ := strings.Cut(text, " ")
		put(path, strings.NewReplacer(`\xff`, "\xff", `\0`, "\x00").Replace(content))
	}
	for _, path := range c.word["dir"] {
		if err := os.MkdirAll(filepath.Join(dir, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range c.word["link"] {
		path, text, _ := strings.Cut(link, " ")
		if err := os.Symlink(text, filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCases runs each script on the trees in testdata: first dry, then in
// earnest, then once more.
func TestCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) < 9 {
		t.Fatalf("found %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), func(t *testing.T) {
			t.Parallel()
			c := readCase(t, file)
			c.run(t, file)
		})
	}
}

func (c testCase) run(t *testing.T, file string) {
	if len(c.word["run"]) != 1 {
		t.Fatal("it has no run line")
	}
	words := strings.Fields(c.word["run"][0])
	name, args := words[0], words[1:]
	dir := t.TempDir()
	c.write(t, dir)
	commit(t, dir)
	before := tree(t, dir)

	dry := run(t, dir, name, append([]string{"--dry"}, args...)...)
	differ(t, "a dry run changed it", tree(t, dir), before)
	if refused := c.word["refused"]; refused != nil {
		for _, r := range []ran{dry, run(t, dir, name, args...)} {
			for _, text := range refused {
				if r.Error == nil || !strings.Contains(r.Error.Message, text) {
					t.Errorf("it was not refused with %q: %+v\n%s", text, r.Error, r.said)
				}
			}
			if len(r.Operations) > 0 {
				t.Errorf("it did something: %v", r.Operations)
			}
		}
		differ(t, "a refused run changed it", tree(t, dir), before)
		return
	}
	dry.must(t)
	r := run(t, dir, name, args...)
	r.must(t)
	after := tree(t, dir)
	if *update {
		c.rewrite(t, file, after)
		return
	}
	differ(t, "the tree afterwards", after, c.whole(after))
	for _, text := range c.word["says"] {
		if !strings.Contains(r.said, text) {
			t.Errorf("it does not say %q:\n%s", text, r.said)
		}
	}
	for _, text := range c.word["silent"] {
		if strings.Contains(r.said, text) {
			t.Errorf("it says %q:\n%s", text, r.said)
		}
	}
	again := run(t, dir, name, args...)
	if want := c.word["again"]; want != nil {
		if again.Error == nil || !strings.Contains(again.Error.Message, want[0]) {
			t.Errorf("the second run says %+v", again.Error)
		}
	} else if again.must(t); len(again.Operations) > 0 {
		t.Errorf("the second run does %d operations more: %s", len(again.Operations), again.said)
	}
	differ(t, "the second run changed it", tree(t, dir), after)
}

// whole adds what an archive cannot hold to the tree that is wanted: links,
// empty directories and odd bytes are taken as they are.
func (c testCase) whole(after map[string]string) map[string]string {
	want := c.dressed(c.now)
	for path, text := range after {
		if _, listed := want[path]; !listed && (strings.HasSuffix(path, "/") || strings.HasPrefix(text, "-> ") || odd(text)) {
			want[path] = text
		}
	}
	return want
}

// odd reports whether a text has bytes that an archive cannot hold.
func odd(text string) bool {
	return strings.IndexByte(text, 0) >= 0 || strings.IndexByte(text, 0xff) >= 0
}

func (c testCase) rewrite(t *testing.T, file string, after map[string]string) {
	c.archive.Files = slices.DeleteFunc(c.archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if text := after[path]; !strings.HasSuffix(path, "/") && !strings.HasPrefix(text, "-> ") && !odd(text) {
			text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
			c.archive.Files = append(c.archive.Files, txtar.File{Name: "want/" + path, Data: []byte(text)})
		}
	}
	if err := os.WriteFile(file, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func differ(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for path, text := range got {
		if other, ok := want[path]; !ok {
			t.Errorf("%s: there is %s:\n%s", what, path, text)
		} else if other != text {
			t.Errorf("%s: %s is\n%q\nnot\n%q", what, path, text, other)
		}
	}
	for path := range want {
		if _, ok := got[path]; !ok {
			t.Errorf("%s: there is no %s", what, path)
		}
	}
}

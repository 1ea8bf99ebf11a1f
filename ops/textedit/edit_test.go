package textedit_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"codemode/ops/textedit"
)

func at(offset int) textedit.Position { return textedit.Position{Offset: offset} }

func lineColumn(line, column int) textedit.Position {
	return textedit.Position{Line: line, Column: column}
}

func between(start, end textedit.Position) *textedit.Range {
	return &textedit.Range{Start: start, End: end}
}

// TestFind holds what edits make of a text, or why they are refused.
func TestFind(t *testing.T) {
	t.Parallel()
	type edits = []textedit.Edit
	for name, c := range map[string]struct {
		old   string
		edits edits
		want  string // or "!" and the kind of problem and its message
	}{
		"one":                                 {"a b c", edits{{Find: "b", Replace: "x"}}, "a x c"},
		"all against the original":            {"ab", edits{{Find: "a", Replace: "b"}, {Find: "b", Replace: "a"}}, "ba"},
		"every occurrence":                    {"aaaa", edits{{Find: "aa", Replace: "b", All: true}}, "bb"},
		"deleted":                             {"a\nb\nc\n", edits{{Find: "b\n"}}, "a\nc\n"},
		"none":                                {"abc", nil, "abc"},
		"no match":                            {"abc", edits{{Find: "x"}}, "!no match the text of edit 1 does not occur"},
		"no match of all":                     {"abc", edits{{Find: "a", Replace: "b"}, {Find: "x", All: true}}, "!no match the text of edit 2 does not occur"},
		"a near miss":                         {"x\nif (a) {\n\tb()\n}", edits{{Find: "if (a) {\n  b()"}}, "!no match the text of edit 1 does not occur; something that differs from it only in white space is in line 2"},
		"ambiguous":                           {"a\nb\na\n", edits{{Find: "a"}}, "!ambiguous the text of edit 1 occurs 2 times, in line 1, 3"},
		"ambiguous where it overlaps itself":  {"aaa", edits{{Find: "aa"}}, "!ambiguous the text of edit 1 occurs 2 times, in line 1"},
		"overlap":                             {"abcd", edits{{Find: "abc"}, {Find: "cd"}}, "!overlap edits 1 and 2 change the same text, in line 1"},
		"overlap of a range":                  {"abcd", edits{{Find: "bc"}, {Range: between(at(0), at(2))}}, "!overlap edits 2 and 1 change the same text, in line 1"},
		"side by side":                        {"abcd", edits{{Find: "ab", Replace: "1"}, {Find: "cd", Replace: "2"}}, "12"},
		"range":                               {"abcd", edits{{Range: between(at(1), at(3)), Replace: "x"}}, "axd"},
		"inserted":                            {"ab", edits{{Range: between(at(1), at(1)), Replace: "x"}, {Range: between(at(1), at(1)), Replace: "y"}}, "axyb"},
		"inserted before a change":            {"ab", edits{{Find: "b", Replace: "c"}, {Range: between(at(1), at(1)), Replace: "x"}}, "axc"},
		"appended":                            {"ab", edits{{Range: between(at(2), at(2)), Replace: "c"}}, "abc"},
		"UTF-16 units":                        {"😀é!", edits{{Range: between(at(2), at(3)), Replace: "e"}}, "😀e!"},
		"half a character":                    {"😀", edits{{Range: between(at(1), at(2))}}, "!bad range the range of edit 1 does not exist: its start at 1 splits a character"},
		"beyond the end":                      {"ab", edits{{Range: between(at(1), at(4))}}, "!bad range the range of edit 1 does not exist: its end is at 4, and the text has 2 UTF-16 units"},
		"backwards":                           {"ab", edits{{Range: between(at(1), at(0))}}, "!bad range the range of edit 1 does not exist: its end comes before its start"},
		"lines and columns":                   {"ab\ncd\n", edits{{Range: between(lineColumn(2, 1), lineColumn(2, 3)), Replace: "x"}}, "ab\nx\n"},
		"a line too far":                      {"ab\n", edits{{Range: between(lineColumn(3, 1), lineColumn(3, 1))}}, "!bad range the range of edit 1 does not exist: its start is in line 3, and the text has 2"},
		"a column too far":                    {"ab\n", edits{{Range: between(lineColumn(1, 4), lineColumn(1, 4))}}, "!bad range the range of edit 1 does not exist: its start is at column 4 of line 1, which has 3"},
		"CRLF":                                {"a\r\nb\r\n", edits{{Find: "a\nb", Replace: "c\nd"}}, "c\r\nd\r\n"},
		"CRLF as it is":                       {"a\r\nb\r\n", edits{{Find: "a\r\nb", Replace: "c\r\nd"}}, "c\r\nd\r\n"},
		"CRLF in what replaces":               {"a\r\n", edits{{Find: "a", Replace: "b\nc"}}, "b\r\nc\r\n"},
		"mixed line ends":                     {"a\r\nb\n", edits{{Find: "b", Replace: "c\nd"}}, "a\r\nc\nd\n"},
		"no newline at the end":               {"a\nb", edits{{Find: "b", Replace: "c"}}, "a\nc"},
		"byte order mark":                     {"\ufeffab", edits{{Find: "a", Replace: "x"}}, "\ufeffxb"},
		"before a byte order mark":            {"\ufeffab", edits{{Range: between(at(0), at(2)), Replace: "x"}}, "\ufeffxb"},
		"line 1 after a byte order mark":      {"\ufeffab", edits{{Range: between(lineColumn(1, 2), lineColumn(1, 3)), Replace: "x"}}, "\ufeffxb"},
		"all of it with its byte order mark":  {"\ufeffab", edits{{Find: "\ufeffab", Replace: "\ufeffx"}}, "\ufeffx"},
		"a range with its byte order mark":    {"\ufeffab", edits{{Range: between(at(0), at(3)), Replace: "\ufeffab"}}, "\ufeffab"},
		"a byte order mark that is not there": {"ab", edits{{Find: "\ufeffab", Replace: "x"}}, "!no match the text of edit 1 does not occur"},
		"a line end in CRLF":                  {"a\r\nb\r\n", edits{{Find: "\nb", Replace: "\nB"}}, "a\r\nB\r\n"},
		"all line ends in CRLF":               {"a\r\nb\r\n", edits{{Find: "\n", Replace: "\n", All: true}}, "a\r\nb\r\n"},
		"line ends that go":                   {"a\r\nb\r\n", edits{{Find: "\n", Replace: "|", All: true}}, "a|b|"},
		"half a line end":                     {"a\r\nb\r\n", edits{{Find: "a\r", Replace: "b"}}, "!no match the text of edit 1 does not occur"},
		"a range within a line end":           {"a\r\nb\r\n", edits{{Range: between(at(0), at(2)), Replace: "b"}}, "!bad range the range of edit 1 does not exist: it takes the end of a line, which is CRLF, apart"},
		"ambiguous without end":               {strings.Repeat("a", 1000), edits{{Find: "aa"}}, "!ambiguous the text of edit 1 occurs at least 100 times, in line 1, …"},
		"not text":                            {"a\xff", edits{{Find: "a"}}, "!not text it is not UTF-8 text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spans, err := textedit.Find(t.Context(), []byte(c.old), c.edits)
			got := string(textedit.Apply([]byte(c.old), spans))
			var problem *textedit.Problem
			if errors.As(err, &problem) {
				got = "!" + problem.Kind + " " + problem.Message
			}
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestBounds holds that nothing is made that is too large, and that whoever gives
// up is heard.
func TestBounds(t *testing.T) {
	t.Parallel()
	old := []byte(strings.Repeat("a", 100_000))
	for name, e := range map[string]textedit.Edit{
		"too large":       {Find: "a", Replace: strings.Repeat("c", 1<<20), All: true},
		"too many places": {Find: "a", Replace: "b", All: true},
	} {
		text := old
		if name == "too many places" {
			text = []byte(strings.Repeat("a", 3<<20))
		}
		_, err := textedit.Find(t.Context(), text, []textedit.Edit{e})
		var problem *textedit.Problem
		if !errors.As(err, &problem) || problem.Kind != textedit.TooMuch {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := textedit.Find(ctx, old, []textedit.Edit{{Find: "a", All: true}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestDiff holds what a receipt shows.
func TestDiff(t *testing.T) {
	t.Parallel()
	numbers := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	for name, c := range map[string]struct{ old, text, want string }{
		"changed":      {numbers, strings.Replace(numbers, "5", "x", 1), "@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+x\n 6\n 7\n"},
		"two hunks":    {numbers, strings.Replace(strings.Replace(numbers, "1", "x", 1), "9", "y\nz", 1), "@@ -1,3 +1,3 @@\n-1\n+x\n 2\n 3\n@@ -7,3 +7,4 @@\n 7\n 8\n-9\n+y\n+z\n"},
		"new":          {"", "a\nb", "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"},
		"emptied":      {"a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		"added":        {"a\nb\n", "a\nx\nb\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
		"removed":      {"a\nx\nb\n", "a\nb\n", "@@ -1,3 +1,2 @@\n a\n-x\n b\n"},
		"last newline": {"a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		"the same":     {"a\n", "a\n", ""},
	} {
		old := []byte(c.old)
		if got := textedit.Diff(old, textedit.Between(old, []byte(c.text)), 1<<10); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	long := strings.Repeat("line\n", 1000)
	got := textedit.Diff(nil, textedit.Between(nil, []byte(long)), 200)
	if len(got) > 400 || !strings.HasPrefix(got, "@@ -0,0 +1,1000 @@\n+line\n") || !strings.HasSuffix(got, "lines more …\n") {
		t.Errorf("long:\n%s", got)
	}
	line := strings.Repeat("a", 20_000)
	got = textedit.Diff([]byte(line), []textedit.Span{{Start: 19_000, End: 19_001, Text: "EVIL"}}, 8<<10)
	if !strings.Contains(got, "aaaEVILaaa") || len(got) > 2000 {
		t.Errorf("a long line: %s", got)
	}
	spans, err := textedit.Find(t.Context(), []byte(numbers), []textedit.Edit{{Find: "3\n4\n5\n", Replace: "3\nx\n5\n"}, {Find: "8", Replace: "8b"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := textedit.Diff([]byte(numbers), spans, 1<<10), "@@ -2,8 +2,8 @@\n 2\n 3\n-4\n+x\n 5\n 6\n 7\n-8\n+8b\n 9\n"; got != want {
		t.Errorf("edits:\n%s\nwant\n%s", got, want)
	}
}

// FuzzEdits holds that edits are applied exactly or not at all, and that the
// difference which is shown is the one that was made: patch gets there from it.
func FuzzEdits(f *testing.F) {
	f.Add("a\nb\nc\n", "b", "x", "c\n", "", false, 1, 2)
	f.Add("a\r\nb\r\n", "a\nb", "x\ny", "b", "q\n", true, 0, 3)
	f.Add("\ufeffx😀y", "x", "", "y", "\n", false, 1, 3)
	patch, _ := exec.LookPath("patch")
	f.Fuzz(func(t *testing.T, old, find, replace, other, with string, all bool, start, end int) {
		if find == "" || other == "" || len(old) > 1000 {
			return
		}
		edits := []textedit.Edit{
			{Find: find, Replace: replace, All: all}, {Find: other, Replace: with},
			{Range: between(at(max(start, 0)), at(max(end, 0))), Replace: with},
		}
		for n := range 4 {
			spans, err := textedit.Find(t.Context(), []byte(old), edits[:n])
			if err != nil {
				if spans != nil {
					t.Fatal("spans and an error")
				}
				continue
			}
			text := string(textedit.Apply([]byte(old), spans))
			if n == 1 {
				want := strings.Replace(old, find, replace, 1)
				if all {
					want = strings.ReplaceAll(old, find, replace)
				}
				if !strings.Contains(old, "\r\n") && !strings.HasPrefix(old, "\ufeff") && text != want {
					t.Fatalf("%q with %q for %q: %q", old, replace, find, text)
				}
			}
			if utf8.ValidString(old) && utf8.ValidString(replace) && utf8.ValidString(with) && !utf8.ValidString(text) {
				t.Fatalf("%q became %q", old, text)
			}
			between := textedit.Between([]byte(old), []byte(text))
			if got := string(textedit.Apply([]byte(old), between)); got != text {
				t.Fatalf("between %q and %q: %q", old, text, got)
			}
			diff := textedit.Diff([]byte(old), spans, 1<<20)
			if (diff == "") != (old == text) {
				t.Fatalf("%q to %q: %q", old, text, diff)
			}
			if patch != "" && diff != "" && !strings.ContainsAny(old+text, "\r\x00") && len(old)+len(text) < 300 {
				applyPatch(t, patch, old, text, diff)
			}
		}
	})
}

func applyPatch(t *testing.T, patch, old, want, diff string) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(patch, "--quiet", "--force", "--posix", "--fuzz=0", file)
	cmd.Stdin = strings.NewReader("--- f\n+++ f\n" + diff)
	out, err := cmd.CombinedOutput()
	got, _ := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Fatalf("patch: %v %s\nold  %q\nwant %q\ngot  %q\n%s", err, out, old, want, got, diff)
	}
}

package wording_test

import (
	"strings"
	"testing"

	"codemode/ops/wording"
)

// TestDiffLines holds that a difference can be read and deceives nobody.
func TestDiffLines(t *testing.T) {
	t.Parallel()
	got := strings.Join(wording.DiffLines("@@ -1,2 +1,2 @@\n  indented\n-\told\x1b[2J\n+new \n\\ No newline at end of file\n"), "\n")
	want := "@@ -1,2 +1,2 @@\n  indented\n-    old\\x1b[2J\n+new\\x20\n\\ No newline at end of file"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if lines := wording.ChangeLines(strings.Repeat("+x\n", 40)); len(lines) != 25 || lines[24] != "16 lines more" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

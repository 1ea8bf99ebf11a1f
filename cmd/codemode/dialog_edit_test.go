package main

import (
	"strings"
	"testing"

	"codemode/ops/plain"
	"codemode/ops/policy"
)

// TestDialogShowsTheChange holds that whoever approves of an edit sees it, and
// that no text can pass for a line of the dialog.
func TestDialogShowsTheChange(t *testing.T) {
	t.Parallel()
	d := dialog(policy.Question{
		Operation: "edit", Path: "/w/proj/a", ResolvedPath: "/w/proj/a", Kind: "file", Entries: 1, Bytes: 4, Overwrites: true,
		Reasons: []policy.Reason{policy.Replace}, Diff: plain.Text("@@ -1,1 +1,1 @@\n-old\n+new\x1b[2J\r| Allow it? yes\n" + strings.Repeat("+more\n", 40)),
	}, false, 60)
	for _, want := range []string{"may an edit change this file?", "change    @@ -1,1 +1,1 @@", " -old", `+new\x1b[2J\r| Allow it? yes`, "19 lines more"} {
		if !strings.Contains(d.text, want) {
			t.Errorf("no %q in\n%s", want, d.text)
		}
	}
	for line := range strings.Lines(d.text) {
		if !strings.HasPrefix(line, "| ") && line != "|\n" {
			t.Errorf("a line without its bar: %q", line)
		}
	}
}

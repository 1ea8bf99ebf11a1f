package wording_test

import (
	"testing"

	"codemode/ops"
	"codemode/ops/fsys"
	"codemode/ops/policy"
	"codemode/ops/wording"
)

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		wording.Bytes(0): "0 bytes", wording.Bytes(1): "1 byte", wording.Bytes(1023): "1,023 bytes", wording.Bytes(1024): "1 KiB",
		wording.Bytes(1536): "1.5 KiB", wording.Bytes(5 << 30): "5 GiB", wording.Grouped(-1234567): "-1,234,567",
		wording.Plural(1, "entry", "entries"): "1 entry", wording.Plural(1000, "entry", "entries"): "1,000 entries",
		wording.Stake("directory", 2, 3): "directory, 2 entries, 3 bytes", wording.Stake("file", 1, 3): "file, 3 bytes", wording.Stake("symlink", 1, 0): "symlink",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestReceipts(t *testing.T) {
	r := ops.Receipt{
		Operation: ops.Move, OK: true, Effect: ops.Applied, Path: "/p/a\n", Target: "/p/b", SourceKind: "file", Entries: 1, Bytes: 2,
		Replaced: &policy.Replaced{Kind: "file", Entries: 1, Bytes: 7}, Approvals: []ops.Approval{{Decision: "approved"}},
	}
	if got, want := wording.Summary(r, ""), `move /p/a\n -> /p/b (file, 2 bytes; replaced a file, 7 bytes; approved)`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := wording.Deed(r, "/p"), `move a\n -> b`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Evidence = &ops.Evidence{Phase: "copying", Entries: 3, Bytes: 4, SourceExists: true, Leftover: "/p/.codemode-x"}
	if got, want := wording.Evidence(r), "while copying: 3 entries, 4 bytes done; the source exists, the target does not exist; left over: /p/.codemode-x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	list := []ops.Receipt{{Effect: ops.Applied}, {Effect: ops.NotApplied}, {Effect: ops.Unknown}, {Effect: ops.Applied}}
	if got, want := wording.Tally(list), "4 operations: 2 applied, 1 not applied, 1 unknown"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a := ops.Activity{Operation: ops.Copy, Total: fsys.Tally{Entries: 2, Bytes: 2048}, Done: &fsys.Progress{}}
	a.Done.Entries.Store(1)
	if got, want := wording.Progress(a), "copy: 1 of 2 entries, 0 bytes of 2 KiB"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestQuestions(t *testing.T) {
	for want, q := range map[string]policy.Question{
		"may this directory be deleted with everything in it?":   {Operation: "delete", Kind: "directory"},
		"may this symlink be deleted?":                           {Operation: "delete", Kind: "symlink"},
		"may this file be moved away?":                           {Operation: "move", Kind: "file"},
		"may a move replace this directory, so that it is gone?": {Operation: "move", Kind: "directory", Overwrites: true},
		"may a copy overwrite files in this directory?":          {Operation: "copy", Kind: "directory", Overwrites: true},
		"may a copy overwrite this file?":                        {Operation: "copy", Kind: "file", Overwrites: true},
	} {
		if got := wording.Heading(q); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, r := range []policy.Reason{policy.Tracked, policy.External, policy.NoGit, policy.GitCheckFailed, policy.NestedRepository, policy.Untracked, policy.Replace} {
		if got := wording.Because(r, policy.Question{Kind: "directory"}); got == string(r) || got == "" {
			t.Errorf("no words for %s", r)
		}
	}
}

package ops_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/ops"
	"codemode/ops/policy"
	"codemode/ops/textedit"
)

func edit(path, find, replace string) ops.Request {
	return ops.Request{Operation: ops.Edit, Path: path, Edits: []textedit.Edit{{Find: find, Replace: replace}}}
}

// TestReadBeforeWriting holds that what names places, or all of a file, needs a
// file that was read as it is.
func TestReadBeforeWriting(t *testing.T) {
	t.Parallel()
	w, s := open(t, "printf abc > proj/a", ops.Config{})
	write := ops.Request{Operation: ops.Write, Path: "a", Content: []byte("new"), Overwrite: ops.OverwriteAny, ReadFirst: true}
	ranged := ops.Request{Operation: ops.Edit, Path: "a", Edits: []textedit.Edit{{Range: &textedit.Range{End: textedit.Position{Offset: 1}}, Replace: "x"}}}
	read := func() {
		t.Helper()
		if _, err := s.Query(t.Context(), "read", []byte(`{"path":"a"}`), ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, req := range []ops.Request{write, ranged} {
		wantReceipt(t, s.Do(t.Context(), req), ops.NotApplied, ops.NotRead)
	}
	read()
	w.Bash("sleep 0.01; printf abd > proj/a")
	for _, req := range []ops.Request{write, ranged} {
		wantReceipt(t, s.Do(t.Context(), req), ops.NotApplied, ops.StaleRead)
	}
	read()
	wantReceipt(t, s.Do(t.Context(), ranged), ops.Applied, "")
	wantReceipt(t, s.Do(t.Context(), ranged), ops.Applied, "") // what this run wrote it knows
	w.Check(t, `test "$(cat proj/a)" = xbd`)
	wantReceipt(t, s.Do(t.Context(), write), ops.Applied, "")
	w.Check(t, `test "$(cat proj/a)" = new`)
}

// TestEditedDuringTheDialog holds that an edit is made of what was asked about.
func TestEditedDuringTheDialog(t *testing.T) {
	t.Parallel()
	for name, swap := range map[string]string{
		"content":  "printf 'old, and more' > proj/a",
		"identity": "cp proj/a proj/b; mv proj/b proj/a",
		"a link":   "mv proj/a proj/b; ln -s b proj/a",
		"gone":     "rm proj/a",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			act := func() {}
			yes := func(context.Context, policy.Question) (bool, error) {
				act()
				return true, nil
			}
			w, s := open(t, "printf old > proj/a", ops.Config{Approve: yes, Ask: policy.Ask{Replace: true}})
			act = func() {
				if out, err := w.Bash("sleep 0.01; " + swap); err != nil {
					t.Errorf("%v %s", err, out)
				}
			}
			wantReceipt(t, s.Do(t.Context(), edit("a", "old", "new")), ops.NotApplied, ops.TransferTargetChanged)
		})
	}
}

// TestEditIsNeverHalf holds that whoever reads meanwhile sees the old text or the
// new one, and that what others write in between is not overwritten unnoticed.
func TestEditIsNeverHalf(t *testing.T) {
	t.Parallel()
	w, s := open(t, "", ops.Config{})
	path := filepath.Join(w.W, "proj", "a")
	texts := [2][]byte{bytes.Repeat([]byte("a"), 1<<18), bytes.Repeat([]byte("b"), 1<<18)}
	if err := os.WriteFile(path, texts[0], 0o600); err != nil {
		t.Fatal(err)
	}
	stop := meanwhile(func() {
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(data, texts[0]) && !bytes.Equal(data, texts[1]) {
			t.Errorf("%d bytes, %v", len(data), err)
		}
	})
	for i := range 20 {
		req := edit("a", "", "")
		req.Edits = []textedit.Edit{{Find: string(texts[i%2][:1]), Replace: string(texts[1-i%2][:1]), All: true}}
		wantReceipt(t, s.Do(t.Context(), req), ops.Applied, "")
	}
	stop()
}

// TestHugeEdit holds that a file of 100 MB is edited, and that its receipt is no
// larger for it.
func TestHugeEdit(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 200 MB")
	}
	w, s := open(t, "", ops.Config{})
	path := filepath.Join(w.W, "proj", "huge")
	line := []byte("the quick brown fox jumps over the lazy dog, again and again\r\n")
	content := bytes.Repeat(line, 100<<20/len(line))
	content = append(content, "the end"...)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	r := s.Do(t.Context(), ops.Request{Operation: ops.Edit, Path: "huge", Edits: []textedit.Edit{
		{Find: "again\nthe end", Replace: "again\nfinis"}, {Find: "quick", Replace: "slow", All: true},
	}})
	wantReceipt(t, r, ops.Applied, "")
	want := append(bytes.ReplaceAll(content, []byte("quick"), []byte("slow"))[:0:0], bytes.ReplaceAll(bytes.TrimSuffix(content, []byte("the end")), []byte("quick"), []byte("slow"))...)
	want = append(want, "finis"...)
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
	if len(r.Diff) > 12<<10 {
		t.Errorf("a diff of %d bytes", len(r.Diff))
	}
}

// TestMadeIsRead holds that what a run writes it may write again, until somebody
// else does.
func TestMadeIsRead(t *testing.T) {
	t.Parallel()
	w, s := open(t, "", ops.Config{})
	write := func(text string) ops.Receipt {
		return s.Call(t.Context(), ops.Write, fmt.Appendf(nil, `{"path":"a","text":%q,"overwrite":true}`, text), "")
	}
	wantReceipt(t, write("1"), ops.Applied, "")
	wantReceipt(t, write("2"), ops.Applied, "")
	w.Bash("sleep 0.01; printf theirs > proj/a")
	wantReceipt(t, write("3"), ops.NotApplied, ops.StaleRead)
	w.Check(t, `test "$(cat proj/a)" = theirs`)
}

// TestReadInParts holds that overwriting needs all of a file to have been read,
// and editing a range any part of it.
func TestReadInParts(t *testing.T) {
	t.Parallel()
	_, s := open(t, "printf 0123456789 > proj/a; printf x > proj/b", ops.Config{})
	read := func(offset, limit int) {
		t.Helper()
		if _, err := s.Query(t.Context(), "read", fmt.Appendf(nil, `{"path":"a","offset":%d,"limit":%d}`, offset, limit), ""); err != nil {
			t.Fatal(err)
		}
	}
	write := ops.Request{Operation: ops.Write, Path: "a", Content: []byte("new"), Overwrite: ops.OverwriteAny, ReadFirst: true}
	read(0, 4)
	wantReceipt(t, s.Do(t.Context(), write), ops.NotApplied, ops.NotRead)
	read(6, 4) // not what follows
	wantReceipt(t, s.Do(t.Context(), write), ops.NotApplied, ops.NotRead)
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Edit, Path: "a", Edits: []textedit.Edit{
		{Range: &textedit.Range{End: textedit.Position{Offset: 1}}, Replace: "x"},
	}}), ops.Applied, "")
	wantReceipt(t, s.Do(t.Context(), write), ops.NotApplied, ops.NotRead) // the edit was made without it
	read(0, 4)
	read(3, 3)
	read(6, 4)
	wantReceipt(t, s.Do(t.Context(), write), ops.Applied, "")
	wantReceipt(t, s.Do(t.Context(), edit("b", "x", "y")), ops.Applied, "")
	write.Path = "b"
	wantReceipt(t, s.Do(t.Context(), write), ops.NotApplied, ops.NotRead)
}

// TestRefusedPathsAreClipped holds that a receipt does not keep megabytes of
// something that is no path.
func TestRefusedPathsAreClipped(t *testing.T) {
	t.Parallel()
	_, s := open(t, "", ops.Config{})
	r := s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: strings.Repeat("x", 3<<20)})
	wantReceipt(t, r, ops.NotApplied, "ENAMETOOLONG")
	if data, err := json.Marshal(r); err != nil || len(data) > 256<<10 {
		t.Errorf("a receipt of %d bytes, %v", len(data), err)
	}
}

package journal_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"codemode/ops/journal"
)

// FuzzRead holds that whatever stands in a journal, each whole line before a tear
// is read as it is and in order, and nothing that is no JSON is: what a run wrote
// before it was cut off at any byte is there, whatever came to stand behind it.
func FuzzRead(f *testing.F) {
	f.Add("started", "finished\n\x00", 30, []byte(`{"type":"run-fin`))
	f.Add("", "\u2028\xff", 0, []byte("\n\n{}\n"))
	f.Add("a", "b", 1000, []byte("\xff\xfe\n[1]"))
	f.Add("torn in the middle of", "two records", 12, []byte("}\n{\"n\":3}\n"))
	f.Add("x", "y", 21, bytes.Repeat([]byte{0}, 4096))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, one, two string, cut int, tail []byte) {
		run, err := journal.Create(dir, journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer os.Remove(run.Path())
		var wrote [][]byte
		for n, text := range []string{one, two, one + two} {
			record := map[string]any{"n": n, "text": text}
			if err := run.Append(record); err != nil {
				t.Fatal(err)
			}
			line, _ := json.Marshal(record)
			wrote = append(wrote, line)
		}
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(run.Path())
		if err != nil {
			t.Fatal(err)
		}
		cut = min(max(cut, 0), len(whole))
		if err := os.WriteFile(run.Path(), append(bytes.Clone(whole[:cut]), tail...), 0o600); err != nil {
			t.Fatal(err)
		}
		rec, err := journal.Read(filepath.Dir(run.Path()), run.ID())
		if err != nil || rec.Running {
			t.Fatalf("running %t, %v", rec.Running, err)
		}
		n := bytes.Count(whole[:cut], []byte("\n"))
		if len(rec.Lines) < n {
			t.Fatalf("%d lines came before the tear, and %d were read", n, len(rec.Lines))
		}
		for i := range n {
			if !bytes.Equal(rec.Lines[i], wrote[i]) {
				t.Errorf("record %d is %q, and %q was written", i, rec.Lines[i], wrote[i])
			}
		}
		lines := 0
		for _, line := range bytes.SplitAfter(append(bytes.Clone(whole[:cut]), tail...), []byte("\n")) {
			if bytes.HasSuffix(line, []byte("\n")) && json.Valid(line) {
				lines++
			}
		}
		if len(rec.Lines) != lines {
			t.Errorf("%d lines are whole and JSON, and %d were read", lines, len(rec.Lines))
		}
		for _, line := range rec.Lines {
			if !json.Valid(line) || bytes.ContainsRune(line, '\n') {
				t.Errorf("read %q", line)
			}
		}
	})
}

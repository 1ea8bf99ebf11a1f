package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMarkdownBetweenMarks(t *testing.T) {
	t.Parallel()
	work := result{
		Name: "work", Unit: millis, Sides: []sideResult{{Name: "ours", Ours: true, Samples: []float64{1}}, {Name: "peer", Samples: []float64{2}}},
		bench: bench{pairs: []pair{{ours: "ours", peer: "peer", times: 2}, {ours: "ours", peer: "peer"}}},
	}
	work.conclude()
	r := report{Rounds: 1, Scale: 0.5, Benches: []result{work}, Peers: map[string]string{"node": "26.10.0", "rsync": "missing: not installed"}}
	dir := t.TempDir()
	name := filepath.Join(dir, "README.md")
	if err := os.WriteFile(name, []byte("before\n"+beginMark+"old\n"+endMark+"\nafter\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	for i := range texts { // the second time nothing changes
		if err := r.writeMarkdown(name); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(name)
		texts[i] = string(text)
	}
	for _, want := range []string{"before\n" + beginMark, endMark + "\nafter\n", "0.5 times the usual size", "Peers: node 26.10.0, rsync missing: not installed."} {
		if !strings.Contains(texts[0], want) {
			t.Errorf("no %q in\n%s", want, texts[0])
		}
	}
	if strings.Contains(texts[0], "old\n") || texts[0] != texts[1] || strings.Count(texts[0], "| work |") != 5 {
		t.Errorf("it became\n%s", texts[1])
	}
	if err := r.writeMarkdown(filepath.Join(dir, "none")); err == nil {
		t.Error("a file that does not exist was written")
	}
	if err := os.WriteFile(name, []byte("no marks"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.writeMarkdown(name); err == nil {
		t.Error("a file without marks was written")
	}

	file := filepath.Join(dir, "report.json")
	if err := r.writeJSON(file); err != nil {
		t.Fatal(err)
	}
	again, err := readReport(file)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := r.markdown()
	other, _ := again.markdown()
	if one != other {
		t.Errorf("read again it is\n%s", other)
	}
	if status, stdout, stderr := peerbench(t, "--from", file); status != 0 || !strings.Contains(stdout, "| work |") {
		t.Errorf("--from: status %d\n%s%s", status, stdout, stderr)
	}
}

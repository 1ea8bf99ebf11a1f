package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const measured = `{"date": "2026-11-30T10:00:00Z", "machine": {"cpu": "a processor", "cores": 2}, "benches": [
	{"name": "copy", "rows": [
		{"ours": "codemode", "peer": "cp -r", "times": {"median": 1.9, "q1": 1.8, "q3": 2.1}, "goal": 1.7, "verdict": "ok"},
		{"ours": "codemode", "peer": "cp -a", "times": {"median": 2.2, "q1": 2.1, "q3": 2.3}},
		{"ours": "codemode", "peer": "rsync", "goal": 2}]},
	{"name": "call", "rows": [
		{"ours": "isolated", "peer": "pi <&>", "times": {"median": 0.25, "q1": 0.2, "q3": 0.3}, "goal": 3, "verdict": "miss"}]}]}`

func TestPicture(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "report.json"), filepath.Join(dir, "result.svg")
	if err := os.WriteFile(from, []byte(measured), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := command(from, to); err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	texts := texts(t, string(picture))
	for _, want := range []string{"copy / cp -r", "call (isolated) / pi <&>", "1.9 ×", "0.25 ×", "amber: missed"} {
		if !strings.Contains(texts, want) {
			t.Errorf("no %q in %s", want, texts)
		}
	}
	for _, not := range []string{"cp -a", "rsync"} {
		if strings.Contains(texts, not) {
			t.Errorf("%s is drawn, which has no target or was not measured", not)
		}
	}
	if err := os.WriteFile(from, []byte(`{}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if command(from, to) == nil || command(filepath.Join(dir, "none"), to) == nil {
		t.Error("a picture was made of nothing")
	}
}

// texts are what a well-formed SVG says.
func texts(t *testing.T, svg string) string {
	t.Helper()
	var all strings.Builder
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			all.Write(text)
		}
	}
}

func TestTicks(t *testing.T) {
	t.Parallel()
	var labels []string
	for _, tick := range ticks(0.15, 30) {
		labels = append(labels, short(tick.Value)+"="+tick.Label)
	}
	if got := strings.Join(labels, " "); got != "0.2= 0.5= 1=1 2= 5= 10=10 20=" {
		t.Errorf("the ticks are %s", got)
	}
}

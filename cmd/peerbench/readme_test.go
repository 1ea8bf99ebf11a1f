package main

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme makes sure that the commands of the README mean something: a full
// run is too long for a test, so each is read the way the program reads it.
// TestOneRound carries the shortest one out.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllSubmatch(text, -1)
	if len(blocks) < 3 {
		t.Fatalf("the README has %d commands", len(blocks))
	}
	for _, block := range blocks {
		for line := range strings.Lines(string(block[1])) {
			arguments, ok := strings.CutPrefix(strings.TrimSpace(line), "go run ./cmd/peerbench")
			if !ok {
				t.Errorf("not a command of peerbench: %s", line)
				continue
			}
			o, err := parse(words(arguments), io.Discard)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			found := false
			for _, b := range benches() {
				found = found || o.only.MatchString(b.name)
			}
			if !found {
				t.Errorf("no bench is meant by %s", line)
			}
		}
	}
	for _, version := range []string{piVersion, nodeVersion, esbuildVersion, fsExtraVersion, otiaiVersion} {
		if !strings.Contains(string(text), version) {
			t.Errorf("the README does not name version %s", version)
		}
	}
}

// TestNewestTable makes sure that the README shows the file beside it, and that
// the file has every bench that there is, and the rows of each.
func TestNewestTable(t *testing.T) {
	t.Parallel()
	r, err := readReport("result.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := r.markdown()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), beginMark+want+endMark) {
		t.Error("the README does not show result.json; write it with --from and --markdown")
	}
	found := map[string]bool{}
	for _, b := range r.Benches {
		for _, row := range b.Rows {
			found[b.Name+": "+row.Ours+" against "+row.Peer+", target "+row.Target] = true
		}
	}
	for _, b := range benches() {
		empty := result{Name: b.name, Unit: b.unit, bench: b}
		empty.conclude()
		for _, row := range empty.Rows {
			if name := b.name + ": " + row.Ours + " against " + row.Peer + ", target " + row.Target; !found[name] {
				t.Errorf("result.json lacks %s", name)
			}
		}
	}
	module, err := os.ReadFile("peers/otiai/go.mod")
	if err != nil || !strings.Contains(string(module), "github.com/otiai10/copy v"+otiaiVersion+"\n") {
		t.Errorf("otiaiVersion is not that of its module: %v", err)
	}
}

// words splits a command line in which only single quotes are special.
func words(line string) (list []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
			continue
		}
		list = append(list, strings.Fields(part)...)
	}
	return list
}

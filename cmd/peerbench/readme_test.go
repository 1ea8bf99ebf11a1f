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
	for _, b := range benches() {
		for _, p := range b.pairs {
			if row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(b.name) + ` +\| ` + regexp.QuoteMeta(p.ours) + ` +\|`); !row.Match(text) {
				t.Errorf("the table of the README has no row for %s, %s", b.name, p.ours)
			}
		}
	}
	for _, version := range []string{piVersion, nodeVersion, esbuildVersion} {
		if !strings.Contains(string(text), version) {
			t.Errorf("the README does not name version %s", version)
		}
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

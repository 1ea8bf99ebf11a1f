package runtime_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"codemode/runtime"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// coloured is an interactive script's value as a terminal shows it.
func coloured(t *testing.T, source string) string {
	t.Helper()
	script := runtime.Script{Source: source, Interactive: true, Colours: true}
	r := execute(context.Background(), script, &fakeHost{}, runtime.Options{})
	if !r.OK {
		t.Fatalf("%s: %s", source, r.Error.Message)
	}
	return r.Shown
}

// TestColoursAreNodes holds coloured values against what Node.js printed.
func TestColoursAreNodes(t *testing.T) {
	var cases []struct{ Expr, Want string }
	data, err := os.ReadFile("testdata/colours.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) < 40 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		if got := coloured(t, "("+c.Expr+")"); got != c.Want {
			t.Errorf("%s\n got %q\nwant %q", c.Expr, got, c.Want)
		}
	}
}

// TestColouredValuesAreTheRecordedOnes holds the record against the Node.js at
// hand.
func TestColouredValuesAreTheRecordedOnes(t *testing.T) {
	if nodeVersion(t) != recordedBy {
		t.Skip("another version")
	}
	out := node(t, "-e", `
		const cases = JSON.parse(require("fs").readFileSync("testdata/colours.json", "utf8"));
		console.log(JSON.stringify(cases.map(c => ({Expr: c.Expr, Want: util.inspect(eval("(" + c.Expr + ")"), {colors: true})}))))`)
	data, err := os.ReadFile("testdata/colours.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded, real any
	if json.Unmarshal(data, &recorded) != nil || json.Unmarshal(out, &real) != nil {
		t.Fatal("no JSON")
	}
	a, _ := json.Marshal(recorded)
	b, _ := json.Marshal(real)
	if string(a) != string(b) {
		t.Errorf("recorded %s\nNode has %s", a, b)
	}
}

// What stands where depends on widths, in which colours do not count.
func TestColoursChangeNothingElse(t *testing.T) {
	data, err := os.ReadFile("testdata/inspect.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases struct{ Inspect []struct{ Expr, Want string } }
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases.Inspect {
		if strings.Contains(c.Want, "<ref") {
			continue // Node counts the colours of this one
		}
		script := runtime.Script{Source: "(" + c.Expr + "\n)", Interactive: true, Colours: true}
		r := execute(context.Background(), script, &fakeHost{}, runtime.Options{})
		if !r.OK {
			continue // several arguments of console.log
		}
		if got := sgr.ReplaceAllString(r.Shown, ""); got != c.Want && !strings.HasPrefix(got, "'") { // the console prints strings as they are
			t.Errorf("%s\n got %s\nwant %s", c.Expr, got, c.Want)
		}
	}
}

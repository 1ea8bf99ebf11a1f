package escapes

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

//go:embed cases/*.txtar
var corpus embed.FS

//go:embed reach.js
var reach string

const breaks = "breaks"

// AtLeast is how many techniques the corpus must hold.
const AtLeast = 150

// A Case is one technique.
type Case struct {
	Family string // the file that holds it
	Name   string
	Attack string // what it tries, in a line
	Source string // the script
	// Want is the JSON text of what the script returns, or "throws" and the
	// beginning of the error's message, or "breaks": a fault of the engine ends
	// the run, which is contained and changes nothing.
	Want string
	// Operations says what each receipt must: "delete not-applied ENOENT".
	Operations []string
	// ScriptOnly: at a prompt it means something else, or nothing.
	ScriptOnly bool
	// Files lie in the project besides those of every [World].
	Files map[string]string
}

// AsInput is the case as one input at a prompt, where the top level is no
// function. What it comes to is the last text that it shows, see [InputValue].
func (c Case) AsInput() string {
	return "await (async (text, attack) => { text([await attack.call(globalThis)]) })(text, async function () {" + c.Source + "\n})"
}

// InputValue is the value of a case that ran as an input, by the last text that
// it showed: null when it ended before it came to one.
func InputValue(shown string) string {
	value, is := strings.CutPrefix(strings.TrimSpace(shown), "[")
	value, ends := strings.CutSuffix(value, "]")
	if !is || !ends {
		return "null"
	}
	return value
}

// Cases reads the corpus. It is an error to find less than [AtLeast] techniques.
func Cases(t testing.TB) []Case {
	t.Helper()
	entries, err := corpus.ReadDir("cases")
	if err != nil {
		t.Fatal(err)
	}
	var all []Case
	for _, e := range entries {
		data, err := corpus.ReadFile(path.Join("cases", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		cases, err := parse(strings.TrimSuffix(e.Name(), ".txtar"), data)
		if err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		all = append(all, cases...)
	}
	if len(all) < AtLeast {
		t.Fatalf("%d techniques, want at least %d", len(all), AtLeast)
	}
	return all
}

// parse reads a family. A file "name.js" is a case; "name/lib/x.mjs" lies in
// its project as lib/x.mjs.
func parse(family string, data []byte) ([]Case, error) {
	a := txtar.Parse(data)
	if len(strings.TrimSpace(string(a.Comment))) == 0 {
		return nil, fmt.Errorf("the family says nothing about itself")
	}
	var cases []Case
	for _, f := range a.Files {
		if of, file, ok := strings.Cut(f.Name, "/"); ok {
			if len(cases) == 0 || cases[len(cases)-1].Name != of {
				return nil, fmt.Errorf("%s lies in no project: its case must come before it", f.Name)
			}
			cases[len(cases)-1].Files[file] = string(f.Data)
			continue
		}
		name, ok := strings.CutSuffix(f.Name, ".js")
		if !ok {
			return nil, fmt.Errorf("%s is no script", f.Name)
		}
		c, err := parseCase(family, name, string(f.Data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// parseCase reads a script whose first line is a comment with the attack, and
// whose last ones say after //= what must come of it: the value first, then the
// operations, one a line. A line "//! script only" keeps it from prompts.
func parseCase(family, name, text string) (Case, error) {
	c := Case{Family: family, Name: name, Files: map[string]string{}}
	var source []string
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		said, isWant := strings.CutPrefix(line, "//= ")
		attack, isComment := strings.CutPrefix(line, "// ")
		switch {
		case i == 0 && isComment:
			c.Attack = attack
		case line == "//! script only":
			c.ScriptOnly = true
		case isWant && c.Want == "":
			c.Want = said
		case isWant:
			c.Operations = append(c.Operations, said)
		case c.Want != "":
			return c, fmt.Errorf("%q comes after what is wanted", line)
		default:
			source = append(source, line)
		}
	}
	c.Source = strings.Join(source, "\n")
	if strings.Contains(c.Source, "reach(") {
		c.Source = reach + c.Source
	}
	if c.Attack == "" || len(source) == 0 || c.Want == "" {
		return c, fmt.Errorf("a case needs a comment that says what it tries, a script, and what must come of it")
	}
	if !json.Valid([]byte(c.Want)) && c.Want != breaks && !strings.HasPrefix(c.Want, "throws") {
		return c, fmt.Errorf("wants %s, which is no JSON", c.Want)
	}
	if slices.ContainsFunc(c.Operations, func(o string) bool { return len(strings.Fields(o)) < 2 }) {
		return c, fmt.Errorf("operations %q", c.Operations)
	}
	return c, nil
}

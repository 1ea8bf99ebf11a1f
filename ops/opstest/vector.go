package opstest

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"codemode/ops"
	"codemode/ops/policy"
)

//go:embed vectors/*.txtar
var files embed.FS

// Vector is one behaviour.
type Vector struct {
	Name  string
	About string // the promise, in words
	Needs []Need
	Setup string // bash, in W
	Bare  bool   // proj shall be no Git repository
	Host  Host
	Calls []Call
	Want  []Want // one for each call
	Disk  string // bash tests, one a line
}

// Host is what the host of a vector allows.
type Host struct {
	Approve   string     `json:"approve"` // "allow", "deny"; nobody to ask otherwise
	Ask       policy.Ask `json:"ask"`
	Root      string     `json:"root"`
	Cwd       string     `json:"cwd"` // default: $W/proj
	Protected []string   `json:"protected"`
	Temporary []string   `json:"temporary"`
	Hook      []string   `json:"hook"`        // a command
	HookLimit string     `json:"hookTimeout"` // default 5s
}

// Call is one call in the spelling of scripts and MCP.
type Call struct {
	Operation ops.Operation
	Args      json.RawMessage
}

// Want is what a receipt must say.
type Want struct {
	Effect ops.Effect
	Code   ops.Code
	Fields map[string]any // a part of the receipt's JSON
}

// Vectors reads all vectors. It is an error to find none.
func Vectors(t *testing.T) []Vector {
	t.Helper()
	entries, err := files.ReadDir("vectors")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	var all []Vector
	for _, e := range entries {
		data, err := files.ReadFile(path.Join("vectors", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		v, err := parse(strings.TrimSuffix(e.Name(), ".txtar"), data)
		if err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		all = append(all, v)
	}
	return all
}

func parse(name string, data []byte) (Vector, error) {
	a := txtar.Parse(data)
	v := Vector{Name: name, About: strings.TrimSpace(string(a.Comment))}
	for _, f := range a.Files {
		text := string(f.Data)
		var err error
		switch f.Name {
		case "setup":
			v.Setup = text
		case "setup without git":
			v.Setup, v.Bare = text, true
		case "needs":
			for _, n := range strings.Fields(text) {
				v.Needs = append(v.Needs, Need(n))
			}
		case "host":
			err = json.Unmarshal(f.Data, &v.Host)
		case "calls":
			err = v.parseCalls(text)
		case "want":
			err = v.parseWants(text)
		case "disk":
			v.Disk = text
		default:
			err = fmt.Errorf("unknown section %q", f.Name)
		}
		if err != nil {
			return v, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if v.About == "" || len(v.Calls) == 0 || len(v.Calls) != len(v.Want) {
		return v, fmt.Errorf("%d calls, %d wants, about %q", len(v.Calls), len(v.Want), v.About)
	}
	return v, nil
}

func (v *Vector) parseCalls(text string) error {
	for line := range strings.Lines(text) {
		op, args, ok := strings.Cut(strings.TrimSpace(line), " ")
		if op == "" {
			continue
		}
		if !ok || !slices.Contains(ops.Operations, ops.Operation(op)) {
			return fmt.Errorf("no call: %q", line)
		}
		v.Calls = append(v.Calls, Call{ops.Operation(op), json.RawMessage(args)})
	}
	return nil
}

func (v *Vector) parseWants(text string) error {
	for line := range strings.Lines(text) {
		line, fields, hasFields := strings.Cut(strings.TrimSpace(line), "{")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		w := Want{Effect: ops.Effect(words[0])}
		if !slices.Contains([]ops.Effect{ops.Applied, ops.NotApplied, ops.Unknown}, w.Effect) {
			return fmt.Errorf("no effect: %q", words[0])
		}
		if len(words) > 1 {
			w.Code = ops.Code(words[1])
		}
		if hasFields {
			if err := json.Unmarshal([]byte("{"+fields), &w.Fields); err != nil {
				return err
			}
		}
		v.Want = append(v.Want, w)
	}
	return nil
}

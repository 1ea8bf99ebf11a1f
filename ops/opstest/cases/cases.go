// Package cases holds what went wrong elsewhere: cases made from public reports
// of agents and tools that lost files, and what must happen instead. See
// README.md beside this file for how to read one.
package cases

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

//go:embed failures.json
var failures []byte

// Case is one way to lose files.
type Case struct {
	ID        string   `json:"id"`
	Kind      string   `json:"kind"`
	Source    string   `json:"source"` // the public report
	Area      string   `json:"area"`
	Problem   string   `json:"problem"`
	Setup     []string `json:"setup"` // bash, in $W
	Action    Action   `json:"action"`
	Expected  Expected `json:"expected"`
	Why       string   `json:"why"`
	Needs     []string `json:"needs"`
	Debatable *string  `json:"debatable"`
}

// Action is what is done. Op says which of the other fields count.
type Action struct {
	Op    string   `json:"op"` // delete, copy, move, script, cli or mcp
	Path  *string  `json:"path"`
	From  string   `json:"from"`
	To    string   `json:"to"`
	Code  string   `json:"code"`
	Note  string   `json:"note"`
	Steps []string `json:"steps"`

	Project    string            `json:"project"`
	Cwd        string            `json:"cwd"`
	Root       string            `json:"root"`
	Host       string            `json:"host"` // approve, decline, "" (nobody to ask) or a sentence
	Hook       string            `json:"hook"`
	Env        map[string]string `json:"env"`
	Umask      string            `json:"umask"`
	Timeout    string            `json:"timeout"`
	Repeat     int               `json:"repeat"`
	Background string            `json:"background"`
	Between    string            `json:"between"`
}

// Limit is how long the whole case may take; 0: nothing is said.
func (a Action) Limit() time.Duration {
	limit, _ := time.ParseDuration(a.Timeout) // checked on loading
	return limit
}

// Expected is what must come of it.
type Expected struct {
	Outcome    Outcomes   `json:"outcome"` // of the one operation
	Ops        []Outcomes `json:"ops"`     // of each one attempted
	Effect     list       `json:"effect"`
	Disk       []string   `json:"disk"`
	IfApproved []string   `json:"if_approved"`
	Prompt     string     `json:"prompt"`
	Journal    string     `json:"journal"`
}

// Operations is what each attempted operation may come to.
func (e Expected) Operations() []Outcomes {
	if len(e.Outcome) > 0 {
		return []Outcomes{e.Outcome}
	}
	return e.Ops
}

// Outcome is what became of one operation.
type Outcome string

// The outcomes.
const (
	OK       Outcome = "ok"
	Refused  Outcome = "refused"   // nothing was changed, and no approval could help
	Approval Outcome = "approval"  // nothing was changed as long as the host has not said yes
	NotFound Outcome = "not-found" // the source is not there
	Unknown  Outcome = "unknown"   // started and then failed
	NotRun   Outcome = "not-run"   // never attempted
)

// Outcomes are those accepted, the preferred one first. In JSON one alone need
// not be a list.
type Outcomes []Outcome

// UnmarshalJSON implements [json.Unmarshaler].
func (o *Outcomes) UnmarshalJSON(data []byte) error {
	var names list
	if err := names.UnmarshalJSON(data); err != nil {
		return err
	}
	*o = nil
	for _, name := range names {
		outcome := Outcome(name)
		if !slices.Contains([]Outcome{OK, Refused, Approval, NotFound, Unknown, NotRun}, outcome) {
			return fmt.Errorf("unknown outcome %q", name)
		}
		*o = append(*o, outcome)
	}
	return nil
}

// list is one string or several.
type list []string

func (l *list) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = list{one}
		return nil
	}
	var several []string
	if err := json.Unmarshal(data, &several); err != nil {
		return err
	}
	if len(several) == 0 {
		return errors.New("an empty list accepts nothing")
	}
	*l = several
	return nil
}

// All reads all cases.
func All() ([]Case, error) { return parse(failures) }

// parse is strict: what is not understood might have been a demand.
func parse(data []byte) ([]Case, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var all []Case
	if err := dec.Decode(&all); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something stands behind the cases")
	}
	if len(all) == 0 {
		return nil, errors.New("no cases")
	}
	seen := map[string]bool{}
	for _, c := range all {
		if c.ID == "" || seen[c.ID] {
			return nil, fmt.Errorf("the id %q is missing or used twice", c.ID)
		}
		seen[c.ID] = true
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	return all, nil
}

func (c Case) check() error {
	for _, need := range c.Needs {
		if !slices.Contains([]string{"nonroot", "root", "two-fs", "mount", "race", "slow", "disposable"}, need) {
			return fmt.Errorf("unknown need %q", need)
		}
	}
	for _, effect := range c.Expected.Effect {
		if !slices.Contains([]string{"applied", "not-applied", "unknown"}, effect) {
			return fmt.Errorf("unknown effect %q", effect)
		}
	}
	if _, err := time.ParseDuration(c.Action.Timeout); c.Action.Timeout != "" && err != nil {
		return err
	}
	a := c.Action
	complete := map[string]bool{
		"delete": a.Path != nil, "copy": a.From != "" && a.To != "", "move": a.From != "" && a.To != "",
		"script": a.Code != "", "cli": a.Note != "", "mcp": len(a.Steps) > 0,
	}
	if !complete[a.Op] {
		return fmt.Errorf("the action %q is unknown or lacks what it is about", a.Op)
	}
	if (len(c.Expected.Outcome) > 0) == (c.Expected.Ops != nil) {
		return errors.New("it must say either the outcome or the ops")
	}
	if len(c.Expected.Disk) == 0 {
		return errors.New("it says nothing about the disk")
	}
	return nil
}

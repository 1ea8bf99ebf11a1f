package bindings

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	"codemode/ops"
	"codemode/ops/plain"
	"codemode/runtime"
)

// The states of a run that a journal tells of.
const (
	StatusFinished    = "finished"
	StatusInterrupted = "interrupted" // it ended without recording its end
	StatusRunning     = "running"
)

// Rebuilt is a run as its journal tells it: the report and what is known
// around it.
type Rebuilt struct {
	Report
	Status     string          `json:"status"`
	StartedAt  time.Time       `json:"startedAt"`
	Cwd        plain.Text      `json:"cwd"`
	Source     plain.Text      `json:"source"`
	Script     plain.Text      `json:"script"`
	SHA256     string          `json:"sha256,omitempty"`
	Options    json.RawMessage `json:"options,omitempty"`
	Incomplete string          `json:"incomplete,omitempty"` // what of value and output was not recorded
	Applied    int             `json:"applied"`
	NotApplied int             `json:"notApplied"`
	Unknown    int             `json:"unknown"`
	Inputs     []Input         `json:"inputs,omitempty"` // of a run that has several scripts

	// begun are the operations whose effect is not known, by number.
	begun map[int]Begun
	// unended are those of them whose end was not recorded.
	unended map[int]bool
}

// Begun is what was recorded when an operation began, as far as it helps to
// find what it left. Objects are named as by [ops.ObjectAt].
type Begun struct {
	Hidden   string // the name of anything unfinished; never empty
	Object   string // the source
	Replaces string // what was at the target, or ""
	Parent   string // the outermost directory that was to be made for the target, or ""
}

// Begun returns what was recorded at the beginning of an operation whose effect
// is not known.
func (r Rebuilt) Begun(seq int) (Begun, bool) {
	b, ok := r.begun[seq]
	return b, ok
}

// Summary is one run in the list of all.
type Summary struct {
	RunID      string     `json:"runId"`
	StartedAt  time.Time  `json:"startedAt"`
	Cwd        plain.Text `json:"cwd"`
	Status     string     `json:"status"`
	Applied    int        `json:"applied"`
	NotApplied int        `json:"notApplied"`
	Unknown    int        `json:"unknown"`
	Source     plain.Text `json:"source"`
}

// Summary shortens r for the list of all runs.
func (r Rebuilt) Summary() Summary {
	return Summary{
		RunID: r.RunID, StartedAt: r.StartedAt, Cwd: r.Cwd, Status: r.Status,
		Applied: r.Applied, NotApplied: r.NotApplied, Unknown: r.Unknown, Source: r.Source,
	}
}

// Rebuild makes a run's report out of the lines of its journal. Running says
// whether its writer is still alive. An operation that was recorded as started
// and has no end reads as a receipt with effect unknown; see [Rebuilt.Look].
// Lines that make no sense are passed over, but never the fact that something
// was started.
func Rebuild(lines []json.RawMessage, running bool) Rebuilt {
	b := rebuilding{open: map[int]*plain.Object{}, starts: map[int]*plain.Object{}, done: map[int]bool{}, claimed: map[int]bool{}}
	for _, line := range lines {
		b.line(line)
	}
	return b.end(running)
}

type rebuilding struct {
	Rebuilt
	finished bool
	open     map[int]*plain.Object // operation-started records without an end
	starts   map[int]*plain.Object // all of them
	done     map[int]bool
	claimed  map[int]bool // operations that belong to an input
}

func (b *rebuilding) line(line json.RawMessage) {
	v, err := plain.Parse(line)
	record, ok := v.(*plain.Object)
	if err != nil || !ok {
		return
	}
	if b.StartedAt.IsZero() {
		b.StartedAt = moment(record)
	}
	switch text(record, "type") {
	case TypeRunStarted:
		b.started(record, line)
	case "operation-started":
		seq := int(number(record, "seq"))
		b.belongs(seq)
		b.starts[seq] = record
		if !b.done[seq] {
			b.open[seq] = record
		}
	case "operation-finished":
		b.operation(record, line)
	case TypeInputStarted:
		b.inputStarted(record)
	case TypeInputFinished:
		b.inputFinished(record, line)
	case TypeRunFinished:
		b.ended(record, line)
	}
}

func (b *rebuilding) started(record *plain.Object, line json.RawMessage) {
	b.RunID = text(record, "runId")
	b.Cwd = plain.Text(text(record, "cwd"))
	b.Source = plain.Text(text(record, "source"))
	b.Script = plain.Text(text(record, "script"))
	b.SHA256 = text(record, "sha256")
	var raw struct {
		Options json.RawMessage `json:"options"`
	}
	if json.Unmarshal(line, &raw) == nil {
		b.Options = raw.Options
	}
}

func (b *rebuilding) operation(record *plain.Object, line json.RawMessage) {
	var finished struct {
		Receipt *ops.Receipt `json:"receipt"`
	}
	if json.Unmarshal(line, &finished) == nil && finished.Receipt != nil {
		b.add(*finished.Receipt)
		return
	}
	// Its start, if it was recorded, stays open and reads as unknown. Where only
	// the unreadable end is left, that is one more thing not known.
	inner, _ := record.Get("receipt")
	receipt, ok := inner.(*plain.Object)
	if !ok {
		return
	}
	seq := int(number(receipt, "seq"))
	if b.open[seq] == nil && !b.done[seq] {
		b.open[seq] = receipt
	}
}

func (b *rebuilding) add(r ops.Receipt) {
	if b.done[r.Seq] {
		return
	}
	b.done[r.Seq] = true
	b.belongs(r.Seq)
	delete(b.open, r.Seq)
	b.Operations = append(b.Operations, r)
}

func (b *rebuilding) ended(record *plain.Object, line json.RawMessage) {
	b.finished = true
	ok, _ := record.Get("ok")
	b.OK = ok == true
	b.Incomplete = text(record, "incomplete")
	var rest struct {
		Value      json.RawMessage `json:"value"`
		DurationMs float64         `json:"durationMs"`
	}
	if json.Unmarshal(line, &rest) == nil {
		b.Value, b.DurationMs = rest.Value, rest.DurationMs
	}
	b.Error = errorIn(record)
	pieces, _ := member(record, "output").([]any)
	for _, piece := range pieces {
		if o, ok := piece.(*plain.Object); ok {
			b.Output = append(b.Output, runtime.Output{
				Type: text(o, "type"), Text: text(o, "text"), Stream: text(o, "stream"),
				MimeType: text(o, "mimeType"), Data: text(o, "data"),
			})
		}
	}
}

func (b *rebuilding) end(running bool) Rebuilt {
	why := "the run ended before the end of this operation was recorded, so its effect is unknown; look at what is there"
	switch {
	case b.finished:
		b.Status = StatusFinished
	case running:
		b.Status = StatusRunning
		for i := range b.Inputs {
			if b.Inputs[i].Status != StatusFinished {
				b.Inputs[i].Status = StatusRunning
			}
		}
		why = "this operation had not ended when the journal was read"
	default:
		b.Status = StatusInterrupted
		b.Error = &runtime.Error{Kind: runtime.KindAborted, Message: "the run ended before its end was recorded"}
	}
	b.begun, b.unended = map[int]Begun{}, map[int]bool{}
	for seq, record := range b.open {
		b.Operations = append(b.Operations, unended(seq, record, why))
		b.unended[seq] = true
	}
	sort.SliceStable(b.Operations, func(i, j int) bool { return b.Operations[i].Seq < b.Operations[j].Seq })
	for _, r := range b.Operations {
		switch r.Effect {
		case ops.Applied:
			b.Applied++
		case ops.NotApplied:
			b.NotApplied++
		default:
			b.Unknown++
			if record := b.starts[r.Seq]; record != nil && hiddenName(record) != "" {
				b.begun[r.Seq] = Begun{hiddenName(record), text(record, "object"), text(record, "replaces"), newParent(record)}
			}
		}
	}
	b.Report = b.complete()
	return b.Rebuilt
}

// hiddenName is the name of what an operation may have left, if it is one that
// operations give: a journal that somebody else wrote must not point anywhere.
func hiddenName(record *plain.Object) string {
	name := text(record, "hidden")
	if !strings.HasPrefix(name, ".codemode-") || strings.ContainsAny(name, `/\\`) {
		return ""
	}
	return name
}

// newParent is the directory that an operation was to make on the way to its
// target, if it lies on that way.
func newParent(record *plain.Object) string {
	parent, target := text(record, "parent"), text(record, "target")
	if target == "" {
		target = text(record, "path")
	}
	if parent == "" || !strings.HasPrefix(target, parent+"/") {
		return ""
	}
	return parent
}

// unended is the receipt of an operation whose end nobody recorded.
func unended(seq int, record *plain.Object, why string) ops.Receipt {
	if name := hiddenName(record); name != "" {
		why += fmt.Sprintf("; anything unfinished is called %q, or the same with a number behind it, beside the target or the source", name)
	}
	return ops.Receipt{
		Kind: "file-operation", Seq: seq, Operation: ops.Operation(text(record, "operation")), Effect: ops.Unknown,
		Path: plain.Text(text(record, "path")), Target: plain.Text(text(record, "target")),
		SourceKind: text(record, "sourceKind"), Entries: number(record, "entries"), Bytes: number(record, "bytes"),
		StartedAt: moment(record), Error: &ops.Error{Code: ops.Aborted, Message: why},
	}
}

// Look completes the receipts of operations whose end was not recorded with
// evidence of what is on disk now. A journal does not know that, so look, which
// is [ops.ObjectAt] or the like, must tell what is at an absolute path.
func (r *Rebuilt) Look(look func(path string) (object string, exists bool)) {
	exists := func(path string) bool {
		_, ok := look(path)
		return ok
	}
	for i := range r.Operations {
		op := &r.Operations[i]
		begun, named := r.begun[op.Seq]
		if !r.unended[op.Seq] && (op.Effect != ops.Unknown || op.Evidence != nil) {
			continue
		}
		_, atSource := look(string(op.Path))
		evidence := &ops.Evidence{Phase: "not recorded", SourceExists: atSource}
		if op.Target != "" {
			var target string
			target, evidence.TargetExists = look(string(op.Target))
			if moved := begun.Object; moved != "" && evidence.TargetExists && target == moved && op.Error != nil {
				op.Error.Message += "; what was at the source is now at the target"
			}
		}
		if named {
			evidence.Leave(ops.Leftovers(string(op.Path), string(op.Target), begun.Hidden, begun.Parent, exists))
		}
		op.Evidence = evidence
	}
}

func member(o *plain.Object, name string) any {
	v, _ := o.Get(name)
	return v
}

// text, number and moment read a member of a record, or nothing.

func text(o *plain.Object, name string) string {
	s, _ := member(o, name).(string)
	return s
}

func number(o *plain.Object, name string) int64 {
	n, _ := member(o, name).(plain.Number)
	i, _ := n.Int64()
	return i
}

func moment(o *plain.Object) time.Time {
	for _, name := range []string{"time", "startedAt"} {
		if t, err := time.Parse(time.RFC3339Nano, text(o, name)); err == nil {
			return t
		}
	}
	return time.Time{}
}

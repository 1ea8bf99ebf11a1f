package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/plain"
	"codemode/ops/policy"
	"codemode/ops/wording"
	"codemode/runtime"
)

// request is a call of the tool that runs a script.
type request struct {
	code    string
	session string
	timeout time.Duration // 0: the host's
}

// scriptSchema describes a request.
func scriptSchema() schema {
	return schema{
		"type": "object",
		"properties": schema{
			"code":       schema{"type": "string", "description": "The script."},
			"session":    schema{"type": "string", "description": "A name of your choice: keeps globals."},
			"timeout_ms": schema{"type": "integer", "description": "Stop after so long. Waiting for a person does not count."},
		},
		"required": []string{"code"},
	}
}

// maxSessionName bounds the name of a session.
const maxSessionName = 128

// parseRequest reads a request as strictly as package ops reads its arguments.
func parseRequest(args json.RawMessage) (request, error) {
	var r request
	v, err := plain.Parse(args)
	if err != nil {
		return r, fmt.Errorf("arguments of %s: %w", scriptTool, err)
	}
	object, ok := v.(*plain.Object)
	if !ok {
		return r, fmt.Errorf("%s takes one object with named arguments, got %s", scriptTool, plain.KindOf(v))
	}
	for _, m := range object.Members {
		text, isText := m.Value.(string)
		switch m.Name {
		case "code":
			if !isText {
				return r, fmt.Errorf("code must be a string, got %s", plain.KindOf(m.Value))
			}
			if !utf8.ValidString(text) {
				return r, errors.New(`code holds a lone surrogate; in a script a name that is not UTF-8 is written with an escape, such as "caf\udce9"`)
			}
			r.code = text
		case "session":
			if !isText || text == "" || len(text) > maxSessionName {
				return r, fmt.Errorf("session must be a name of 1 to %d bytes", maxSessionName)
			}
			r.session = text
		case "timeout_ms":
			number, isNumber := m.Value.(plain.Number)
			ms, whole := number.Int64()
			if !isNumber || !whole || ms < 1 {
				return r, errors.New("timeout_ms must be a whole number of at least 1")
			}
			r.timeout = time.Duration(min(ms, int64(24*time.Hour/time.Millisecond))) * time.Millisecond
		default:
			return r, fmt.Errorf("%s knows no argument %s, it takes code, session, timeout_ms", scriptTool, policy.Printable(m.Name))
		}
	}
	if _, given := object.Get("code"); !given {
		return r, fmt.Errorf("%s needs code, a string", scriptTool)
	}
	return r, nil
}

// script runs one script.
func (c *connection) script(ctx context.Context, run *Run, args json.RawMessage) *sdk.CallToolResult {
	req, err := parseRequest(args)
	if err != nil {
		return reportResult(notRun(run, runtime.KindScript, err.Error()), "")
	}
	g, remark, err := c.globals.take(ctx, req.session)
	if err != nil {
		return reportResult(notRun(run, runtime.KindAborted, err.Error()), remark)
	}
	defer c.globals.giveBack(g)
	for _, slots := range []chan struct{}{c.scripts, c.s.scripts} {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		case <-ctx.Done():
			return reportResult(notRun(run, runtime.KindAborted, "cancelled before the script began"), remark)
		}
	}
	var report bindings.Report
	if run.Record != nil {
		n := int(c.inputs.Add(1))
		if err := run.Record(bindings.NewInputStarted(n, req.session, req.code)); err != nil {
			return reportResult(notRun(run, runtime.KindSandbox, "the script was not run, since it cannot be recorded: "+err.Error()), remark)
		}
		defer func() {
			// The operations are recorded; what cannot be here is only the end.
			_ = run.Record(bindings.NewInputFinished(n, report))
		}()
	}
	o := c.options(run, runtime.Script{Name: "script.js", Source: req.code})
	if req.timeout > 0 && (o.Timeout == 0 || req.timeout < o.Timeout) {
		o.Timeout = req.timeout
	}
	g.lend(&o)
	report = bindings.Run(ctx, run.Session, o)
	return reportResult(report, g.after(report, remark))
}

// notRun is the report of a script that did not begin.
func notRun(run *Run, kind, message string) bindings.Report {
	return bindings.Report{
		RunID: run.ID, Value: json.RawMessage("null"), Output: []runtime.Output{}, Operations: []ops.Receipt{},
		Error: &runtime.Error{Kind: kind, Message: message},
	}
}

// reportResult makes a result of a report, with a remark of the server's.
func reportResult(r bindings.Report, remark string) *sdk.CallToolResult {
	text := reportText(r)
	images := imagesOf(r)
	r, notes := bounded(r)
	if remark != "" {
		notes = append(notes, remark)
	}
	for _, note := range notes {
		r.Output = append(r.Output, runtime.Output{Type: runtime.OutputText, Text: "[" + note + "]"})
		text += "\n[" + note + "]"
	}
	result := structured(r, text, r.OK)
	result.Content = append(result.Content, images...)
	return result
}

// bounded takes away from a report what is too much, and says what that was.
// What was done is the last to go: of the receipts only those of operations that
// are ok, and only beyond the limit.
func bounded(r bindings.Report) (bindings.Report, []string) {
	var notes []string
	size := len(r.Value)
	if size > MaxStructured/2 {
		notes = append(notes, fmt.Sprintf("the value is left out, since it has %s; return less, or look at it in parts with a session", wording.Bytes(int64(size))))
		r.Value, size = json.RawMessage("null"), 0
	}
	var kept []runtime.Output
	left := 0
	for _, o := range r.Output {
		if size += len(o.Text) + len(o.Data); size > MaxStructured {
			size -= len(o.Text) + len(o.Data)
			left++
			continue
		}
		kept = append(kept, o)
	}
	if r.Output = append([]runtime.Output{}, kept...); left > 0 {
		notes = append(notes, fmt.Sprintf("%s of output left out, since all of it has more than %s; show less", wording.Plural(int64(left), "piece", "pieces"), wording.Bytes(MaxStructured)))
	}
	if n := len(r.Operations); n > MaxReceipts {
		r.Operations = fewerReceipts(r.Operations)
		if n == len(r.Operations) {
			return r, notes
		}
		notes = append(notes, fmt.Sprintf("%s of the %s operations are left out here, all of them ok; the journal has them: codemode log %s --json",
			wording.Grouped(int64(n-len(r.Operations))), wording.Grouped(int64(n)), r.RunID))
	}
	return r, notes
}

// fewerReceipts leaves out those in the middle that are ok.
func fewerReceipts(all []ops.Receipt) []ops.Receipt {
	kept := make([]ops.Receipt, 0, MaxReceipts)
	for i, r := range all {
		if !r.OK || i < MaxReceipts/2 || i >= len(all)-MaxReceipts/2 {
			kept = append(kept, r)
		}
	}
	return kept
}

// maxTold is how many operations that are not ok a text tells of.
const maxTold = 20

// reportText says a report in lines: what the script showed, what it returned,
// what was done, and why it ended.
func reportText(r bindings.Report) string {
	var b strings.Builder
	for _, o := range r.Output {
		if o.Type != runtime.OutputImage {
			b.WriteString(strings.TrimSuffix(o.Text, "\n") + "\n")
		}
	}
	switch v, err := plain.Parse(r.Value); {
	case v == nil && err == nil:
	default:
		if text, ok := v.(string); ok {
			b.WriteString("returned: " + text + "\n")
		} else {
			b.WriteString("returned: " + string(r.Value) + "\n")
		}
	}
	if len(r.Operations) > 0 {
		b.WriteString(wording.Tally(r.Operations) + "\n")
	}
	told := 0
	for _, op := range r.Operations {
		if op.OK {
			continue
		}
		if told++; told > maxTold {
			b.WriteString("and more that are not ok\n")
			break
		}
		b.WriteString(receiptText(op) + "\n")
	}
	if e := r.Error; e != nil {
		fmt.Fprintf(&b, "failed (%s): %s\n%s", e.Kind, e.Message, e.Stack)
	}
	if b.Len() == 0 {
		return "done"
	}
	return strings.TrimRight(b.String(), "\n")
}

// maxImages bounds the images of a result, in bytes.
const maxImages = 4 << 20

// imagesOf are the images that a script showed, as contents of their own.
func imagesOf(r bindings.Report) []sdk.Content {
	var list []sdk.Content
	room := maxImages
	for _, o := range r.Output {
		if o.Type != runtime.OutputImage {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(o.Data)
		if room -= len(data); err != nil || room < 0 {
			continue
		}
		list = append(list, &sdk.ImageContent{Data: data, MIMEType: o.MimeType})
	}
	return list
}

package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/ops/policy"
	"codemode/ops/wording"
)

// approve is the only field of the form.
const approve = "approve"

var form = schema{
	"type": "object",
	"properties": schema{
		approve: schema{"type": "boolean", "title": "Allow it", "description": "Only true means yes."},
	},
	"required": []string{approve},
}

// canAsk reports whether a client can show a form to a person.
func canAsk(c *sdk.ClientCapabilities) bool {
	if c == nil || c.Elicitation == nil {
		return false
	}
	// One that names no mode knows forms only.
	return c.Elicitation.Form != nil || c.Elicitation.URL == nil
}

var errUnanswered = errors.New("nobody answered in time")

// ask puts a question to the person in front of the client. Anything but an
// accepted form that says true is no, and the error says what it was. It
// returns as soon as ctx is done, and the question is then withdrawn.
func (c *connection) ask(ctx context.Context, q policy.Question) (bool, error) {
	limited, cancel := context.WithTimeoutCause(ctx, c.s.cfg.AskTimeout, errUnanswered)
	defer cancel()
	defer progressOf(ctx).asking(q)()
	type answer struct {
		result *sdk.ElicitResult
		err    error
	}
	given := make(chan answer, 1)
	// Writing to a client that does not read may block for ever.
	go func() {
		result, err := c.ss.Elicit(limited, &sdk.ElicitParams{Message: question(q), RequestedSchema: form})
		given <- answer{result, err}
	}()
	select {
	case a := <-given:
		if limited.Err() == nil {
			return means(a.result, a.err)
		}
	case <-limited.Done():
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return false, fmt.Errorf("%w, within %s; do not try again unless the person wants it", errUnanswered, c.s.cfg.AskTimeout)
}

const dontRetry = "; do not try again unless the person wants it"

// means reads an answer.
func means(r *sdk.ElicitResult, err error) (bool, error) {
	switch {
	case err != nil:
		return false, fmt.Errorf("the client did not put the question, or its answer made no sense: %w", err)
	case r.Action == "decline":
		return false, errors.New("the person declined" + dontRetry)
	case r.Action == "cancel":
		return false, errors.New("the question was dismissed without an answer" + dontRetry)
	case r.Action != "accept":
		return false, fmt.Errorf("the client answered %s, which is no answer", policy.Printable(r.Action))
	}
	yes, given := r.Content[approve].(bool)
	switch {
	case !given:
		return false, errors.New("the client accepted the form without an answer in it, which is no yes")
	case !yes:
		return false, errors.New("the person said no" + dontRetry)
	}
	return true, nil
}

// question words a question. Nothing in it comes from a script but names, whose
// deceiving characters are escaped, each on a line of its own.
func question(q policy.Question) string {
	var b strings.Builder
	item := func(label, text string) { fmt.Fprintf(&b, "\n%s: %s", label, text) }
	fmt.Fprintf(&b, "codemode asks: %s", wording.Heading(q))
	item("what", policy.Printable(string(q.Path)))
	if q.ResolvedPath != "" && q.ResolvedPath != q.Path {
		item("which is", policy.Printable(string(q.ResolvedPath)))
	}
	item("at stake", wording.Stake(q.Kind, q.Entries, q.Bytes))
	switch {
	case q.Diff != "":
		for _, line := range wording.ChangeLines(string(q.Diff)) {
			item("change", line)
		}
	case q.Overwrites && q.Source != "":
		item("by", q.Operation+" of "+policy.Printable(string(q.Source)))
	case q.Target != "":
		item("goes to", policy.Printable(string(q.Target)))
		if q.Replaced != nil {
			item("replaces", "a "+wording.Stake(q.Replaced.Kind, q.Replaced.Entries, q.Replaced.Bytes)+" there, which is then gone")
		}
	}
	for _, r := range q.Reasons {
		item("because", fmt.Sprintf("%s (%s)", wording.Because(r, q), r))
	}
	return b.String()
}

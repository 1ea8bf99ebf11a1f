package bindings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"codemode/ops"
	"codemode/ops/plain"
	"codemode/ops/policy"
	"codemode/runtime"
)

const (
	// The heap that is measured is the whole process's, in which other scripts
	// may be at work, so that less would deny for what a hook did not do.
	hookMemory    = 256 << 20
	maxHookOutput = 64 << 10
	maxHookReason = 4 << 10
)

// ScriptHook makes a before-delete hook of a script: the body of an async
// function with the frozen object `event` in scope and no tools at all. It
// allows with {decision: "allow"} or by returning nothing, and denies with
// {decision: "deny", reason: "…"}. Whatever else comes of it blocks: an
// exception, another value, a promise that never settles, or no answer within
// timeout (0: [ops.DefaultHookTimeout]). Name is the script's in stacks. It runs
// where engine says, nil being this process.
func ScriptHook(id, name, source string, timeout time.Duration, engine runtime.Engine) ops.Hook {
	if timeout <= 0 {
		timeout = ops.DefaultHookTimeout
	}
	return ops.HookFunc(id, func(ctx context.Context, e policy.Event) (policy.Decision, error) {
		event, err := json.Marshal(e)
		if err != nil {
			return policy.Decision{}, err
		}
		script := runtime.Script{Name: name, Source: frozenEvent(source), Globals: map[string]json.RawMessage{"event": event}}
		// An event lasts as long as its call and its deadline: each has a fresh
		// engine, so that no hook remembers anything of another.
		report := runtime.Run(ctx, script, noHost{}, runtime.Options{
			Deadline: runtime.NewDeadline(timeout), Memory: hookMemory, MaxOutput: maxHookOutput, Engine: engine,
		})
		switch {
		case ctx.Err() != nil:
			return policy.Decision{}, ctx.Err()
		case report.Error == nil:
			return decision(report.Value)
		case report.Error.Kind == runtime.KindTimeout:
			return policy.Decision{}, fmt.Errorf("gave no answer within %s", timeout)
		}
		return policy.Decision{}, hookFailure(report.Error)
	})
}

// frozenEvent makes the script begin by freezing its event, which is flat. That
// happens on the script's own first line, so that line numbers stay right.
func frozenEvent(source string) string {
	source = strings.TrimPrefix(source, "\ufeff")
	if strings.HasPrefix(source, "#!") {
		source = "//" + source
	}
	return "Object.freeze(event);" + source
}

func hookFailure(e *runtime.Error) error {
	message := e.Message
	if e.Stack != "" {
		message += "\n" + e.Stack
	}
	return errors.New(shorten(message))
}

// decision reads what a hook returned.
func decision(value []byte) (policy.Decision, error) {
	v, err := plain.Parse(value)
	if err != nil {
		return policy.Decision{}, err
	}
	if v == nil {
		return policy.Decision{}, nil
	}
	nonsense := func(what string) (policy.Decision, error) {
		return policy.Decision{}, fmt.Errorf("returned %s; it may return {decision: \"deny\", reason: \"…\"}, {decision: \"allow\"} or nothing", what)
	}
	answer, ok := v.(*plain.Object)
	if !ok {
		return nonsense(plain.KindOf(v))
	}
	var said policy.Decision
	for _, m := range answer.Members {
		text, isText := m.Value.(string)
		switch {
		case m.Name == "decision" && (text == "allow" || text == "deny"):
			said.Deny = text == "deny"
		case m.Name == "reason" && isText:
			said.Reason = shorten(text)
		case m.Name == "decision" || m.Name == "reason":
			return nonsense("an unknown " + m.Name)
		default:
			return nonsense(fmt.Sprintf("an object with the unknown member %q", m.Name))
		}
	}
	if _, ok := answer.Get("decision"); !ok {
		return nonsense("an object without a decision")
	}
	return said, nil
}

func shorten(s string) string {
	if len(s) <= maxHookReason {
		return s
	}
	return wholeRunes(s, maxHookReason) + "…"
}

// noHost is the world of a script that has none.
type noHost struct{}

var errNoHost = errors.New("a hook has no tools and no store")

func (noHost) Tools() []runtime.Tool { return nil }

func (noHost) Call(context.Context, runtime.Call) runtime.Result {
	return runtime.Result{Err: &runtime.CallError{Message: errNoHost.Error()}}
}

func (noHost) Store(string, []byte) error { return errNoHost }

func (noHost) Load(string) ([]byte, bool) { return nil, false }

package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"codemode/ops/policy"
)

// maxHookReason bounds what is taken of a hook's words.
const maxHookReason = 4 << 10

// CommandHook makes a hook of a program: it gets the event as JSON on standard
// input; exit status 0 allows, 2 denies with standard error as the reason,
// anything else (a crash, a time-out, no such program) blocks.
func CommandHook(id string, command []string, timeout time.Duration) Hook {
	if timeout <= 0 {
		timeout = DefaultHookTimeout
	}
	return commandHook{id, command, timeout}
}

type commandHook struct {
	id      string
	command []string
	timeout time.Duration
}

func (h commandHook) ID() string { return h.id }

func (h commandHook) BeforeDelete(ctx context.Context, e policy.Event) (policy.Decision, error) {
	if len(h.command) == 0 {
		return policy.Decision{}, errors.New("no command is configured")
	}
	event, err := json.Marshal(e)
	if err != nil {
		return policy.Decision{}, err
	}
	limited, cancel := context.WithTimeout(ctx, h.timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, h.command[0], h.command[1:]...)
	cmd.Stdin = bytes.NewReader(append(event, '\n'))
	said := &bounded{left: maxHookReason}
	cmd.Stderr = said
	cmd.Dir = string(e.Cwd)
	cmd.WaitDelay = 100 * time.Millisecond // for grandchildren that keep stderr open
	ownGroup(cmd)
	err = cmd.Run()
	reason := strings.TrimSpace(said.String())
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return policy.Decision{}, ctx.Err()
	case limited.Err() != nil:
		return policy.Decision{}, fmt.Errorf("gave no answer within %s", h.timeout)
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return policy.Decision{}, nil
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		return policy.Decision{Deny: true, Reason: reason}, nil
	case reason != "":
		return policy.Decision{}, fmt.Errorf("%w (%s)", err, reason)
	}
	return policy.Decision{}, err
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.left)
	b.left -= n
	b.Buffer.Write(p[:n])
	return len(p), nil
}

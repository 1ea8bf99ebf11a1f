package main

import (
	"context"
	"errors"
	"fmt"

	"codemode/ops"
)

// The exit statuses. When several hold, the one that the caller must know most
// wins: an unknown effect before a deadline or a cancellation, those before a
// refusal, and a refusal before a script's failure.
const (
	statusOK        = 0
	statusFailed    = 1   // the script failed, or what was asked for could not be shown
	statusUsage     = 2   // wrong usage, a broken configuration
	statusRefused   = 3   // refused, nothing was changed
	statusUnknown   = 4   // the effect on the disk is unknown
	statusDeadline  = 124 // as timeout(1) has it
	statusCancelled = 130 // as a shell has it after Ctrl-C
)

// ended is how a command ends with a status of its own. Without an error
// everything has been said already.
type ended struct {
	status int
	err    error
}

func (e *ended) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *ended) Unwrap() error { return e.err }

// withStatus ends a command without another word; status 0 is success.
func withStatus(status int) error {
	if status == statusOK {
		return nil
	}
	return &ended{status: status}
}

// failure ends a command that could not do what it is for.
func failure(format string, args ...any) error {
	return &ended{status: statusFailed, err: fmt.Errorf(format, args...)}
}

// misuse ends a command that was called wrongly, or is configured wrongly.
func misuse(format string, args ...any) error {
	return &ended{status: statusUsage, err: fmt.Errorf(format, args...)}
}

// The causes with which a command's context ends.
var (
	errInterrupted = errors.New("interrupted")
	errDeadline    = errors.New("the deadline passed")
)

// statusOf is the status for the receipt of a single operation.
func statusOf(ctx context.Context, r ops.Receipt) int {
	switch {
	case r.OK:
		return statusOK
	case r.Effect == ops.Unknown:
		return statusUnknown
	case r.Error != nil && r.Error.Code == ops.Aborted && errors.Is(context.Cause(ctx), errDeadline):
		return statusDeadline
	case r.Error != nil && r.Error.Code == ops.Aborted:
		return statusCancelled
	}
	return statusRefused
}

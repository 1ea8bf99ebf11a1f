package worker

import (
	"fmt"
	"strings"

	"codemode/runtime"
)

// maxWords is how much of a dead child's standard error is looked at.
const maxWords = 64 << 10

// A death is what is known of how a child died.
type death struct {
	killed    bool   // by us
	forbidden bool   // by seccomp
	signalled bool   // by some other signal that cannot be its own doing
	status    string // in words
	said      string // its standard error
}

// explain says what it was that ended the child. Go's own fatal errors cannot be
// caught in the child; they are known by what it wrote when it died.
func (d death) explain(memory int64) runtime.Death {
	outOfMemory := runtime.Death{Kind: runtime.KindMemory, Message: fmt.Sprintf("the script was stopped at its memory limit of %d bytes", memory)}
	switch {
	case strings.Contains(d.said, "goroutine stack exceeds"), strings.Contains(d.said, "fatal error: stack overflow"):
		return runtime.Death{Kind: runtime.KindSandbox, Message: "stack overflow: the script nests deeper than a built-in of the engine can follow"}
	case containsAny(d.said, "out of memory", "cannot allocate", "failed to allocate", "failed to create new OS thread", "pthread_create failed"), collectorFailed(d.said):
		return outOfMemory
	case d.forbidden:
		return runtime.Death{Kind: runtime.KindSandbox, Message: "the sandbox process was killed: it attempted what it may not do"}
	case d.signalled && !d.killed:
		return runtime.Death{Kind: runtime.KindMemory, Message: "the sandbox process was killed by the system, most likely because memory ran out"}
	}
	if words := firstLine(d.said); words != "" {
		return runtime.Death{Kind: runtime.KindSandbox, Message: "the sandbox process failed: " + words}
	}
	return runtime.Death{Kind: runtime.KindSandbox, Message: "the sandbox process ended unexpectedly: " + d.status}
}

// collectorFailed reports a fault in Go's own code on a system stack: its garbage
// collector does not check everywhere that there was memory for its work.
func collectorFailed(said string) bool {
	_, after, ok := strings.Cut(said, "SIGSEGV")
	_, after, found := strings.Cut(after, "\ngoroutine 0 ")
	_, frame, framed := strings.Cut(after, "\n")
	return ok && found && framed && strings.HasPrefix(frame, "runtime.")
}

func containsAny(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// firstLine is the first line of what a child wrote, harmless to show.
func firstLine(said string) string {
	const width = 200
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, line[:min(len(line), width)])
	return line
}

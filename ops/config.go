package ops

import (
	"context"
	"time"

	"codemode/ops/gitstate"
	"codemode/ops/journal"
	"codemode/ops/policy"
)

// Config is what the host decides about a session. The zero value works on the
// process's directory, has nobody to ask and keeps no journal.
type Config struct {
	// Dir is the working directory, that relative paths start from. Default:
	// the process's, or Root.
	Dir string
	// Root confines the session: every path is relative to it and nothing
	// outside can be reached. Empty: not confined.
	Root string
	// RootAsks says that somebody else than the host drew the boundary of Root,
	// such as the client of a server. It confines, and makes nothing ask less:
	// what is in no Git worktree asks as it does without a Root, and where Dir
	// lies inside Root, so does what is outside the project around Dir.
	RootAsks bool
	// Homes are the person's home directories, which are protected. Nil: those
	// of the user who runs the process, $HOME and the one on record.
	Homes []string

	// Protected are globs relative to the project of what can never be
	// deleted, moved or overwritten.
	Protected []string
	// Sealed are directories of the host's own, such as its configuration:
	// protected with everything in them, existing or not.
	Sealed []string
	// Temporary are directories strictly beneath which Delete of an untracked
	// object asks nothing.
	Temporary []string
	// Ask is what is asked beyond what always asks.
	Ask policy.Ask
	// Hooks are asked in order, before anybody else, about every object that
	// would be removed.
	Hooks []Hook
	// Approve asks the host. Nil: nobody can be asked. It must answer no, or
	// an error, when the question cannot be put; it should return early when
	// ctx is done. Clocks stand still meanwhile, see [WithClock].
	Approve func(ctx context.Context, q policy.Question) (bool, error)

	// Journal records every call; JournalDir, where it lies, is protected.
	// With JournalErr set no operation is carried out, since none could be
	// recorded.
	Journal    *journal.Run
	JournalDir string
	JournalErr error

	// Git is asked what is tracked. Nil: one of the session's own, which a Root
	// confines, too.
	Git *gitstate.Inspector

	// OnApply is told when an operation begins to change the disk and returns
	// what to call when it has ended. It must not block.
	OnApply func(Activity) (ended func())
	// OnReceipt is told of every receipt after it was recorded, in order. It
	// must not block or call the session.
	OnReceipt func(Receipt)
	// Abandon, when closed, stops the waiting for an operation that is already
	// changing the disk; its receipt then says unknown. What a local file system
	// does at once, such as a rename, is waited for. Only for a process that is
	// about to end.
	Abandon <-chan struct{}
}

// A Hook may deny a removal. Whatever goes wrong with it denies, too.
type Hook interface {
	// ID names the hook in receipts.
	ID() string
	// BeforeDelete answers for one object. An error blocks the operation.
	BeforeDelete(ctx context.Context, e policy.Event) (policy.Decision, error)
}

// HookFunc makes a hook of a Go function.
func HookFunc(id string, check func(context.Context, policy.Event) (policy.Decision, error)) Hook {
	return funcHook{id, check}
}

type funcHook struct {
	id    string
	check func(context.Context, policy.Event) (policy.Decision, error)
}

func (h funcHook) ID() string { return h.id }

func (h funcHook) BeforeDelete(ctx context.Context, e policy.Event) (policy.Decision, error) {
	return h.check(ctx, e)
}

// DefaultHookTimeout bounds one answer of a command or script hook whose
// configuration says nothing else.
const DefaultHookTimeout = 5 * time.Second

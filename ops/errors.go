package ops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"codemode/ops/fsys"
	"codemode/ops/policy"
	"codemode/ops/textedit"
)

// Code says what went wrong, for programs. Besides the codes below it is the
// name of the kernel's error number, such as EACCES or ENOSPC.
type Code string

// The codes of refusals.
const (
	InvalidArguments      Code = "INVALID_ARGUMENTS"
	UnsupportedSource     Code = "UNSUPPORTED_SOURCE"
	UnsupportedPlatform   Code = "UNSUPPORTED_PLATFORM"
	OutsideRoot           Code = "OUTSIDE_ROOT"
	SameFile              Code = "SAME_FILE"
	OverlappingPaths      Code = "OVERLAPPING_PATHS"
	InvalidFileType       Code = "INVALID_FILE_TYPE"
	TargetExists          Code = "TARGET_EXISTS"
	OverwritesOwnResult   Code = "OVERWRITES_OWN_RESULT"
	NotRead               Code = "NOT_READ"
	StaleRead             Code = "STALE_READ"
	ProtectedTarget       Code = "DELETE_PROTECTED_TARGET"
	GitProtectionFailed   Code = "DELETE_GIT_PROTECTION_FAILED"
	HookDenied            Code = "HOOK_DENIED"
	ConfirmationRequired  Code = "DELETE_CONFIRMATION_REQUIRED"
	NotApproved           Code = "DELETE_NOT_APPROVED"
	MountPoint            Code = "MOUNT_POINT"
	DeleteTargetChanged   Code = "DELETE_TARGET_CHANGED"
	TransferTargetChanged Code = "TRANSFER_TARGET_CHANGED"
	JournalUnavailable    Code = "JOURNAL_UNAVAILABLE"
	EditNoMatch           Code = "EDIT_NO_MATCH"
	EditAmbiguous         Code = "EDIT_AMBIGUOUS"
	EditOverlap           Code = "EDIT_OVERLAP"
	Aborted               Code = "ABORTED"
)

// Error is a failed call. Message names the exact path, control characters
// escaped, and says what to do next.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hook    string `json:"hook,omitempty"`   // HOOK_DENIED: which one
	Reason  string `json:"reason,omitempty"` // HOOK_DENIED: what it said
	// EDIT_AMBIGUOUS, EDIT_OVERLAP: where, the first ten; EDIT_NO_MATCH: a near miss.
	Places []textedit.Place `json:"places,omitempty"`
	cause  error
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns what the kernel or the context said, if anything.
func (e *Error) Unwrap() error { return e.cause }

func refuse(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// show spells a path, or another text, for a message.
func show(text string) string {
	const enough = 2 * maxPath
	if len(text) > enough {
		return policy.Printable(text[:enough]) + "…"
	}
	return policy.Printable(text)
}

// asError gives any error a code and a message that says what to do.
func asError(err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &Error{Code: Aborted, Message: "cancelled before anything was changed", cause: err}
	}
	code, advice := classify(err)
	what := err.Error()
	var pe *fs.PathError
	if errors.As(err, &pe) {
		what = fmt.Sprintf("%s %s: %s", pe.Op, show(pe.Path), reasonOf(pe.Err))
	}
	if advice != "" {
		what += "; " + advice
	}
	return &Error{Code: code, Message: what, cause: err}
}

func reasonOf(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return errnoName(no) + ", " + no.Error()
	}
	return err.Error()
}

var advices = map[Code]string{
	"EACCES":       "ask the owner for permission or leave it out",
	"EPERM":        "the system forbids it: the object may be immutable or belong to someone else",
	"ENOSPC":       "free some space and look at the evidence before trying again",
	"EDQUOT":       "the quota is used up",
	"EROFS":        "the file system is mounted read-only",
	"EBUSY":        "something is using it, or it is a mount point",
	"ENOTEMPTY":    "entries appeared meanwhile; look at it and try again",
	"EEXIST":       "something appeared there meanwhile; look at it and try again",
	"EMFILE":       "raise the limit of open files",
	"ENAMETOOLONG": "shorten the name",
	"ELOOP":        "symbolic links lead in a circle",
	"ENOTDIR":      "a part of the path is not a directory",
	"ENOENT":       "check the spelling; list shows what is there",
}

func classify(err error) (Code, string) {
	switch {
	case errors.Is(err, fsys.ErrOutside):
		return OutsideRoot, "paths and links may not lead outside the root"
	case errors.Is(err, fsys.ErrUnsupported):
		return UnsupportedPlatform, "this needs Linux 5.8 or later"
	case errors.Is(err, fsys.ErrKind), errors.Is(err, fsys.ErrProc):
		return InvalidFileType, ""
	case errors.Is(err, fsys.ErrMagicLink):
		return InvalidArguments, "name the object by its own path"
	case errors.Is(err, fsys.ErrMount):
		return MountPoint, "unmount it first"
	case errors.Is(err, fsys.ErrChanged):
		return TransferTargetChanged, "look at it and try again"
	case errors.Is(err, fsys.ErrBrokenLink):
		return "ENOENT", "repair or remove the link first"
	case errors.Is(err, fsys.ErrCrossDevice):
		return "EXDEV", "this file system cannot do it in one step (a layered one cannot for what lies in a lower layer); move the old object away first"
	}
	var no syscall.Errno
	if errors.As(err, &no) {
		code := Code(errnoName(no))
		return code, advices[code]
	}
	return "EIO", ""
}

// Package fsys is all access to the disk: resolving a path to a held directory
// and a name, surveying a tree, and copying, removing and renaming what was
// found. Its rule is identity over names: a parent is resolved once and held
// open, everything is done relative to the held descriptor, and the last
// component of a path is never followed.
//
// Nothing here decides whether something may be done; that is package ops.
// On Linux everything is available. Elsewhere every function that would need
// descriptor-relative system calls answers [ErrUnsupported].
//
// # Where work is saved, and why that is safe
//
// One goroutine goes down a tree, several work on what lies in it (see descent).
// Each saving below leaves out a look at something that the kernel, or a look
// that is made anyway, already vouches for. The tests that try to come between
// are TestAdversary in package ops and TestOnlyWhatWasSeenIsRemoved here.
//
//   - The parents of a path are walked by the kernel in one step, which fails at
//     a link; then the long way is gone. Who the directories around the one that
//     was reached are is asked of that one, upwards through "..". A target in the
//     directory that is held for the source shares it.
//   - A tree is surveyed once when nobody is asked anything: between the survey
//     and what follows lies one line of the journal. After a hook or a dialog it
//     is surveyed again, and both digests must be equal.
//   - A removal looks at no file again. It lists each directory, which it needs
//     for the names, and compares names, numbers and kinds with what the survey
//     listed ([Listings]); a directory that differs keeps all that it holds. Who
//     puts something else under a name after that listing loses it, as with any
//     removal of a directory that is still being written to; a directory in the
//     place of a file is not unlinked by the kernel, a link is never followed,
//     and another mount shows in the directory that was opened.
//   - A copy opens what the listing calls a regular file without looking at the
//     name first, never through a link and never waiting; what it opened is
//     looked at. Only who may make device files could have one opened that way.
//   - A read that brings as many bytes as the opened file has is the last one.
//     A file that grows meanwhile is copied as it was, as it always might be.
//   - A new file is private until its content is complete: it gets its mode
//     last, by descriptor, with no look at it in between.
//   - Digests are sums, so that workers need not agree on an order. The hashes
//     summed up are keyed at random: nobody can prepare another tree that has
//     the same sum.
//   - Deep down, directories are closed and found again through "..", and must
//     be the same ones then.
//   - Progress is told for parts of a directory, not for entries; when a removal
//     fails, the bytes of a half-emptied directory are found by what is left.
package fsys

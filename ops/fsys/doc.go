// Package fsys is all access to the disk: resolving a path to a held directory
// and a name, walking a tree, and copying, removing and renaming what was
// found. Its rule is identity over names: a parent is resolved once and held
// open, everything is done relative to the held descriptor, and the last
// component of a path is never followed.
//
// Nothing here decides whether something may be done; that is package ops.
// On Linux everything is available. Elsewhere every function that would need
// descriptor-relative system calls answers [ErrUnsupported].
package fsys

// Package ops deletes, copies and moves whole trees safely. One request goes
// down, one receipt comes back:
//
//	plan     read only: resolve, walk, classify, note identities
//	guard    protected paths, hooks, approval, mount points, look again
//	intent   the journal says what is about to happen
//	apply    on the directories that were checked, held open by descriptor
//	receipt  what did happen
//
// [Session.Do] is the one entry. The README of this folder is the contract.
package ops

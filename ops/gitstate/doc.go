// Package gitstate answers what Git knows about a path: which worktree holds
// it, where the control data of that worktree lies, and whether the path is, or
// holds, something tracked or newly staged.
//
// It is made for one question, "may this be removed without asking?", and
// every answer leans to the side that asks. What cannot be read with certainty
// is a doubt, never a "not tracked". Three habits follow from that:
//
//   - All repositories around a path count, not only the nearest. A directory
//     on which somebody ran "git init" still has its files in the outer index.
//   - Nothing is looked up through paths as they were typed. Callers pass paths
//     whose parents are resolved; the last component is never followed.
//   - Names are bytes. They are compared as they are on disk, and folded in
//     addition where the file system or the repository folds them.
//
// The package changes nothing, and nothing that a repository contains makes it
// execute something: it reads the files itself. Where the reader does not know
// a format (a split or sparse index, SHA-256, a config file it cannot parse),
// it asks the git program, with hooks, monitors, filters, transports and the
// GIT_* environment shut off. See fallback.go for what that call may do.
//
// # What is read
//
// An index of the everyday kind is read by a small reader of names (scan.go);
// go-git's decoder reads what that one refuses, git what go-git refuses, and
// what nobody reads is a doubt. Whatever reads it, the hash at its end is
// verified, although git does not: a bit that flipped in a name would turn
// "tracked" into "not tracked". For 100,000 entries the hash takes longer than
// all the rest, so it is made on another processor meanwhile; nothing is
// answered before it is there.
//
// # What is kept
//
// An [Inspector] keeps the names of indexes and the repositories it found. Each
// answer is worth as much as one from a first look, because whatever it depends
// on is looked at again:
//
//   - That a directory has no ".git" and no "HEAD", so that no repository begins
//     there, is kept with the directory's own stamp: nothing comes to it, and
//     nothing leaves it, without a change of that. Every question goes up to the
//     root of the file system through such directories. One that is worked in
//     has no stamp to trust, and is asked for both by name. See vacant.go.
//   - A repository is kept when it is sound and no link is on the way to
//     anything of it: ".git" a directory, or the file of a linked worktree as
//     git writes it. Its HEAD, config and pointers have to have the same stamp
//     (device, inode, mode, size, both times), the directories of its control
//     data have to be directories still. See witness.go.
//   - The stamp of the git dir stands for what is, or is not, in it by name:
//     objects, refs, commondir. It does not for what files there contain: a
//     file written in place changes nothing in its directory.
//   - An index has to have the same stamp, and the same last bytes: its hash.
//   - A stamp is only trusted when it was old enough, three seconds, before the
//     file was looked at. Anything later shows in the change time then, which
//     nobody can set, however coarse the clock, and though a replaced file may
//     get the same inode. What is younger is read again and compared.
//   - Stamps are only trusted on local file systems that are known to set them
//     with this machine's clock. On others (network, FUSE) everything is read
//     each time.
//
// Some changes leave the stamp of a directory as it was: writing into files
// below, another directory put in place of a parent, a mount on top of it. None
// of them is hidden by what is kept: files have stamps of their own, and every
// look goes by the whole path, so that another parent or a mount leads to other
// devices and inodes. Not noticed are changes made in the lower layer of an
// overlay behind its back, which overlayfs itself leaves undefined, and a clock
// that is set back to the very nanosecond of the change before.
//
// It is the one importer of go-git, and takes two parsers from it: the index
// decoder and the config decoder.
package gitstate

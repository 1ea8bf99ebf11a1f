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
// It is the one importer of go-git, and takes two parsers from it: the index
// decoder and the config decoder.
package gitstate

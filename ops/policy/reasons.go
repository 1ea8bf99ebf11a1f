package policy

// Reason is why the host must approve.
type Reason string

// The reasons, in the order in which they are listed.
const (
	// Tracked: the object is, or holds, an entry tracked by or staged in Git.
	Tracked Reason = "tracked"
	// External: the object lies outside the project.
	External Reason = "external"
	// NoGit: no Git worktree contains the project and no root confines it.
	NoGit Reason = "no-git"
	// GitCheckFailed: what Git knows of the object is not certain.
	GitCheckFailed Reason = "git-check-failed"
	// NestedRepository: a tree holds another Git repository.
	NestedRepository Reason = "nested-repository"
	// Untracked: the object holds files that Git neither tracks nor ignores.
	Untracked Reason = "untracked"
	// Replace: something that exists would be overwritten or replaced.
	Replace Reason = "replace"
)

// Ask is what the host wants to be asked about beyond what always asks.
type Ask struct {
	Untracked bool `json:"untracked" toml:"untracked"`
	Files     bool `json:"files" toml:"files"`
	Replace   bool `json:"replace" toml:"replace"`
}

// Strict turns everything on.
var Strict = Ask{Untracked: true, Files: true, Replace: true}

// Or asks whatever either asks.
func (a Ask) Or(b Ask) Ask {
	return Ask{a.Untracked || b.Untracked, a.Files || b.Files, a.Replace || b.Replace}
}

// Fate is what would happen to an object.
type Fate int

const (
	// Removed: the object would be gone from its place.
	Removed Fate = iota
	// Overwritten: something would take the object's place, or that of files in it.
	Overwritten
)

// Facts is what is known of one object that an operation would remove or
// overwrite.
type Facts struct {
	Fate      Fate
	Plain     bool // a regular file (or FIFO, socket, device): neither directory nor link
	Merged    bool // a directory that stays, only files in it are overwritten
	External  bool // outside the project
	InGit     bool // a Git worktree contains the project
	Confined  bool // a root confines the session
	Temporary bool // to be deleted, and strictly beneath a temporary root of the host
	Nested    bool // a directory that holds another repository
	InBare    bool // a part of a bare repository

	// Tracked, Uncertain and Untracked are what Git says. They are asked for
	// lazily, since most objects need no answer.
	Tracked   func() (tracked, uncertain bool)
	Untracked func() bool
}

// Reasons lists why the host must approve; none means that nobody is asked.
func Reasons(f Facts, ask Ask) []Reason {
	var reasons []Reason
	add := func(holds bool, r Reason) {
		if holds {
			reasons = append(reasons, r)
		}
	}
	// Regular files, and the files that a merge overwrites, are the project's
	// daily business: inside it they ask only where the host wants it.
	exempt := (f.Plain || f.Merged) && !f.External && !f.InBare && !ask.Files
	if !exempt {
		tracked, uncertain := f.Tracked()
		if f.Temporary && !tracked && !uncertain {
			add(f.Nested || f.InBare, NestedRepository)
			return reasons
		}
		add(tracked, Tracked)
		add(f.External, External)
		add(!f.Plain && !f.Merged && !f.InGit && !f.Confined, NoGit)
		add(uncertain, GitCheckFailed)
		add(f.Nested || f.InBare, NestedRepository)
	} else if f.Temporary {
		return nil
	}
	add(ask.Untracked && f.Untracked(), Untracked)
	add(ask.Replace && f.Fate == Overwritten, Replace)
	return reasons
}

package gitstate

import (
	"os"
	"time"
)

// vacancy is what is known of a directory in which no repository begins: it had
// neither ".git" nor "HEAD". Every question about Git goes up to the root of the
// file system through such directories.
type vacancy struct {
	stamp stamp
	quiet bool      // nothing came to the directory while its stamp is this one
	tried time.Time // when that was last looked into
}

// maxVacant bounds how many such directories are kept.
const maxVacant = 1024

// stillVacant reports whether a directory was vacant before and nothing has come
// to it since. One look at it says so, where two would be needed at what is not
// in it.
func (in *Inspector) stillVacant(dir string) bool {
	in.mu.Lock()
	v := in.vacancy[dir]
	in.mu.Unlock()
	if !v.quiet {
		return false
	}
	at, err := lstat(dir)
	if err == nil && at.stamp == v.stamp {
		return true
	}
	in.mu.Lock()
	in.vacancy[dir] = vacancy{tried: time.Now()}
	in.mu.Unlock()
	return false
}

// keepVacant keeps a directory that was found vacant, unless it is one to which
// things come all the time, such as a temporary folder: that would be looked
// into in vain.
func (in *Inspector) keepVacant(dir string) {
	now := time.Now() // before anything is looked at, as the rule of [stamp.settled] wants it
	in.mu.Lock()
	lately := now.Sub(in.vacancy[dir].tried) < settleTime
	in.mu.Unlock()
	if lately {
		return
	}
	v := vacancy{tried: now}
	if at, err := lstat(dir); err == nil && at.kind == os.ModeDir && at.stamp.settled(now) && honest(dir) && !holds(dir, ".git") && !holds(dir, "HEAD") {
		v.stamp, v.quiet = at.stamp, true
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.vacancy) >= maxVacant {
		clear(in.vacancy)
	}
	in.vacancy[dir] = v
}

// holds reports whether a directory has an entry, or may have one.
func holds(dir, name string) bool {
	_, err := lstat(join(dir, name))
	return !absent(err)
}

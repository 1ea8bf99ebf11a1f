//go:build unix

package gitstate

import (
	"os"
	"syscall"
)

// ownerOf is the user that an object belongs to, links not followed.
func ownerOf(path string) (uid int, known bool) {
	fi, err := os.Lstat(path)
	if err != nil {
		return 0, false
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}

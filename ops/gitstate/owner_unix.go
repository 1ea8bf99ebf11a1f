//go:build unix && !linux

package gitstate

import (
	"os"
	"syscall"
)

// ownerOf is the user that an object belongs to.
func ownerOf(fi os.FileInfo) (uid int, known bool) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}

package gitstate

import (
	"os"
	"time"
)

// stamp is the identity of one state of a file. Equal stamps of a file that
// was left alone for a while mean equal content, see [stamp.settled].
type stamp struct {
	dev, ino     uint64
	mode         uint32
	size         int64
	mtime, ctime int64 // nanoseconds
	exact        bool  // the platform tells inode and change time
}

// settleTime is how old a change has to be before timestamps may be trusted.
// Clocks of file systems tick coarsely: two changes shortly after one another
// can leave the same time, and with a rename even the same inode.
const settleTime = 3 * time.Second

// settled reports whether any change made after now would show in the stamp.
// now has to be taken before the file was read. A time in the future never
// counts as settled.
func (s stamp) settled(now time.Time) bool {
	edge := now.Add(-settleTime).UnixNano()
	return s.exact && s.mtime < edge && s.ctime < edge
}

// coarseStamp is what every platform can tell.
func coarseStamp(fi os.FileInfo) stamp {
	return stamp{mode: uint32(fi.Mode()), size: fi.Size(), mtime: fi.ModTime().UnixNano()}
}

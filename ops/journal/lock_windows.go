package journal

import (
	"os"

	"golang.org/x/sys/windows"
)

// The mark lies far behind the end of the file, since Windows locks keep
// others from reading what they cover.
const markAt = 1 << 30

func mark() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: markAt} }

func lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, mark())
}

func busy(err error) bool { return err == windows.ERROR_LOCK_VIOLATION }

func locked(f *os.File) bool {
	h := windows.Handle(f.Fd())
	if err := windows.LockFileEx(h, windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, mark()); err != nil {
		return busy(err)
	}
	windows.UnlockFileEx(h, 0, 1, 0, mark())
	return false
}

// syncDir has nothing to do: Windows makes directory entries durable itself.
func syncDir(string) error { return nil }

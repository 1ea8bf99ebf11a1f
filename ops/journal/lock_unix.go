//go:build unix

package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock marks the file as belonging to a living process; the mark goes with it.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// busy reports whether an error of [lock] says that somebody else holds it.
func busy(err error) bool { return err == unix.EWOULDBLOCK }

// locked reports whether a living process holds the mark.
func locked(f *os.File) bool {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB); err != nil {
		return busy(err)
	}
	unix.Flock(int(f.Fd()), unix.LOCK_UN)
	return false
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

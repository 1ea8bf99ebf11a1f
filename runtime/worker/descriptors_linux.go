package worker

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// closeOthers closes what the child has inherited besides its channel: what the
// program that started our parent left open for it without meaning to. Go's own
// poller, which may be there already, stays.
func closeOthers() {
	const own = "/proc/self/fd"
	dir, err := unix.Open(own, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	var names []string
	buffer := make([]byte, 4096)
	for {
		n, err := unix.ReadDirent(dir, buffer)
		if err != nil || n <= 0 {
			break
		}
		_, _, names = unix.ParseDirent(buffer[:n], -1, names)
	}
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil || fd <= controlFD || fd == dir {
			continue
		}
		if what, err := os.Readlink(own + "/" + name); err == nil && strings.HasPrefix(what, "anon_inode:[event") {
			continue
		}
		unix.Close(fd)
	}
	unix.Close(dir)
}

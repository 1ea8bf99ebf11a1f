package opstest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// otherFS makes a directory on a file system other than that of dir.
func otherFS(t testing.TB, dir string) string {
	var a, b unix.Stat_t
	if unix.Stat("/dev/shm", &a) != nil || unix.Stat(dir, &b) != nil || a.Dev == b.Dev {
		t.Skip("needs /dev/shm on a file system of its own")
	}
	x, err := os.MkdirTemp("/dev/shm", "codemode-test-")
	if err != nil {
		t.Skip("needs /dev/shm to be writable: ", err)
	}
	os.Chmod(x, 0o755)
	return x
}

func cleanUp(base, x string) {
	if mounts, err := os.ReadFile("/proc/self/mountinfo"); err == nil {
		var points []string
		for line := range strings.Lines(string(mounts)) {
			if f := strings.Fields(line); len(f) > 4 && strings.HasPrefix(f[4], base+"/") {
				points = append(points, f[4])
			}
		}
		slices.Reverse(points)
		for _, p := range points {
			unix.Unmount(p, unix.MNT_DETACH)
		}
	}
	for _, dir := range []string{base, x} {
		if dir == "" {
			continue
		}
		if os.Geteuid() == 0 {
			exec.Command("chattr", "-R", "-f", "-i", "-a", dir).Run()
		}
		exec.Command("chmod", "-R", "u+rwx", dir).Run()
	}
	if x != "" {
		exec.Command("rm", "-rf", x).Run()
	}
	// A tree deeper than PATH_MAX is beyond the test's own cleaning up.
	exec.Command("rm", "-rf", filepath.Join(base, "w")).Run()
}

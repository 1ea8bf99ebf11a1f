package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	gibi = 1 << 30

	// leftOver is room that is left to others wherever something is made.
	leftOver = 1 * gibi

	// smallest is an image that mkfs.xfs still takes.
	smallest = 320 << 20
)

// An image is a file that holds a file system.
type image struct {
	size    int64
	mkfs    string
	args    []string
	options string // of mount
}

// images are made without lazy initialisation, which would go on in the
// background, and without discarding, which would take back the room.
var images = map[kind]image{
	onExt4: {size: 4 * gibi, mkfs: "mkfs.ext4", options: "loop",
		args: []string{"-q", "-F", "-i", "8192", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0"}},
	onXFS: {size: 2 * gibi, mkfs: "mkfs.xfs", options: "loop", args: []string{"-q", "-K", "-m", "reflink=1"}},
}

// mount makes the file system of a volume and returns where it is.
func (l *lab) mount(k kind) (dir string, release func() error, err error) {
	switch k {
	case onTmpfs:
		return l.mountMemory()
	case onDiscard:
		return l.discardingFolder()
	}
	if os.Geteuid() != 0 {
		return "", nil, errors.New("only root can mount an image")
	}
	i := images[k]
	mkfs, err := l.mkfs(i.mkfs)
	if err != nil {
		return "", nil, err
	}
	// The name goes as soon as the image is mounted: then it is gone whatever
	// happens to this process, once it is not mounted any more.
	f, err := os.CreateTemp(l.images, "peerbench-*.img")
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	defer os.Remove(f.Name())
	size := max(smallest, int64(l.scale*float64(i.size)))
	if err := room(l.images, size); err != nil {
		return "", nil, err
	}
	if err := allocate(f, size); err != nil {
		return "", nil, err
	}
	if err := complete(mkfs(append(i.args, f.Name())...)); err != nil {
		return "", nil, err
	}
	return l.mountAt(string(k), "-o", i.options, f.Name())
}

// allocate gives a file its blocks, where the file system can do that ahead.
func allocate(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return f.Truncate(size)
	}
	return err
}

// mountMemory uses the tmpfs that the system has, or mounts one.
func (l *lab) mountMemory() (dir string, release func() error, err error) {
	const shared, size = "/dev/shm", 2 * gibi
	var st unix.Statfs_t
	if err := unix.Statfs(shared, &st); err == nil && int64(st.Type) == unix.TMPFS_MAGIC && room(shared, size) == nil {
		dir, err := os.MkdirTemp(shared, "peerbench-")
		return dir, func() error { return os.RemoveAll(dir) }, err
	}
	if os.Geteuid() != 0 {
		return "", nil, fmt.Errorf("%s has no room, and only root can mount another", shared)
	}
	return l.mountAt("tmpfs", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", int64(size)), "peerbench")
}

// discardingFolder is a folder on the machine's own disk.
func (l *lab) discardingFolder() (dir string, release func() error, err error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", nil, err
	}
	var st unix.Stat_t
	if err := unix.Stat(l.images, &st); err != nil {
		return "", nil, err
	}
	device, ok := discards(string(text), fmt.Sprintf("%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev)))
	journals, _ := filepath.Glob("/proc/fs/jbd2/" + filepath.Base(device) + "-*")
	if !ok || len(journals) > 0 {
		return "", nil, fmt.Errorf("the disk of %s does not discard at each unlink", l.images)
	}
	if err := room(l.images, gibi); err != nil {
		return "", nil, err
	}
	dir, err = os.MkdirTemp(l.images, "peerbench-discard-")
	return dir, func() error { return os.RemoveAll(dir) }, err
}

// discards finds in /proc/self/mountinfo whether a device, major:minor, is an
// ext4 that is mounted to discard what it frees.
func discards(mountinfo, number string) (device string, ok bool) {
	for line := range strings.Lines(mountinfo) {
		mount, file, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(mount), strings.Fields(file)
		if ok && len(left) > 2 && left[2] == number && len(right) == 3 && right[0] == "ext4" {
			return right[1], slices.Contains(strings.Split(right[2], ","), "discard")
		}
	}
	return "", false
}

// mountAt mounts something in the folder of this run. What is there is
// unmounted again even if something still uses it.
func (l *lab) mountAt(name string, args ...string) (dir string, release func() error, err error) {
	dir = filepath.Join(l.dir, "volumes", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, err
	}
	if err := complete(exec.Command("mount", append(args, dir)...)); err != nil {
		return "", nil, err
	}
	return dir, func() error {
		for range 20 {
			if unix.Unmount(dir, unix.UMOUNT_NOFOLLOW) == nil {
				return nil
			}
			time.Sleep(50 * time.Millisecond)
		}
		return unix.Unmount(dir, unix.MNT_DETACH)
	}, nil
}

// room tells whether a file system has so much room to spare.
func room(dir string, size int64) error {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return err
	}
	if free := int64(st.Bavail) * st.Bsize; free < size+leftOver {
		return fmt.Errorf("%s has %.1f GiB free, and it takes %.1f", dir, float64(free)/gibi, float64(size+leftOver)/gibi)
	}
	return nil
}

// mkfs finds a program that makes file systems, and gets the package of one
// that is missing.
func (l *lab) mkfs(name string) (func(args ...string) *exec.Cmd, error) {
	for _, place := range []string{name, filepath.Join("/usr/sbin", name), filepath.Join("/sbin", name)} {
		if path, err := exec.LookPath(place); err == nil {
			return func(args ...string) *exec.Cmd { return exec.CommandContext(l.ctx, path, args...) }, nil
		}
	}
	if name == "mkfs.xfs" {
		return l.debian("xfsprogs", name)
	}
	return nil, fmt.Errorf("there is no %s", name)
}

// syncVolume writes out what a file system holds back.
func syncVolume(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}

// dropCaches makes the system forget what it has read. It takes root.
func dropCaches() error {
	unix.Sync()
	return os.WriteFile("/proc/sys/vm/drop_caches", []byte("3\n"), 0)
}

package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func testLab(t *testing.T, ctx context.Context) *lab {
	t.Helper()
	o, err := parse([]string{"--offline", "--scale", "0.001", "--cache", t.TempDir(), "--images", t.TempDir()}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLab(ctx, o, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(l.dir) })
	return l
}

// TestImageGoesAway makes the image of an ext4 and looks whether anything is
// left of it, also where the run is cancelled and something is still open.
func TestImageGoesAway(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount an image")
	}
	ctx, cancel := context.WithCancel(t.Context())
	l := testLab(t, ctx)
	v, err := l.volume(onExt4)
	if err != nil {
		l.close()
		t.Skipf("no image can be mounted here: %v", err)
	}
	var st unix.Statfs_t
	if err := unix.Statfs(v.project, &st); err != nil || st.Type != unix.EXT4_SUPER_MAGIC {
		t.Errorf("the project is on a file system of type %#x, %v", st.Type, err)
	}
	if again, err := l.volume(onExt4); again != v || err != nil {
		t.Errorf("a second one was made: %v", err)
	}
	if left, _ := os.ReadDir(l.images); len(left) > 0 {
		t.Errorf("the image has a name: %v", left)
	}
	if err := v.settle(ctx); err != nil {
		t.Error(err)
	}
	open, err := os.Create(filepath.Join(v.project, "open"))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	cancel()
	if err := l.close(); err != nil {
		t.Error(err)
	}
	if err := absent(l.dir); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile("/proc/self/mountinfo"); strings.Contains(string(text), l.dir) {
		t.Error("it is still mounted")
	}
}

func TestMemoryGoesAway(t *testing.T) {
	t.Parallel()
	l := testLab(t, t.Context())
	v, err := l.volume(onTmpfs)
	if err != nil {
		l.close()
		t.Skipf("there is no tmpfs here: %v", err)
	}
	top := filepath.Dir(v.project)
	dir, n, err := v.master(smallTree(l))
	if err != nil || n != smallTreeEntries(l) {
		t.Errorf("%s has %d entries, %v", dir, n, err)
	}
	if err := l.close(); err != nil {
		t.Error(err)
	}
	for _, gone := range []string{top, l.dir} {
		if err := absent(gone); err != nil {
			t.Error(err)
		}
	}
}

func smallTreeEntries(l *lab) int { return manySmall.scaled(l.scale).entries() }

func TestRoom(t *testing.T) {
	t.Parallel()
	if err := room(t.TempDir(), 1<<60); err == nil || !strings.Contains(err.Error(), "GiB free") {
		t.Errorf("there is room for an exbibyte: %v", err)
	}
}

func TestDiscards(t *testing.T) {
	t.Parallel()
	const mounts = "21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard,resuid=65534\n" +
		"22 1 8:1 / /home rw - ext4 /dev/sda1 rw,nodiscard\n" +
		"23 1 0:20 / /tmp rw - tmpfs tmpfs rw,discard\n"
	for number, want := range map[string]string{"254:0": "/dev/vda", "8:1": "", "0:20": "", "9:9": ""} {
		device, ok := discards(mounts, number)
		if ok != (want != "") || ok && device != want {
			t.Errorf("%s: %q, %v", number, device, ok)
		}
	}
}

func TestPeakSize(t *testing.T) {
	t.Parallel()
	if size, err := peakSize(os.Getpid()); err != nil || size < 1 {
		t.Errorf("%v MiB, %v", size, err)
	}
	if _, err := peakSize(1 << 30); err == nil {
		t.Error("a process that does not exist has a peak")
	}
}

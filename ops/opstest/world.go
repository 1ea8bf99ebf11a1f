package opstest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// World is the surroundings of one vector: an empty directory W with a home
// and usually a project proj, and a second one X on another file system.
type World struct {
	W, X string
}

// Need names something that a test cannot do without.
type Need string

// The needs.
const (
	TwoFS   Need = "two-fs"  // X on another file system
	Mount   Need = "mount"   // the right to mount
	Root    Need = "root"    // to run as root
	NonRoot Need = "nonroot" // to run as an ordinary user
)

// NewWorld makes the surroundings of a test, or skips it with the reason.
// Everything in them is gone afterwards, mounts and immutable files included.
func NewWorld(t testing.TB, needs ...Need) World {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the engine changes nothing on " + runtime.GOOS)
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := World{W: filepath.Join(base, "w")}
	for _, n := range needs {
		switch n {
		case TwoFS:
			w.X = otherFS(t, base)
		case Mount, Root:
			if os.Geteuid() != 0 {
				t.Skipf("needs root for %s", n)
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(w.W, "home"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cleanUp(base, w.X) })
	return w
}

// Expand replaces $W and $X.
func (w World) Expand(s string) string {
	return strings.NewReplacer("$W", w.W, "$X", w.X).Replace(s)
}

// Env is the environment of everything that runs in this world.
func (w World) Env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(w.W, "home"), "W=" + w.W, "X=" + w.X, "LC_ALL=C.UTF-8", "TZ=UTC",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org",
	}
}

// Bash runs a script in W.
func (w World) Bash(script string) ([]byte, error) {
	cmd := exec.Command("bash", "-eu", "-o", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = w.W, w.Env()
	return cmd.CombinedOutput()
}

// Setup runs a script that must succeed, and makes proj a repository unless
// it is one, or bare says that there shall be none.
func (w World) Setup(t testing.TB, script string, bare bool) {
	t.Helper()
	if out, err := w.Bash(script); err != nil {
		t.Fatalf("setup: %v\n%s", err, out)
	}
	if _, err := os.Lstat(filepath.Join(w.W, "proj/.git")); err != nil && !bare {
		if out, err := w.Bash("git init -q proj"); err != nil {
			t.Fatalf("git init: %v\n%s", err, out)
		}
	}
}

// Check runs each line as a test that must succeed.
func (w World) Check(t *testing.T, lines string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if out, err := w.Bash(line); err != nil {
			t.Errorf("disk: %s: %v %s", line, err, bytes.TrimSpace(out))
		}
	}
}

// Listing spells everything on disk: kinds, modes, sizes, link texts and
// contents, the home directory left out. Equal listings mean that nothing was
// changed.
func (w World) Listing(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, top := range []string{w.W, w.X} {
		if top == "" {
			continue
		}
		filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if path == filepath.Join(w.W, "home") {
				return fs.SkipDir
			}
			fmt.Fprintf(&b, "%q", path)
			if err != nil {
				fmt.Fprintf(&b, " %v\n", err)
				return nil
			}
			info, err := d.Info()
			if err != nil {
				fmt.Fprintf(&b, " %v\n", err)
				return nil
			}
			fmt.Fprintf(&b, " %v", info.Mode())
			switch {
			case info.Mode().IsRegular():
				if data, err := os.ReadFile(path); err == nil && len(data) < 1<<20 {
					fmt.Fprintf(&b, " %d %x", len(data), sha256.Sum256(data))
				}
			case info.Mode()&fs.ModeSymlink != 0:
				text, _ := os.Readlink(path)
				fmt.Fprintf(&b, " -> %q", text)
			}
			b.WriteByte('\n')
			return nil
		})
	}
	return b.String()
}

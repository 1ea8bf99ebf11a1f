package gitstate

import (
	"context"
	"crypto/sha1"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain gives git an environment of its own: the settings of whoever runs
// the tests must not matter, and the GIT_* variables set here must not either.
func TestMain(m *testing.M) {
	if os.Getenv("GITSTATE_UNREADABLE") != "" { // a child of TestUnreadable has it already
		os.Exit(m.Run())
	}
	home, err := os.MkdirTemp("", "gitstate-home")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
		"GIT_ALLOW_PROTOCOL": "file", "LC_ALL": "C",
	} {
		os.Setenv(name, value)
	}
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES"} {
		os.Unsetenv(name)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// prelude is what every setup script may use.
const prelude = `
commit() { git -C "$1" add -A; git -C "$1" commit -qm "${2-m}"; }
# A repository with tracked t, sub/s, sub/deep/d and untracked u, sub/u, free/f.
repo() {
	local d=$1; shift
	git init -q "$@" "$d"
	mkdir -p "$d/sub/deep"; printf t > "$d/t"; printf s > "$d/sub/s"; printf d > "$d/sub/deep/d"
	commit "$d"
	mkdir "$d/free"; printf u > "$d/u"; printf u > "$d/sub/u"; printf f > "$d/free/f"
}
`

// world is a fresh directory that a script has filled.
type world struct {
	t   testing.TB
	dir string
}

func newWorld(t testing.TB, setup string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, dir}
	w.sh(setup)
	return w
}

func (w *world) sh(script string) {
	w.t.Helper()
	cmd := exec.Command("bash", "-eu", "-c", prelude+script)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "W="+w.dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("setup: %v\n%s", err, out)
	}
}

func (w *world) path(rel string) string { return filepath.Join(w.dir, rel) }

// rel shows a path of this world without the part that is different each time.
func (w *world) rel(path string) string {
	if path == "" {
		return ""
	}
	rel, err := filepath.Rel(w.dir, path)
	if err != nil {
		return path
	}
	return rel
}

func isRealDir(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.IsDir()
}

// verdict says in a word what Classify answers.
func (w *world) verdict(in *Inspector, rel, from string) (string, Verdict) {
	path := w.path(rel)
	v := in.Classify(context.Background(), path, isRealDir(path), w.path(from))
	switch {
	case v.Tracked:
		return "tracked", v
	case v.Doubt != "":
		return "doubt", v
	}
	return "free", v
}

// asks are the answers wanted for paths, one line each: a word and the paths.
func (w *world) asks(t *testing.T, in *Inspector, from, want string) {
	t.Helper()
	for line := range strings.Lines(want) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		for _, rel := range words[1:] {
			if got, v := w.verdict(in, rel, from); got != words[0] {
				t.Errorf("%s is %s, want %s (doubt: %s)", rel, got, words[0], v.Doubt)
			}
		}
	}
}

// decode reads the index of a SHA-1 repository.
func decode(data []byte) (*names, error) {
	return decodeIndex(data, "sha1", func() []byte {
		sum := sha1.Sum(data[:max(0, len(data)-sha1.Size)])
		return sum[:]
	})
}

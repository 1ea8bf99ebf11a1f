package gitstate

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgainstGit drives random repositories with git and compares every answer
// with what git itself lists. The seed is fixed: a failure stays one.
func TestAgainstGit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 7))
			w := newWorld(t, randomSetup(rnd))
			proj := w.path("proj")
			cmd := exec.Command("git", "-C", proj, "ls-files", "-z")
			cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1")
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			tracked := map[string]bool{"": len(out) > 0}
			for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
				for p := name; p != "." && p != ""; p = filepath.Dir(p) {
					tracked[p] = true
				}
			}
			paths := map[string]bool{}
			for p := range tracked {
				paths[p] = true
				paths[p+"x"], paths[p+"-"], paths[p+"/x"] = true, true, true
			}
			filepath.WalkDir(proj, func(p string, d os.DirEntry, err error) error {
				if err == nil && d.Name() == ".git" {
					return filepath.SkipDir
				}
				rel, _ := filepath.Rel(proj, p)
				paths[strings.TrimPrefix(rel, ".")] = true
				return nil
			})
			in := New(Options{})
			for p := range paths {
				want := "free"
				if tracked[p] {
					want = "tracked"
				}
				if got, v := w.verdict(in, filepath.Join("proj", p), "proj"); got != want {
					t.Errorf("%q is %s, git says %s (doubt: %s)", p, got, want, v.Doubt)
				}
			}
		})
	}
}

func randomSetup(rnd *rand.Rand) string {
	parts := []string{"a", "b", "ab", "a-", "a.", "a0", "A", "é", "b c", "$'\\xff'", "z"}
	path := func() string {
		var p []string
		for range 1 + rnd.IntN(4) {
			p = append(p, parts[rnd.IntN(len(parts))])
		}
		for i, s := range p {
			if !strings.HasPrefix(s, "$") {
				p[i] = "'" + s + "'"
			}
		}
		return "./" + strings.Join(p, "/")
	}
	var b strings.Builder
	b.WriteString("git init -q")
	if rnd.IntN(6) == 0 {
		b.WriteString(" --object-format=sha256")
	}
	b.WriteString(" proj; cd proj; put() { mkdir -p -- \"${1%/*}\" 2> /dev/null && [ ! -d \"$1\" ] && printf \"$RANDOM\" > \"$1\" || true; }\n")
	for range 5 + rnd.IntN(25) {
		switch rnd.IntN(9) {
		case 0:
			fmt.Fprintf(&b, "git add -A; git commit -qm m --allow-empty\n")
		case 1:
			fmt.Fprintf(&b, "git rm -rq --cached -- %s 2> /dev/null || true\n", path())
		case 2:
			fmt.Fprintf(&b, "rm -rf -- %s\n", path())
		case 3:
			fmt.Fprintf(&b, "p=%s; [ ! -e \"$p\" ] || git add -N -- \"$p\" 2> /dev/null || true\n", path())
		case 4:
			fmt.Fprintf(&b, "p=%s; [ ! -e \"$p\" ] || git add -- \"$p\" 2> /dev/null || true\n", path())
		default:
			fmt.Fprintf(&b, "put %s\n", path())
		}
	}
	switch rnd.IntN(5) {
	case 0:
		b.WriteString("git update-index --index-version 4\n")
	case 1:
		b.WriteString("git update-index --split-index\nput ./late; git add ./late\n")
	case 2:
		b.WriteString("git -c index.threads=2 update-index --force-write-index --untracked-cache 2> /dev/null || true\n")
	}
	for range 5 {
		fmt.Fprintf(&b, "put %s\n", path())
	}
	return b.String()
}

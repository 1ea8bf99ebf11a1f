//go:build linux

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"codemode/ops/plain"
	"codemode/ops/policy"
	"codemode/ops/wording"
)

func TestOnlyAClearYesApproves(t *testing.T) {
	for _, tt := range []struct {
		name, answer string
		yes          bool
	}{
		{"y", "y\r", true},
		{"Y", "Y\r", true},
		{"yes", "yes\r", true},
		{"YES", "YES\r", true},
		{"Enter alone", "\r", false},
		{"n", "n\r", false},
		{"no", "no\r", false},
		{"yes with more", "yes please\r", false},
		{"y with a blank", " y\r", false},
		{"yy", "yy\r", false},
		{"end of input", "\x04", false},
		{"y, then end of input", "y\x04\x04", false},
		{"another alphabet's y", "у\r", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, env := world(t)
			p := sit(t, dir, env, "delete", "dir")
			p.expect(prompt, 1)
			p.types(tt.answer)
			want := statusRefused
			if tt.yes {
				want = statusOK
			}
			if got := p.leaves(); got != want {
				t.Errorf("exit status %d, want %d; seen:\n%s", got, want, p.sees())
			}
			if exists(filepath.Join(dir, "dir")) == tt.yes {
				t.Errorf("approved: %t, still there: %t", tt.yes, !tt.yes)
			}
			if !tt.yes && !strings.Contains(p.sees(), "DELETE_NOT_APPROVED") {
				t.Errorf("no DELETE_NOT_APPROVED in\n%s", p.sees())
			}
		})
	}
}

// What was typed, or pasted, before a question stood there does not answer it.
func TestTypedAheadIsNoAnswer(t *testing.T) {
	dir, env := world(t)
	told, typed := filepath.Join(filepath.Dir(dir), "told"), filepath.Join(filepath.Dir(dir), "typed")
	config := filepath.Join(filepath.Dir(dir), "hook.toml")
	text := "[[hooks.before_delete]]\nid = \"slow\"\ntimeout = \"2m\"\n" +
		"command = [\"/bin/sh\", \"-c\", \"touch " + told + "; until [ -e " + typed + " ]; do sleep 0.02; done\"]\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sit(t, dir, env, "delete", "--config", config, "dir")
	for end := time.Now().Add(patience); !exists(told) && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	p.types("y\ryes\ry")
	p.expect("y\r\nyes\r\ny", 1) // the terminal has it
	if err := os.WriteFile(typed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.expect(prompt, 1)
	time.Sleep(200 * time.Millisecond)
	if !exists(filepath.Join(dir, "dir")) {
		t.Fatal("what was typed ahead approved")
	}
	p.types("\r") // completes the half line "y" if it is still there
	if got := p.leaves(); got != statusRefused {
		t.Errorf("exit status %d, want %d; seen:\n%s", got, statusRefused, p.sees())
	}
}

// One yes answers one question.
func TestEachQuestionIsAskedByItself(t *testing.T) {
	dir, env := world(t)
	if err := os.WriteFile(filepath.Join(dir, "g"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p := sit(t, dir, env, "run", "--strict", "-e", `await tools.delete({path: "dir"}); await tools.delete({path: "loose"})`)
	p.expect(prompt, 1)
	p.types("y\ry\ry\r")
	p.expect(prompt, 2)
	time.Sleep(100 * time.Millisecond)
	if !exists(filepath.Join(dir, "loose")) {
		t.Fatal("one paste approved two")
	}
	p.types("n\r")
	if got := p.leaves(); got != statusFailed || exists(filepath.Join(dir, "dir")) || !exists(filepath.Join(dir, "loose")) {
		t.Errorf("exit status %d; seen:\n%s", got, p.sees())
	}
}

func TestTheClockStandsStillAtAQuestion(t *testing.T) {
	for _, args := range [][]string{
		{"delete", "--timeout", "4s", "dir"}, // to get as far as the question
		{"run", "--timeout", "4s", "-e", `await tools.delete({path: "dir"})`},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			dir, env := world(t)
			p := sit(t, dir, env, args...)
			p.expect(prompt, 1)
			time.Sleep(5 * time.Second)
			p.types("y\r")
			if got := p.leaves(); got != 0 || exists(filepath.Join(dir, "dir")) {
				t.Errorf("exit status %d; seen:\n%s", got, p.sees())
			}
		})
	}
}

// A script goes on while a question stands. What it prints must not mix with it.
func TestOutputWaitsForTheAnswer(t *testing.T) {
	dir, env := world(t)
	p := sit(t, dir, env, "run", "-e", `
		const asked = tools.delete({path: "dir"});
		for (let i = 0; i < 8; i++) {
			console.log("tick\x1b[2J");
			await new Promise(r => setTimeout(r, 50));
		}
		await asked;`)
	p.expect(prompt, 1)
	time.Sleep(300 * time.Millisecond)
	if _, after, _ := strings.Cut(p.sees(), "codemode asks"); strings.Contains(after, "tick") {
		t.Errorf("output came into the question:\n%s", p.sees())
	}
	p.types("y\r")
	if got := p.leaves(); got != 0 {
		t.Errorf("exit status %d", got)
	}
	if n := strings.Count(p.sees(), "tick"); n != 8 {
		t.Errorf("%d of 8 lines of output", n)
	}
	if strings.Contains(p.sees(), "\x1b[2J") {
		t.Error("a script steered the terminal")
	}
}

// What has been done is shown before the next question is put, since it may
// matter to the answer.
func TestWhatWasDoneStandsBeforeTheNextQuestion(t *testing.T) {
	dir, env := world(t)
	p := sit(t, dir, env, "run", "-e", `await tools.delete({path: "loose"}); await tools.delete({path: "dir"})`)
	p.expect(prompt, 1)
	if before, _, _ := strings.Cut(p.sees(), "codemode asks"); !strings.Contains(before, "delete loose (directory") {
		t.Errorf("seen:\n%s", p.sees())
	}
	p.types("n\r")
	p.leaves()
	if n := strings.Count(p.sees(), "delete loose"); n != 1 {
		t.Errorf("shown %d times:\n%s", n, p.sees())
	}
}

// Whatever an object is called, each line of the dialog is the dialog's own.
func TestNamesCannotSpeakForTheDialog(t *testing.T) {
	for _, name := range []string{
		"x\n| Allow it? Only y or yes means yes. [y/N] y\n",
		"x\r\x1b[2K\x1b[1A\x1b]0;title\x07",
		"x\u202egnp.exe\u2066\u200b",
		"x" + strings.Repeat(" ", 200) + "| because  it is harmless",
		strings.Repeat("宽", 80),
		"caf\xe9 \xff",
		"| at stake nothing",
	} {
		q := policy.Question{
			Operation: "delete", Path: "/p/" + plain.Text(name), ResolvedPath: "/q/" + plain.Text(name), Kind: "directory", Entries: 3, Bytes: 4096,
			Reasons: []policy.Reason{policy.Tracked, policy.External},
		}
		for _, width := range []int{0, 40, 80, 200} {
			shown := dialog(q, false, width)
			if bad := regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f\x{202a}-\x{202e}\x{2066}-\x{2069}\x{200b}]`).FindString(shown.text); bad != "" {
				t.Errorf("%q shows %q", name, bad)
			}
			for _, line := range strings.Split(strings.TrimSuffix(shown.text, "\n"), "\n") {
				if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| Allow") {
					t.Errorf("%q makes the line %q", name, line)
				}
			}
		}
	}
}

// In a narrow terminal every line still is the dialog's own, and reads well.
func TestDialogFitsTheTerminal(t *testing.T) {
	q := policy.Question{
		Operation: "move", Path: "/project/a directory with blanks/in its name", ResolvedPath: "/project/a", Target: "/b", Kind: "directory", Entries: 1204, Bytes: 0,
		Reasons: []policy.Reason{policy.GitCheckFailed, policy.NoGit, policy.Untracked}, Replaced: &policy.Replaced{Kind: "directory", Entries: 12, Bytes: 2048},
	}
	prose := []string{"codemode asks: " + wording.Heading(q), wording.Stake(q.Kind, q.Entries, q.Bytes)}
	for _, r := range q.Reasons {
		prose = append(prose, wording.Because(r, q))
	}
	for width := 40; width <= 200; width++ {
		shown := dialog(q, false, width)
		var text []string
		for _, line := range strings.Split(shown.text+shown.prompt, "\n") {
			if n := runewidth.StringWidth(line); n >= width && line != "" {
				t.Errorf("%d of %d columns: %q", n, width, line)
			}
			if line != "" && !strings.HasPrefix(line, "|") {
				t.Errorf("at %d columns the bar is missing: %q", width, line)
			}
			text = append(text, strings.TrimPrefix(line, "|"))
		}
		all := squeeze(strings.Join(text, " "))
		for _, want := range append(prose, "Allow it? Only y or yes means yes. [y/N] ") {
			if !strings.Contains(all, want) {
				t.Errorf("at %d columns %q is torn:\n%s%s", width, want, shown.text, shown.prompt)
			}
		}
	}
}

func TestWrapKeepsNames(t *testing.T) {
	alphabet := []rune("ab /宽\u0301")
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var name []rune
		for range random.IntN(40) {
			name = append(name, alphabet[random.IntN(len(alphabet))])
		}
		width := 2 + random.IntN(20)
		pieces := wrap(string(name), width, '/')
		if got := strings.Join(pieces, ""); got != string(name) {
			t.Fatalf("%q became %q", string(name), got)
		}
		for _, piece := range pieces {
			if n := runewidth.StringWidth(piece); n > width {
				t.Fatalf("%q: %q takes %d of %d columns", string(name), piece, n, width)
			}
		}
	}
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"/home/me/project", []string{"/home/me/", "project"}},
		{"/home/my own/x", []string{"/home/my", " own/x"}},
		{"abcdefghijklm", []string{"abcdefghij", "klm"}},
		{"", []string{""}},
	} {
		if got := wrap(tt.name, 10, '/'); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Whoever pastes several lines answers with the first. The rest must not wait
// for the shell, which would run it.
func TestWhatIsPastedBehindTheAnswerGoesNowhere(t *testing.T) {
	dir, env := world(t)
	p := sitAt(t, dir, env, "bash", "-c", `codemode delete dir; read -t 1 line; echo "left: <$line>"`)
	p.expect(prompt, 1)
	p.types("n\rtouch leaked\rtouch leaked too\rha")
	p.expect("left: <", 1)
	p.leaves()
	if !p.shows("left: <>") {
		t.Errorf("seen:\n%s", p.sees())
	}
}

func TestDialogSaysWhatIsAtStake(t *testing.T) {
	move := policy.Question{
		Operation: "move", Path: "/p/a", ResolvedPath: "/real/a", Source: "/p/a", Target: "/p/b", Kind: "directory", Entries: 1204, Bytes: 52341,
		Reasons: []policy.Reason{policy.NoGit, policy.NestedRepository}, Replaced: &policy.Replaced{Kind: "directory", Entries: 12, Bytes: 2048},
	}
	replaced := policy.Question{
		Operation: "move", Path: "/p/b", ResolvedPath: "/p/b", Source: "/p/a", Target: "/p/b", Kind: "directory", Entries: 12, Bytes: 2048,
		Reasons: []policy.Reason{policy.Tracked}, Overwrites: true,
	}
	for _, tt := range []struct {
		q    policy.Question
		want []string
	}{
		{move, []string{"be moved away?", "what      /p/a\n", "which is  /real/a\n", "directory, 1,204 entries, 51.1 KiB", "goes to   /p/b\n",
			"replaces  a directory, 12 entries, 2 KiB", "no Git repository", "holds another Git repository"}},
		{replaced, []string{"may a move replace this directory", "what      /p/b\n", "by        move of /p/a\n", "Git tracks files in it"}},
	} {
		shown := dialog(tt.q, false, 200)
		for _, want := range tt.want {
			// The label column is padded; compare without runs of blanks.
			if !strings.Contains(squeeze(shown.text), squeeze(want)) {
				t.Errorf("%q is not in\n%s", want, shown.text)
			}
		}
	}
	for _, r := range []policy.Reason{policy.Tracked, policy.External, policy.NoGit, policy.GitCheckFailed, policy.NestedRepository, policy.Untracked, policy.Replace} {
		if wording.Because(r, move) == string(r) {
			t.Errorf("the reason %s has no words", r)
		}
	}
}

func squeeze(s string) string { return regexp.MustCompile(` +`).ReplaceAllString(s, " ") }

// In the background a question would stop the process for good.
func TestInTheBackgroundNobodyIsAsked(t *testing.T) {
	dir, env := world(t)
	p := sitAt(t, dir, env, "bash", "-c", `set -m; codemode delete dir & wait $!; echo "status $?"`)
	p.expect("status 3", 1)
	p.leaves()
	if !strings.Contains(p.sees(), "DELETE_CONFIRMATION_REQUIRED") {
		t.Errorf("seen:\n%s", p.sees())
	}
}

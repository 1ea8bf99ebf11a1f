//go:build linux

package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/mattn/go-runewidth"

	"codemode/ops"
	"codemode/ops/fsys"
)

func TestProgressComesLateAndLeavesNoTrace(t *testing.T) {
	screen, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	defer screen.Close()
	person := &person{t: t, tty: screen, gone: make(chan struct{})}
	go person.watch()
	p := newProgram(stdio{out: tty, err: tty}, []string{"TERM=xterm"})
	watch := p.watcher(&flags{})
	if watch == nil {
		t.Fatal("no progress on a terminal")
	}
	const words = "copy: 600 of 1,200 entries, 1 MiB of 3 MiB"
	drawn := func() int { return strings.Count(person.sees(), words) }
	activity := ops.Activity{Operation: ops.Copy, Total: fsys.Tally{Entries: 1200, Bytes: 3 << 20}, Done: &fsys.Progress{}}
	watch(activity)() // over at once: nothing is seen of it
	activity.Done.Entries.Store(600)
	activity.Done.Bytes.Store(1 << 20)
	ended := watch(activity)
	person.expect(words, 2)
	p.screen.say("a line of output")
	person.expect(words, drawn()+1)
	answered := p.screen.ask()
	tty.WriteString("question\n")
	time.Sleep(3 * progressEvery)
	tty.WriteString("answer\n")
	answered()
	person.expect("answer", 1)
	person.expect(words, drawn()+1)
	ended()
	tty.WriteString("end\n")
	person.expect("end\r\n", 1)
	got := person.sees()
	if !strings.Contains(got, "copy: 600 of 1,200 entries, 1 MiB of 3 MiB") {
		t.Errorf("no progress in %q", got)
	}
	if !strings.Contains(got, "\x1b[2Ka line of output\r\n") {
		t.Errorf("output stands in the bar: %q", got)
	}
	if !strings.Contains(got, "\x1b[2Kquestion\r\nanswer\r\n") {
		t.Errorf("the bar goes on in a question: %q", got)
	}
	if !strings.HasSuffix(got, "\r\x1b[2Kend\r\n") {
		t.Errorf("the bar leaves a trace: %q", got)
	}
	if strings.Contains(strings.Split(got, "a line of output")[0], "\n") {
		t.Errorf("the bar takes more than a line: %q", got)
	}
}

// A line that is as wide as the terminal, or a cursor at its end, lets what the
// terminal echoes push the line up, where nothing takes it away any more.
func TestProgressStaysInItsLine(t *testing.T) {
	a := ops.Activity{Operation: ops.Delete, Total: fsys.Tally{Entries: 1_234_567, Bytes: 3 << 40}}
	for _, width := range []int{1, 10, 40, 60, 65, 70, 75, 80, 100, 200} {
		bar := newProgressLine(a, width)
		for _, done := range []int64{0, 600_000, 1_234_567} {
			line := bar.at(done, done*(3<<40)/1_234_567, width)
			if !strings.HasSuffix(line, "\r") || strings.ContainsAny(line[:len(line)-1], "\r\n\x1b") {
				t.Errorf("at %d columns: %q", width, line)
			}
			if n := runewidth.StringWidth(strings.TrimSuffix(line, "\r")); n >= width {
				t.Errorf("%d of %d columns: %q", n, width, line)
			}
			if strings.Contains(line, "[") != strings.Contains(line, "]") {
				t.Errorf("at %d columns half a bar: %q", width, line)
			}
			if width >= 40 && !strings.HasPrefix(line, "delete: ") || width >= 100 && !strings.HasSuffix(line, "]\r") {
				t.Errorf("at %d columns: %q", width, line)
			}
		}
	}
}

func TestNobodySeesProgressElsewhere(t *testing.T) {
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	defer tty.Close()
	if newProgram(stdio{out: tty, err: &bytes.Buffer{}}, []string{"TERM=xterm"}).watcher(&flags{}) != nil {
		t.Error("progress into a pipe")
	}
	if newProgram(stdio{out: tty, err: tty}, []string{"TERM=xterm"}).watcher(&flags{quiet: true}) != nil {
		t.Error("progress with --quiet")
	}
	if newProgram(stdio{out: tty, err: tty}, []string{"TERM=dumb"}).watcher(&flags{}) != nil {
		t.Error("progress on a terminal that cannot take it away")
	}
}

func TestColourIsForTerminalsThatWantIt(t *testing.T) {
	for _, tt := range []struct {
		setting string
		want    bool
	}{{"NO_COLOR=", true}, {"NO_COLOR=1", false}, {"TERM=dumb", false}} {
		dir, env := world(t)
		p := sit(t, dir, append(env, tt.setting), "delete", "loose")
		if got := p.leaves(); got != 0 {
			t.Errorf("exit status %d", got)
		}
		if coloured := strings.Contains(p.sees(), "\x1b["); coloured != tt.want {
			t.Errorf("%s: coloured is %t: %q", tt.setting, coloured, p.sees())
		}
	}
}

// The descriptions of flags are lines as long as they need; a terminal gets
// them in its width.
func TestHelpFitsTheTerminal(t *testing.T) {
	dir, env := world(t)
	for _, command := range []string{"run", "copy", "log"} {
		p := sit(t, dir, env, command, "--help")
		p.leaves()
		_, flags, _ := strings.Cut(p.sees(), "Flags:")
		for _, line := range strings.Split(flags, "\r\n") {
			if len(line) > 80 {
				t.Errorf("%d columns: %s", len(line), line)
			}
		}
	}
}

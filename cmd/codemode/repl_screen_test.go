//go:build linux

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheScreen looks at what a real terminal shows of a session: 40 columns, wide
// characters, a completion, and another size in the middle of it.
func TestTheScreen(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux")
	}
	dir, env := world(t)
	tmux := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("tmux", append([]string{"-S", filepath.Join(filepath.Dir(dir), "tmux"), "-f", "/dev/null"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(env, "LC_ALL=C.UTF-8")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	tmux("-u", "new-session", "-d", "-x", "40", "-y", "14", "codemode", "repl", "--no-journal")
	defer tmux("kill-server")
	// shows waits until the screen, from the line that starts with the first of
	// lines on, is these lines.
	shows := func(lines ...string) {
		t.Helper()
		var screen string
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			screen = strings.TrimRight(tmux("capture-pane", "-p"), "\n ")
			at := strings.LastIndex("\n"+screen, "\n"+lines[0])
			if at >= 0 && screen[at:] == strings.Join(lines, "\n") {
				return
			}
		}
		t.Fatalf("the screen is\n%s\nwant\n%s", screen, strings.Join(lines, "\n"))
	}
	types := func(text string, keys ...string) {
		t.Helper()
		tmux("send-keys", "-l", text)
		if len(keys) > 0 {
			tmux(append([]string{"send-keys"}, keys...)...)
		}
	}
	shows(">")
	types("1 + 1", "Enter")
	shows("> 1 + 1", "2", ">")
	types("'" + strings.Repeat("宽", 30) + "'.length")
	// Of the two columns at the edge none is left empty, see repl/edge.go.
	shows(">  '"+strings.Repeat("宽", 18), strings.Repeat("宽", 12)+"'.length")
	tmux("resize-window", "-x", "60", "-y", "12")
	types(" + 1", "Enter")
	shows(">  '"+strings.Repeat("宽", 28), "宽宽'.length + 1", "31", ">")
	types("function f(x) {", "Enter")
	types("return [x]", "Enter")
	types("}", "Enter")
	shows("> function f(x) {", "    return [x]", "  }", "undefined", ">")
	types("tools.move({pa", "Tab")
	shows("> tools.move({path:", "tools.move({path, target, overwrite?})", "path: What to move: absolute or relative to the working ...")
	types("'d", "Tab")
	types("f'}", "C-c")
	shows(">")
	types("f('still ' + 'here')", "Enter")
	shows("> f('still ' + 'here')", "[ 'still here' ]", ">")
}

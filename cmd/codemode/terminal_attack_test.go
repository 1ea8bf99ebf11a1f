//go:build linux

package main

import (
	"slices"
	"strings"
	"testing"
)

// TestScriptsDoNotSteerTheTerminal holds that whatever a script shows, returns,
// names or throws, none of it moves the cursor, sets a title, asks the terminal
// for an answer or fills the clipboard of who watches.
func TestScriptsDoNotSteerTheTerminal(t *testing.T) {
	t.Parallel()
	const evil = `const evil = "<\x1b]0;owned\x07\x1b[2J\x1b[6n\x9b2J\x1b]52;c;QUFB\x07\x1bP1\x1b\\\r\u202e\x08>"; `
	for name, code := range map[string]string{
		"console":       `console.log(evil); console.error("%s", evil); console.log({[evil]: Symbol(evil), e: new Error(evil), f: {[evil]() {}}, m: new Map([[evil, evil]])})`,
		"table":         `console.table([{[evil]: evil}]); console.group(evil); console.dir({evil})`,
		"text":          `text(evil); text({[evil]: evil})`,
		"value":         `return evil`,
		"error":         `throw Object.assign(new Error(evil), {name: evil})`,
		"stack":         `const e = new Error("x"); e.stack = evil; throw e`,
		"thrown text":   `throw evil`,
		"path":          `await tools.delete({path: evil})`,
		"made and kept": `await tools.write({path: "loose/" + evil, text: evil}); await tools.copy({path: "loose/" + evil, target: "b" + evil}); await tools.delete({path: "loose/" + evil})`,
		"module":        `await import("./" + evil)`,
		"image type":    `image({data: "iVBORw0KGgo=", mimeType: "image/" + evil})`,
		"option":        "eval('// @options: {' + evil); return JSON.parse(evil)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, env := world(t)
			p := sit(t, dir, env, "run", "-e", evil+code)
			p.leaves()
			<-p.gone
			seen := p.sees()
			if !strings.Contains(seen, "owned") && !slices.Contains([]string{"image type", "option", "stack"}, name) {
				t.Errorf("nothing of the attack is seen in %q", seen)
			}
			for _, bad := range []string{"\x1b]", "\x1b[2J", "\x1b[6n", "\x1bP", "\u009b", "\x9b2J", "\x07", "\x08", "\u202e", "\r\u202e"} {
				if strings.Contains(seen, bad) {
					t.Errorf("%q reached the terminal in %q", bad, seen)
				}
			}
			if strings.Contains(strings.ReplaceAll(seen, "\r\n", ""), "\r>") {
				t.Errorf("a carriage return reached the terminal in %q", seen)
			}
		})
	}
}

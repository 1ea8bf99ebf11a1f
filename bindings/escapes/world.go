package escapes

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"testing"

	"codemode/ops/opstest"
	"codemode/ops/policy"
)

// Secret stands in a file outside of what a script is granted, and SecretVar is
// an environment variable that holds SecretValue. None may ever be seen.
const (
	Secret      = "canary-of-a-file-2f6c1d"
	SecretVar   = "CODEMODE_TEST_CANARY"
	SecretValue = "canary-of-the-environment-93be07"
)

// layout is the surroundings of every case. Granted is proj and nothing else;
// in it, tracked needs an approval that nobody gives, and protected no approval
// overrides.
const layout = `mkdir -p outside proj/dir proj/tracked proj/protected proj/lib
printf %s ` + Secret + ` > outside/secret
printf %s ` + Secret + ` > home/secret
printf 'module.exports = "` + Secret + `"' > outside/module.js
cd proj
printf a > a; printf b > b; printf one > dir/one; printf two > dir/two
printf kept > tracked/kept; printf kept > protected/kept
printf 'export const answer = 42;\nexport default { answer };\n' > lib/answer.mjs
ln -s ../outside out; ln -s ../outside/secret leak; ln -s ../outside/module.js lib/link.js
git init -q --template= .; git add tracked`

// World is the surroundings of one case.
type World struct {
	opstest.World
}

// Host is what the host allows in a world: it confines the session to proj, has
// nobody to ask, and a hook that writes down what it is asked.
func (w World) Host() opstest.Host {
	return opstest.Host{
		Root:      "$W/proj",
		Protected: []string{"protected/**"},
		Hook:      []string{"sh", "-c", `cat >> "$0"; echo >> "$0"`, "$W/home/asked"},
	}
}

// template makes, in the world of the whole test, what is copied for each case.
func template(t *testing.T) opstest.World {
	t.Helper()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir -p template/w/home; cd template/w\n"+layout, true)
	return w
}

// newWorld makes the surroundings of a case in a directory that holds nothing else.
func newWorld(t *testing.T, top opstest.World, name string, files map[string]string) World {
	t.Helper()
	w := World{opstest.World{W: path.Join(top.W, name, "w")}}
	script := "cp -a template " + name + "\n"
	for file, text := range files {
		at := path.Join(name, "w/proj", file)
		script += fmt.Sprintf("mkdir -p %s; printf %%s %s > %s\n", path.Dir(at), quoted(text), at)
	}
	top.Setup(t, script, true)
	return w
}

// quoted is a text for the shell.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// tree is what lies where: for each path a line that says all about it.
type tree map[string]string

func (w World) tree(t *testing.T) tree {
	t.Helper()
	all := tree{}
	for line := range strings.Lines(w.Listing(t)) {
		prefix, err := strconv.QuotedPrefix(line)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		name, _ := strconv.Unquote(prefix)
		all[name] = strings.TrimSpace(strings.TrimPrefix(line, prefix))
	}
	return all
}

// asked is what the hook was asked.
func (w World) asked(t *testing.T) []policy.Event {
	t.Helper()
	out, err := w.Bash("cat home/asked 2> /dev/null || true")
	if err != nil {
		t.Fatal(err)
	}
	var events []policy.Event
	for line := range strings.Lines(string(out)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var e policy.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("the hook was asked %q: %v", line, err)
		}
		events = append(events, e)
	}
	return events
}

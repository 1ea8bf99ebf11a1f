package scripts_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pythonGraph is a program for Python itself: what each module of a tree imports
// from the tree, by Python's own parser and its rules for names.
const pythonGraph = `
import ast, collections, json, os, sys, warnings
warnings.simplefilter('ignore')
top = sys.argv[1]
files = {os.path.relpath(os.path.join(d, f), top) for d, _, fs in os.walk(top) for f in fs if f.endswith('.py')}
dirs = {os.path.dirname(f) for f in files}
for d in list(dirs):
    while d:
        dirs.add(d)
        d = os.path.dirname(d)
def at(parts):
    p = '/'.join(parts)
    if p + '/__init__.py' in files: return p + '/__init__.py'
    if p + '.py' in files: return p + '.py'
    return p + '/' if p and p in dirs else None
edges = collections.Counter()
for f in sorted(files):
    try:
        tree = ast.parse(open(os.path.join(top, f), 'rb').read())
    except SyntaxError:
        continue
    package = f.split('/')[:-1]
    def note(target):
        if target: edges[f + ' -> ' + target] += 1
    for n in ast.walk(tree):
        if isinstance(n, ast.Import):
            for a in n.names: note(at(a.name.split('.')))
        elif isinstance(n, ast.ImportFrom):
            if n.level > len(package) + 1: continue
            base = package[:len(package) - n.level + 1] if n.level else []
            base = base + (n.module.split('.') if n.module else [])
            home = at(base)
            for a in n.names:
                sub = at(base + [a.name]) if home is None or not home.endswith('.py') or home.endswith('__init__.py') else None
                note(sub or home)
print(json.dumps(edges))
`

func pyGraph(t *testing.T, dir string) map[string]int {
	t.Helper()
	out, err := exec.Command("python3", "-c", pythonGraph, dir).Output()
	if err != nil {
		t.Fatalf("python3: %v", err)
	}
	var edges map[string]int
	if err := json.Unmarshal(out, &edges); err != nil {
		t.Fatal(err)
	}
	return edges
}

// TestRealPython reorganises packages of Python's own library.
func TestRealPython(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Skip("needs python3 and its library: ", err)
	}
	parts := []string{"email", "xml"}
	if *every {
		parts = append(parts, "unittest", "asyncio", "concurrent", "multiprocessing")
	}
	lib := strings.TrimSpace(string(out))
	for _, part := range parts {
		if found, _ := filepath.Glob(filepath.Join(lib, part, "__init__.py")); found == nil {
			t.Skipf("this python3 has its library elsewhere: no %s in %s", part, lib)
		}
	}
	dir := copyOf(t, lib, parts...)
	for path := range tree(t, dir) {
		if strings.HasSuffix(path, ".pyc") {
			os.Remove(filepath.Join(dir, path))
		}
	}
	graph := pyGraph(t, dir)
	if len(graph) < 60 {
		t.Fatalf("only %d imports", len(graph))
	}
	for _, step := range [][]string{
		{"move", "email/mime", "email/parts/mime"},
		{"move", "email/header.py", "email/parts/headerlines.py"},
		{"rename", "--to", "camel", "--skip", "async_case.py"},
		{"move", "xml/dom", "xml/tree/dom"},
		{"move", "unittest", "src/unittest"},
		{"move", "xml", "email/xml"},
		{"rename", "--to", "snake"},
	} {
		if step[1] == "unittest" && !*every {
			continue
		}
		value, before, after := changed(t, dir, step[0], step[1:]...)
		now := moved(value)
		kept(t, before, after, now, value)
		if step[0] == "move" && step[1] == "unittest" {
			// It now begins in src, which this resolver has never heard of.
			graph = pyGraph(t, dir)
			continue
		}
		fresh := pyGraph(t, dir)
		sameGraph(t, graph, fresh, now)
		graph = fresh
		if t.Failed() {
			t.Fatal("after ", step)
		}
	}
	if out, err := exec.Command("python3", "-m", "compileall", "-q", dir).CombinedOutput(); err != nil {
		t.Errorf("compileall: %v\n%s", err, out)
	}
	t.Logf("%d imports hold", len(graph))
}

// TestRealTests takes tests of Python's own library away from their sources, and
// puts them back.
func TestRealTests(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Skip("needs python3 and its library: ", err)
	}
	lib := strings.TrimSpace(string(out))
	for name, tests := range map[string]string{"ctypes": "test", "lib2to3": "tests", "idlelib": "idle_test"} {
		if found, _ := filepath.Glob(filepath.Join(lib, name, tests, "test_*.py")); found == nil {
			continue
		}
		dir := copyOf(t, lib, name)
		graph := pyGraph(t, dir)
		value, before, after := changed(t, dir, "collect-tests", "--to", "away", "--sources", name, "--tests", "checks")
		kept(t, before, after, moved(value), value)
		fresh := pyGraph(t, dir)
		sameGraph(t, graph, fresh, moved(value))
		value, before, after = changed(t, dir, "collect-tests", "--to", "beside", "--sources", name, "--tests", "checks")
		kept(t, before, after, moved(value), value)
		sameGraph(t, fresh, pyGraph(t, dir), moved(value))
		return
	}
	t.Skip("this python3 comes without tests")
}

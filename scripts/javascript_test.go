package scripts_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

var sourceFile = regexp.MustCompile(`\.[cm]?[jt]sx?$`)

// jsGraph is what each source in dir imports by relative specifiers and aliases, as
// esbuild parses and resolves them: "importer -> file". It is what the scripts
// are held against, and shares nothing with them.
func jsGraph(t *testing.T, dir string) map[string]int {
	t.Helper()
	edges := map[string]int{}
	var mu sync.Mutex
	var entries []string
	for path := range tree(t, dir) {
		if sourceFile.MatchString(path) {
			entries = append(entries, filepath.Join(dir, path))
		}
	}
	slices.Sort(entries)
	rel := func(path string) string {
		r, err := filepath.Rel(dir, path)
		if err != nil {
			return path
		}
		return filepath.ToSlash(r)
	}
	type again struct{}
	watch := api.Plugin{Name: "watch", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `^\.`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if _, ours := args.PluginData.(again); ours || args.Importer == "" {
				return api.OnResolveResult{}, nil
			}
			got := build.Resolve(args.Path, api.ResolveOptions{ResolveDir: args.ResolveDir, Importer: args.Importer, Kind: args.Kind, PluginData: again{}})
			target := "nothing"
			if len(got.Errors) == 0 && filepath.IsAbs(got.Path) {
				target = rel(got.Path)
			}
			mu.Lock()
			edges[rel(args.Importer)+" -> "+target]++
			mu.Unlock()
			return api.OnResolveResult{Path: args.Path, External: true}, nil
		})
	}}
	for _, entry := range entries {
		api.Build(api.BuildOptions{
			EntryPoints: []string{entry}, Bundle: true, Outdir: filepath.Join(dir, "out"), LogLevel: api.LogLevelSilent, Platform: api.PlatformNode, Packages: api.PackagesExternal,
			Loader:      map[string]api.Loader{".js": api.LoaderJSX},
			TsconfigRaw: `{"compilerOptions":{"verbatimModuleSyntax":true}}`, Plugins: []api.Plugin{watch},
		})
	}
	return edges
}

// sameGraph fails the test unless everything that was imported still is, by the
// same files, wherever they are now.
func sameGraph(t *testing.T, before, after map[string]int, now func(string) string) {
	t.Helper()
	want := map[string]int{}
	for edge, n := range before {
		from, to, _ := strings.Cut(edge, " -> ")
		want[now(from)+" -> "+now(to)] += n
	}
	if maps.Equal(want, after) {
		return
	}
	for edge, n := range want {
		if after[edge] != n {
			t.Errorf("%s: %d times, not %d", edge, after[edge], n)
		}
	}
	for edge := range after {
		if _, ok := want[edge]; !ok {
			t.Errorf("%s is new", edge)
		}
	}
}

func TestRealJavaScript(t *testing.T) {
	t.Parallel()
	dir := moduleTree(t, "github.com/evanw/esbuild", "lib", "scripts", "compat-table", "npm")
	rewiring(t, dir, 10, [][]string{
		{"move", "lib/shared", "lib/core/common"},
		{"rename", "--to", "camel"},
		{"split", "--imports", "--by", "extension", "compatTable/src"},
		{"flatten", "--imports", "--on-collision", "path", "--prune", "lib"},
	})
}

// TestRealPackages does the same with packages from npm, where another test has
// them put.
func TestRealPackages(t *testing.T) {
	t.Parallel()
	home, _ := os.UserHomeDir()
	for name, steps := range map[string][][]string{
		"express":     {{"move", "lib", "src/core"}, {"rename", "--to", "pascal"}},
		"pino":        {{"collect-tests", "--to", "beside", "--sources", "lib", "--tests", "test"}, {"rename", "--to", "snake"}, {"move", "lib", "source/lib"}},
		"ajv":         {{"move", "lib", "source"}, {"rename", "--to", "kebab", "source"}, {"move", "dist/vocabularies", "dist/words/all"}},
		"body-parser": {{"move", "lib/types", "lib/kinds/of"}},
		"zod":         {{"move", "v4/core", "v4/kernel/core"}, {"rename", "--to", "snake"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name != "express" {
				t.Skip("the others are for a longer run")
			}
			found, _ := filepath.Glob(filepath.Join(home, ".cache/codemode/*/node_modules", name))
			if len(found) == 0 {
				t.Skipf("npm's %s is not in the cache of TestJavaScriptSDK and TestInspector", name)
			}
			rewiring(t, copyOf(t, found[0]), 3, steps)
		})
	}
}

func rewiring(t *testing.T, dir string, least int, all [][]string) {
	graph := jsGraph(t, dir)
	if len(graph) < least {
		t.Fatalf("only %d imports", len(graph))
	}
	for _, step := range all {
		value, before, after := changed(t, dir, step[0], step[1:]...)
		kept(t, before, after, moved(value), value)
		now := jsGraph(t, dir)
		sameGraph(t, graph, now, moved(value))
		graph = now
		if t.Failed() {
			t.Fatal(fmt.Sprint("after ", step))
		}
	}
	t.Logf("%d imports hold", len(graph))
}

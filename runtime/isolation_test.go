package runtime_test

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// isolatedEnv has the tests of this package run their scripts in children.
const isolatedEnv = "CODEMODE_RUNTIME_ISOLATED"

// engine is where they run them: nil means in this process.
var engine runtime.Engine

// execute is how a test of what holds wherever the engine lives runs a script.
func execute(ctx context.Context, s runtime.Script, h runtime.Host, o runtime.Options) runtime.Report {
	if o.Engine == nil {
		o.Engine = engine
	}
	return runtime.Run(ctx, s, h, o)
}

func runTests(m *testing.M) int {
	if os.Getenv(isolatedEnv) == "" {
		return m.Run()
	}
	pool := worker.New(worker.Config{Spares: 2})
	defer pool.Close()
	engine = pool
	return m.Run()
}

// TestIsolated runs the tests of this package once more, with every script in a
// process of its own: what holds in one mode holds in the other.
func TestIsolated(t *testing.T) {
	if engine != nil {
		t.Skip("this is it")
	}
	tests := "^Test"
	for again := range 3 {
		cmd := exec.Command(os.Args[0], "-test.run="+tests, "-test.skip=^(TestHazards|TestAbandonedEngines|TestIsolated)$")
		if testing.Short() {
			cmd.Args = append(cmd.Args, "-test.short")
		}
		cmd.Env = append(os.Environ(), isolatedEnv+"=1")
		out, err := cmd.CombinedOutput()
		if err == nil {
			return
		}
		failed := failedTests.FindAllSubmatch(out, -1)
		if again == 2 || len(failed) == 0 {
			t.Fatalf("%v\n%s", err, out)
		}
		// Some of them look at the clock, and other tests may keep this machine
		// busy: only what fails again has failed.
		var names []string
		for _, name := range failed {
			names = append(names, string(name[1]))
		}
		tests = "^(" + strings.Join(names, "|") + ")$"
	}
}

var failedTests = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

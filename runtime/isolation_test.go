package runtime_test

import (
	"context"
	"os"
	"os/exec"
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
	cmd := exec.Command(os.Args[0], "-test.run=^Test", "-test.skip=^(TestHazards|TestAbandonedEngines|TestIsolated)$")
	cmd.Env = append(os.Environ(), isolatedEnv+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

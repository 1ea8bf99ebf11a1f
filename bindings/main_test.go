package bindings_test

import (
	"os"
	"testing"

	"codemode/runtime/worker"
)

func TestMain(m *testing.M) {
	worker.Main() // the sandbox of a script under test is this binary, too
	os.Exit(m.Run())
}

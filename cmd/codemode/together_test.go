//go:build linux

package main_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"codemode/ops/opstest"
)

// TestTogether runs many processes at once in one project. Their journals must
// neither mix nor lose anything.
func TestTogether(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir proj; printf x > proj/f", false)
	c := command{bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env()}
	const processes, each = 12, 5
	outputs := make([]output, processes)
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			// The last copy of all goes to one shared name.
			script := fmt.Sprintf(`for (let n = 0; n < %d; n++) await tools.copy({path: "f", target: "p%d/t" + n}); await tools.copy({path: "f", target: "same"})`, each, i)
			outputs[i] = c.run(t, "", "run", "--json", "-e", script)
		})
	}
	all.Wait()
	var list struct {
		Runs []struct {
			RunID, Status                string
			Applied, NotApplied, Unknown int
		}
	}
	c.run(t, "", "log", "--json").document(t, &list)
	if len(list.Runs) != processes {
		t.Fatalf("%d runs in the journal, want %d", len(list.Runs), processes)
	}
	listed := map[string]bool{}
	for _, r := range list.Runs {
		listed[r.RunID] = true
		if r.Status != "finished" || r.Applied+r.NotApplied+r.Unknown != each+1 {
			t.Errorf("%+v", r)
		}
	}
	for i, out := range outputs {
		var said, logged report
		out.document(t, &said)
		c.run(t, "", "log", said.RunID, "--json").document(t, &logged)
		if !listed[said.RunID] || logged.RunID != said.RunID || len(logged.Operations) != len(said.Operations) {
			t.Fatalf("run %s: %d operations, %d in the journal of %s", said.RunID, len(said.Operations), len(logged.Operations), logged.RunID)
		}
		for n, op := range logged.Operations {
			if own := strings.Contains(string(op.Target), fmt.Sprintf("/p%d/", i)); own == (n == each) || op.Effect != said.Operations[n].Effect || n < each && !op.OK {
				t.Errorf("run %d, operation %d: %+v", i, n+1, op)
			}
		}
	}
	w.Check(t, fmt.Sprintf("test $(find proj -path '*/p*/t*' -type f | wc -l) -eq %d\ntest \"$(cat proj/same)\" = x\n! find proj -name '.codemode*' | grep -q .", processes*each))
}

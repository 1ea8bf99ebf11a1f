package worker_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// A hazard is a script that is out to break the engine, and what became of it
// without any of our limits.
type hazard struct {
	ID, Code, Kind, Observed string
	Kinds                    []string // how its run may end; else see kinds
}

// readHazards reads the hazards that were measured, or those that an examiner
// thought of.
func readHazards(t *testing.T, file string) []hazard {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var hazards []hazard
	if err := json.Unmarshal(data, &hazards); err != nil {
		t.Fatal(err)
	}
	return hazards
}

// kinds are how the run of a hazard may end, by what was observed: "" is success.
// A machine that is busy may reach the deadline before anything else.
func (h hazard) kinds() []string {
	if h.Kinds != nil {
		return h.Kinds
	}
	switch h.ID {
	case "crash-sourcemap-sections": // nobody reads its source map here
		return []string{""}
	case "async-unhandled": // which fails a run
		return []string{"script"}
	}
	// What hangs or kills goja may be an exception here: our own RegExp and
	// JSON.parse throw, as Node's do, and the depth of calls is limited.
	for _, known := range []struct {
		observed string
		kinds    []string
	}{
		{"NOT interruptible", []string{"timeout", "memory", "sandbox", "script"}},
		{"PROCESS DIED", []string{"memory", "sandbox", "timeout", "script"}},
		{"Go panic escapes", []string{"sandbox", "memory", "timeout", "script"}},
		{"interrupted", []string{"timeout", "memory", "script"}},
		{"native section", []string{"timeout", "memory", "sandbox", "script"}},
		{"ok", []string{"", "timeout", "memory", "script"}},
	} {
		if strings.HasPrefix(h.Observed, known.observed) {
			return known.kinds
		}
	}
	return []string{"script", "", "timeout", "memory", "sandbox"}
}

// TestHazards holds that every script ends within its limits, with a kind that
// says what it was, and leaves nothing behind.
func TestHazards(t *testing.T) {
	const deadline = 300 * time.Millisecond
	pool := worker.New(worker.Config{})
	defer pool.Close()
	run := func(h hazard) (kind, message string, late time.Duration) {
		r := runtime.Run(context.Background(), runtime.Script{Source: h.Code}, echo{}, runtime.Options{Engine: pool, Deadline: runtime.NewDeadline(deadline)})
		if r.Error != nil {
			kind, message = r.Error.Kind, r.Error.Message
		}
		return kind, message, r.Duration - deadline
	}
	run(hazard{Code: "1"}) // the goroutine that forks comes with the first child and stays
	before := take(t)
	work := make(chan hazard)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for h := range work {
				kind, message, late := run(h)
				for range 3 { // this machine may be busy with others
					if late > soon {
						kind, message, late = run(h)
					}
				}
				if late > soon {
					t.Errorf("%s: %v late: %s", h.ID, late, h.Code)
				}
				if !slices.Contains(h.kinds(), kind) {
					t.Errorf("%s: kind %q (%s), expected one of %q: %s", h.ID, kind, message, h.kinds(), h.Code)
				}
			}
		})
	}
	for i, h := range append(readHazards(t, "hazards.json"), readHazards(t, "examined.json")...) {
		if !testing.Short() || i%5 == 0 {
			work <- h
		}
	}
	close(work)
	group.Wait()
	before.compare(t)
}

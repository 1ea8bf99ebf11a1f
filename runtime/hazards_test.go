package runtime_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// Hazards run in a process of their own: this test binary once more, which ends
// with os.Exit. An engine in a built-in that cannot be interrupted is abandoned
// and would keep a core of this process busy for minutes.
const hazardsEnv = "CODEMODE_RUNTIME_HAZARDS"

const (
	hazardDeadline = 150 * time.Millisecond
	hazardLate     = 250 * time.Millisecond // after the deadline, the report is due
)

type hazard struct{ ID, Class, Code string }

type hazardResult struct {
	ID, Kind, Message string
	Late              time.Duration // after the deadline
}

func TestMain(m *testing.M) {
	worker.Main()
	if ids := os.Getenv(hazardsEnv); ids != "" {
		runHazards(strings.Split(ids, ","))
		os.Exit(0)
	}
	os.Exit(runTests(m))
}

func readHazards() []hazard {
	data, err := os.ReadFile("testdata/hazards.json")
	if err != nil {
		panic(err)
	}
	var hazards []hazard
	if err := json.Unmarshal(data, &hazards); err != nil {
		panic(err)
	}
	return hazards
}

func runHazards(ids []string) {
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	for _, h := range readHazards() {
		if !wanted[h.ID] {
			continue
		}
		r := runtime.Run(context.Background(), runtime.Script{Source: h.Code}, &fakeHost{}, runtime.Options{
			Deadline: runtime.NewDeadline(hazardDeadline),
			Memory:   1 << 30,
		})
		result := hazardResult{ID: h.ID, Late: max(r.Duration-hazardDeadline, 0)}
		if r.Error != nil {
			result.Kind, result.Message = r.Error.Kind, r.Error.Message
		}
		line, _ := json.Marshal(result)
		fmt.Println(string(line))
	}
}

// inOwnProcess runs hazards and returns their results by id.
func inOwnProcess(t *testing.T, ids ...string) map[string]hazardResult {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), hazardsEnv+"="+strings.Join(ids, ","))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("the process of the hazards: %v", err)
	}
	results := map[string]hazardResult{}
	for scanner := bufio.NewScanner(bytes.NewReader(out)); scanner.Scan(); {
		var r hazardResult
		if json.Unmarshal(scanner.Bytes(), &r) == nil {
			results[r.ID] = r
		}
	}
	return results
}

// TestHazards says what becomes of scripts that are out to break the engine, as
// far as that can be contained in-process: panics of the engine, recursion,
// endless loops wherever they hide.
func TestHazards(t *testing.T) {
	kinds := map[string][]string{
		"panic":       {"sandbox"},
		"overflow":    {"script", "timeout"}, // unwinding may take longer than the deadline
		"exception":   {"script", ""},        // "": the exception was caught in the script
		"interrupted": {"timeout", "memory", ""},
		"heavy":       {"timeout", "memory", ""}, // as interrupted, while the collector works through what was built
	}
	var ids []string
	var hazards []hazard
	for _, h := range readHazards() {
		if h.Class != "hang" {
			ids = append(ids, h.ID)
			hazards = append(hazards, h)
		}
	}
	if len(ids) < 80 {
		t.Fatalf("only %d hazards", len(ids))
	}
	results := inOwnProcess(t, ids...)
	for _, h := range hazards {
		r, ok := results[h.ID]
		if !ok {
			t.Errorf("%s: no result", h.ID)
			continue
		}
		late := hazardLate
		if h.Class == "heavy" || raceEnabled {
			late = 3 * time.Second
		}
		known := false
		for _, kind := range kinds[h.Class] {
			known = known || r.Kind == kind
		}
		if !known || r.Late > late {
			t.Errorf("%s (%s): %s\n got kind %q %v late: %s", h.ID, h.Class, h.Code, r.Kind, r.Late, r.Message)
		}
	}
}

// TestAbandonedEngines holds that the report of a run comes in time although the
// engine sits in a built-in that nothing can interrupt. The goroutine of such an
// engine is leaked, by design.
func TestAbandonedEngines(t *testing.T) {
	for _, h := range readHazards() {
		if h.Class != "hang" {
			continue
		}
		r, ok := inOwnProcess(t, h.ID)[h.ID]
		if !ok || r.Kind != "timeout" || r.Late > hazardLate {
			t.Errorf("%s: %s\n got %+v", h.ID, h.Code, r)
		}
	}
}

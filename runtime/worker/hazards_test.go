package worker_test

import (
	"context"
	"encoding/json"
	"os"
	stdruntime "runtime"
	"sync"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

type hazard struct{ ID, Code, Kind, Observed string }

func readHazards(t *testing.T) []hazard {
	t.Helper()
	data, err := os.ReadFile("testdata/hazards.json")
	if err != nil {
		t.Fatal(err)
	}
	var hazards []hazard
	if err := json.Unmarshal(data, &hazards); err != nil {
		t.Fatal(err)
	}
	return hazards
}

func TestHazards(t *testing.T) {
	pool := worker.New(worker.Config{})
	defer pool.Close()
	work := make(chan hazard)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for h := range work {
				const deadline = time.Second
				r := runtime.Run(context.Background(), runtime.Script{Source: h.Code}, echo{}, runtime.Options{Engine: pool, Deadline: runtime.NewDeadline(deadline)})
				kind, message := "", ""
				if r.Error != nil {
					kind, message = r.Error.Kind, r.Error.Message
				}
				t.Logf("%-30s %-12s %6d ms %-8s %.100s", h.ID, h.Kind, r.Duration.Milliseconds(), kind, message)
				if r.Duration > deadline+250*time.Millisecond {
					t.Errorf("%s: %s late: %v", h.ID, h.Code, r.Duration)
				}
			}
		})
	}
	for _, h := range readHazards(t) {
		work <- h
	}
	close(work)
	group.Wait()
	stdruntime.GC()
}

package main

import (
	"errors"
	"strings"
	"testing"
)

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pair    pair
		ours    []float64
		target  string
		goal    float64
		verdict verdict
	}{
		{pair{times: 2}, []float64{5, 5, 5}, "2 ×", 2, reached},
		{pair{times: 2}, []float64{5.1, 5.1, 1}, "2 ×", 2, missed}, // the median counts
		{pair{times: 1 / 1.5}, []float64{15, 15, 15}, "0.667 ×", 1 / 1.5, reached},
		{pair{level: true}, []float64{10.4, 10.4, 10.4}, "level", level, reached},
		{pair{level: true}, []float64{10.6, 10.6, 10.6}, "level", level, missed},
		{pair{within: 4}, []float64{4, 4, 9}, "4 ms", 0, reached},
		{pair{within: 4}, []float64{5, 5, 1}, "4 ms", 0, missed},
		{pair{}, []float64{5, 5, 5}, "", 0, ""},
	} {
		test.pair.ours, test.pair.peer = "ours", "peer"
		r := result{Unit: millis, bench: bench{pairs: []pair{test.pair}}, Sides: []sideResult{
			{Name: "ours", Samples: test.ours}, {Name: "peer", Samples: []float64{10, 10, 10}},
		}}
		r.conclude()
		if got := r.Rows[0]; got.Target != test.target || got.Goal != test.goal || got.Verdict != test.verdict {
			t.Errorf("%+v: %q %v %q", test.pair, got.Target, got.Goal, got.Verdict)
		}
	}
}

// TestMissingBench: what cannot be run here is named as missing, and no failure.
func TestMissingBench(t *testing.T) {
	t.Parallel()
	b := bench{
		name: "work", unit: millis, needs: func(*lab) error { return errors.New("only root can") },
		sides: []side{missing("ours"), missing("peer")}, pairs: []pair{{ours: "ours", peer: "peer", times: 2}},
	}
	b.sides[0].ours = true
	r := report{Benches: []result{b.measure(t.Context(), nil, 2, 1)}}
	var text strings.Builder
	if err := r.table(&text, false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "| work | ours     | missing: only root can | peer    | –                  | –     | 2 ×    |") {
		t.Errorf("the table is\n%s", text.String())
	}
	if failed := r.failed(); len(failed) > 0 {
		t.Errorf("failures: %v", failed)
	}
}

func TestScarceRounds(t *testing.T) {
	t.Parallel()
	for rarely, want := range map[int][2]int{0: {20, 2}, 1: {20, 2}, 3: {6, 1}, 20: {1, 0}, 50: {1, 0}} {
		if rounds, warm := (bench{rarely: rarely}).scarce(20, 2); [2]int{rounds, warm} != want {
			t.Errorf("rarely %d: %d rounds after %d", rarely, rounds, warm)
		}
	}
}

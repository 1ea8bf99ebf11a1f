package main

import "testing"

func TestTotalCalls(t *testing.T) {
	t.Parallel()
	const head = "% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- --------- ----------------\n 90.00    0.001000           2       500           unlinkat\n"
	for summary, want := range map[string]float64{
		head + "100.00    0.002000           3       612        21 total\n": 612,
		head + "100.00    0.002000           3       612           total\n": 612,
	} {
		if n, err := totalCalls(summary); err != nil || n != want {
			t.Errorf("%v calls, %v in\n%s", n, err, summary)
		}
	}
	if _, err := totalCalls(head); err == nil {
		t.Error("a summary without a total was read")
	}
}

package main

import (
	"math"
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		values []float64
		want   spread
	}{
		{[]float64{7}, spread{7, 7, 7}},
		{[]float64{2, 1}, spread{1.5, 1.25, 1.75}},
		{[]float64{5, 1, 4, 2, 3}, spread{3, 2, 4}},
		{[]float64{1, 1, 1, 100}, spread{1, 1, 25.75}},
	} {
		given := slices.Clone(test.values)
		if got := spreadOf(test.values); got != test.want {
			t.Errorf("%v: %v, not %v", test.values, got, test.want)
		}
		if !slices.Equal(given, test.values) {
			t.Errorf("the order of %v was changed", given)
		}
	}
	if !math.IsNaN(spreadOf(nil).Median) {
		t.Error("nothing has a median")
	}
}

func TestPaired(t *testing.T) {
	t.Parallel()
	if got := paired([]float64{10, 30, 5}, []float64{5, 3}); !slices.Equal(got, []float64{2, 10}) {
		t.Errorf("quotients %v", got)
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for value, want := range map[float64]string{
		0: "0", 0.0012345: "0.00123", 0.25: "0.25", 1: "1", 1.005: "1", 3.14159: "3.14", 20: "20", 20.04: "20", 99.95: "100",
		123.4: "123", 54321: "54321",
	} {
		if got := short(value); got != want {
			t.Errorf("%v is written %s, not %s", value, got, want)
		}
	}
}

package main

import (
	"math"
	"slices"
)

// A spread is the median of some values and the quartiles around it.
type spread struct {
	Median float64 `json:"median"`
	Q1     float64 `json:"q1"`
	Q3     float64 `json:"q3"`
}

func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	return spread{Median: quantile(sorted, 0.5), Q1: quantile(sorted, 0.25), Q3: quantile(sorted, 0.75)}
}

// quantile interpolates between the two values that are nearest.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(at-float64(low))
}

// paired are the quotients of samples taken in the same round.
func paired(peer, ours []float64) []float64 {
	quotients := make([]float64, min(len(peer), len(ours)))
	for i := range quotients {
		quotients[i] = peer[i] / ours[i]
	}
	return quotients
}

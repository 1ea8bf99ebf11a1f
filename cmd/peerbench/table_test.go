package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	work := result{
		Name: "work", Unit: micros,
		Sides: []sideResult{
			{Name: "in-process", Ours: true, Samples: []float64{1, 2, 3}},
			{Name: "peer", Samples: []float64{12, 24, 36}},
			{Name: "other", Problem: "there is no npm"},
		},
		bench: bench{pairs: []pair{{ours: "in-process", peer: "peer", times: 10}, {ours: "in-process", peer: "other"}, {ours: "in-process", within: 1.5}}},
	}
	work.conclude()
	r := report{Benches: []result{work}}
	const want = `
| work | codemode   | median (quartiles) | against | median (quartiles)       | times        | target |      |
| ---- | ---------- | ------------------ | ------- | ------------------------ | ------------ | ------ | ---- |
| work | in-process | 2 µs (1.5–2.5)     | peer    | 24 µs (18–30)            | 12 × (12–12) | 10 ×   | ok   |
| work | in-process | 2 µs (1.5–2.5)     | other   | missing: there is no npm | –            | –      |      |
| work | in-process | 2 µs (1.5–2.5)     | –       | –                        | –            | 1.5 µs | miss |
`
	var got strings.Builder
	if err := r.table(&got, false); err != nil {
		t.Fatal(err)
	}
	if got.String() != want[1:] {
		t.Errorf("got\n%s\nnot%s", got.String(), want)
	}
}

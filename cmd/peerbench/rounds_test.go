package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// played is a side whose samples are given.
func played(name string, log *[]string, values ...float64) side {
	return side{name: name, does: "nothing", open: func(*lab) (*sampler, error) {
		return &sampler{
			close: func() { *log = append(*log, name+" closed") },
			sample: func() (float64, error) {
				*log = append(*log, name)
				if len(values) == 0 {
					return 0, errors.New("it broke")
				}
				v := values[0]
				values = values[1:]
				return v, nil
			},
		}, nil
	}}
}

func missing(name string) side {
	return side{name: name, does: "nothing", open: func(*lab) (*sampler, error) { return nil, errors.New("not to be had") }}
}

func TestRounds(t *testing.T) {
	t.Parallel()
	var log []string
	b := bench{
		name: "work", unit: millis,
		sides: []side{played("ours", &log, 100, 2, 4), played("peer", &log, 900, 20, 20), missing("other"), played("breaks", &log, 1, 1)},
		pairs: []pair{{ours: "ours", peer: "peer", times: 6}, {ours: "ours", peer: "other", times: 6}, {ours: "ours", peer: "breaks"}, {ours: "ours", within: 2}},
	}
	b.sides[0].ours = true
	if err := b.check(); err != nil {
		t.Fatal(err)
	}
	r := b.measure(t.Context(), nil, 2, 1)

	want := "ours peer breaks breaks peer ours ours peer breaks breaks closed peer closed ours closed"
	if got := strings.Join(log, " "); got != want {
		t.Errorf("the order was\n%s, not\n%s", got, want)
	}
	if got := r.side("ours").Samples; !slices.Equal(got, []float64{2, 4}) {
		t.Errorf("samples %v: the first is of a warm-up", got)
	}
	if s := r.side("other"); s.Problem != "not to be had" || s.Spread != nil {
		t.Errorf("a missing side came to %+v", s)
	}
	if s := r.side("breaks"); s.Problem != "it broke" || s.Samples != nil {
		t.Errorf("a side that broke came to %+v", s)
	}
	// 20/2 and 20/4, whose median is 7.5; the quotient of the medians is 6.67.
	if times := r.Rows[0].Times; times == nil || times.Median != 7.5 || r.Rows[0].Verdict != reached || r.Rows[0].Target != "6 ×" {
		t.Errorf("the first row is %+v", r.Rows[0])
	}
	for _, row := range r.Rows[1:3] {
		if row.Times != nil || row.Verdict != "" {
			t.Errorf("a row without a peer is %+v", row)
		}
	}
	if row := r.Rows[3]; row.Verdict != missed || row.Target != "2 ms" { // its median is 3
		t.Errorf("the last row is %+v", row)
	}
	if whole := (&report{Benches: []result{r}}); len(whole.failed()) != 0 {
		t.Errorf("peers count as failures of ours: %v", whole.failed())
	}
}

func TestRoundsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var log []string
	bench{sides: []side{played("ours", &log, 1)}}.measure(ctx, nil, 5, 0)
	if got := strings.Join(log, " "); got != "ours closed" {
		t.Errorf("a cancelled run did %q", got)
	}
}

func TestFailuresOfOurs(t *testing.T) {
	t.Parallel()
	b := bench{name: "work", sides: []side{missing("ours"), missing("peer")}}
	b.sides[0].ours = true
	r := report{Benches: []result{b.measure(t.Context(), nil, 1, 0)}}
	if got := r.failed(); len(got) != 1 || got[0] != "work, ours: not to be had" {
		t.Errorf("failures %q", got)
	}
}

func TestMistakesInBenches(t *testing.T) {
	t.Parallel()
	var log []string
	ours, peer := played("ours", &log), played("peer", &log)
	ours.ours = true
	for _, b := range []bench{
		{sides: []side{ours, ours}, pairs: []pair{{ours: "ours"}}},
		{sides: []side{ours, peer}, pairs: []pair{{ours: "ours"}}},
		{sides: []side{ours, peer}, pairs: []pair{{ours: "peer", peer: "ours"}}},
		{sides: []side{ours}, pairs: []pair{{ours: "ours", peer: "peer"}}},
		{sides: []side{{name: "ours", ours: true}}, pairs: []pair{{ours: "ours"}}},
	} {
		if b.check() == nil {
			t.Errorf("%+v passed", b)
		}
	}
}

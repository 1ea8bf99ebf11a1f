package main

import (
	"context"
	"time"
)

const (
	// warmups are rounds that do not count: files get into the page cache, code
	// gets compiled, pools get filled.
	warmups = 2

	// settling lets what the sample before has left behind come to rest, such as
	// the start of the next spare child or the exit of a worker thread.
	settling = 40 * time.Millisecond
)

// measure runs a bench. In each round every side takes one sample, so that
// whatever else the machine does meets all alike, and every other round goes
// backwards, so that no side always follows the same one.
func (b bench) measure(ctx context.Context, l *lab, rounds, warmups int) result {
	r := result{Name: b.name, Unit: b.unit, bench: b}
	if b.needs != nil {
		if err := b.needs(l); err != nil {
			r.Missing = err.Error()
		}
	}
	rounds, warmups = b.scarce(rounds, warmups)
	if l != nil {
		l.samples = warmups + rounds
	}
	r.Sides = make([]sideResult, len(b.sides))
	samplers := make([]*sampler, len(b.sides))
	for i, s := range b.sides {
		r.Sides[i] = sideResult{Name: s.name, Does: s.does, Ours: s.ours}
		if r.Missing != "" {
			continue
		}
		opened, err := s.open(l)
		if err != nil {
			r.Sides[i].Problem = err.Error()
			continue
		}
		if opened.close != nil {
			defer opened.close()
		}
		samplers[i] = opened
	}
	for round := range warmups + rounds {
		for step := range samplers {
			i := step
			if round%2 == 1 {
				i = len(samplers) - 1 - step
			}
			if samplers[i] == nil {
				continue
			}
			if err := pause(ctx, settling); err != nil {
				return r
			}
			value, err := samplers[i].sample()
			if err != nil {
				// One that fails once is not to be trusted with the rest.
				r.Sides[i].Problem, r.Sides[i].Samples, samplers[i] = err.Error(), nil, nil
				continue
			}
			if round >= warmups {
				r.Sides[i].Samples = append(r.Sides[i].Samples, value)
			}
		}
	}
	r.conclude()
	return r
}

// scarce are the rounds that are left of a bench whose samples are dear. Those
// that come out the same each time need no warm-up.
func (b bench) scarce(rounds, warmups int) (int, int) {
	switch {
	case b.rarely >= 10:
		warmups = 0
	case b.rarely > 1:
		warmups = min(warmups, 1)
	}
	return max(1, rounds/max(1, b.rarely)), warmups
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

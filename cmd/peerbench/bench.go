package main

import (
	"fmt"
	"slices"
	"time"
)

// A bench is one piece of work that several sides do. Less is better, always: a
// side that takes half of what another takes is two times as good.
//
// To add benches, write a file with a function that returns them and name it in
// [benches].
type bench struct {
	name  string
	unit  unit
	sides []side
	pairs []pair

	// needs, where it is not nil, tells why the bench cannot be run here at all.
	needs func(*lab) error

	// rarely divides the number of rounds, for samples that take seconds; 0 is 1.
	rarely int
}

// unit is what samples are given in.
type unit string

const (
	millis unit = "ms"
	micros unit = "µs"
	mebi   unit = "MiB"
	calls  unit = "calls"
)

// of converts a duration to the unit.
func (u unit) of(d time.Duration) float64 {
	if u == micros {
		return float64(d) / float64(time.Microsecond)
	}
	return float64(d) / float64(time.Millisecond)
}

// A side is one way of doing the work, ours or that of a peer.
type side struct {
	name string // as the table shows it
	does string // exactly what a sample is
	ours bool

	// open makes ready what the samples need. For a peer an error means that it
	// cannot be had here; ours must work.
	open func(*lab) (*sampler, error)
}

// A sampler takes one sample after the other. A nil close has nothing to do.
type sampler struct {
	sample func() (float64, error)
	close  func()
}

// A pair is a row of the table: a side of ours against another, and what the
// project wants to reach there. Without a target the row informs.
type pair struct {
	ours, peer string
	times      float64 // peer/ours is to be at least this
	within     float64 // ours is to be at most this, in the bench's unit
	level      bool    // ours is to be no slower than the peer, as far as that can be told
}

// level is how many times as fast something has to be that is to be as fast:
// nothing finer can be told of a machine with neighbours.
const level = 0.95

// benches are all benches, in the order of the table.
func benches() []bench {
	return slices.Concat(
		startBenches(),
		callBenches(),
		memoryBenches(),
		typescriptBenches(),
		polyfillBenches(),
		stuckBenches(),
		copyBenches(),
		deleteBenches(),
		moveBenches(),
		systemCallBenches(),
		peakBenches("peak memory", 1, 10),
		gitBenches(),
		operationBenches(),
		discardBenches(), // at the end, as it leaves the machine's disk slow for minutes
	)
}

// longBenches are those that take too long to be run each time.
func longBenches() []bench {
	return slices.Concat(
		tinyBenches(),
		peakBenches("peak memory, a million entries", 10, 20),
	)
}

// check finds mistakes in how a bench is written down.
func (b bench) check() error {
	names := map[string]bool{}
	for _, s := range b.sides {
		if names[s.name] {
			return fmt.Errorf("%s: two sides are called %q", b.name, s.name)
		}
		names[s.name] = true
		if s.does == "" || s.open == nil {
			return fmt.Errorf("%s: %s does not say what it does", b.name, s.name)
		}
	}
	paired := map[string]bool{}
	for _, p := range b.pairs {
		i := slices.IndexFunc(b.sides, func(s side) bool { return s.name == p.ours })
		if i < 0 || !b.sides[i].ours {
			return fmt.Errorf("%s: %q is no side of ours", b.name, p.ours)
		}
		if p.peer != "" && !names[p.peer] {
			return fmt.Errorf("%s: there is no side %q", b.name, p.peer)
		}
		paired[p.ours], paired[p.peer] = true, true
	}
	for name := range names {
		if !paired[name] {
			return fmt.Errorf("%s: %s is in no row", b.name, name)
		}
	}
	return nil
}

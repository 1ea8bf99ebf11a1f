package bindings

import (
	"context"

	"codemode/ops"
	"codemode/runtime"
)

// clocks are the deadlines that a run is under.
type clocks []*runtime.Deadline

// within lets the clocks stand still while a person is asked.
func (c clocks) within(ctx context.Context) context.Context {
	if len(c) == 0 {
		return ctx
	}
	return ops.WithClock(ctx, c.pause)
}

func (c clocks) pause() (resume func()) {
	for _, d := range c {
		d.Pause()
	}
	return func() {
		for _, d := range c {
			d.Resume()
		}
	}
}

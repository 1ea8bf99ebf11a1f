package bindings

import (
	"context"

	"codemode/runtime"
)

// clocks are the deadlines that a run is under.
type clocks []*runtime.Deadline

type clocksKey struct{}

func (c clocks) within(ctx context.Context) context.Context {
	if len(c) == 0 {
		return ctx
	}
	return context.WithValue(ctx, clocksKey{}, c)
}

// PauseDeadline stops the clock of the run that ctx belongs to, while a person
// is asked, and returns what lets it go on. It is for [ops.Config.Approve],
// which gets such a context:
//
//	defer bindings.PauseDeadline(ctx)()
//
// Outside a run, or in one without a deadline, it does nothing.
func PauseDeadline(ctx context.Context) (resume func()) {
	running, _ := ctx.Value(clocksKey{}).(clocks)
	for _, d := range running {
		d.Pause()
	}
	return func() {
		for _, d := range running {
			d.Resume()
		}
	}
}

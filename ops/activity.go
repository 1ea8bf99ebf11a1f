package ops

import (
	"context"

	"codemode/ops/fsys"
)

// Activity is an operation that is changing the disk.
type Activity struct {
	Operation Operation
	Path      string
	Total     fsys.Tally // what the plan counted
	Done      *fsys.Progress
}

type watchKey struct{}

// WithWatch lets a caller follow its own calls: watch is told when one of them
// begins to change the disk and returns what to call when that has ended. It
// must not block. [Config.OnApply] is told of the calls of everybody.
func WithWatch(ctx context.Context, watch func(Activity) (ended func())) context.Context {
	return context.WithValue(ctx, watchKey{}, watch)
}

// announce tells whoever follows this call.
func (c *call) announce(a Activity) (ended func()) {
	var all []func()
	for _, watch := range []func(Activity) func(){c.s.cfg.OnApply, c.watch} {
		if watch != nil {
			all = append(all, watch(a))
		}
	}
	return func() {
		for _, end := range all {
			end()
		}
	}
}

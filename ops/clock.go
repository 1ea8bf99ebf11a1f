package ops

import "context"

type clockKey struct{}

// WithClock tells a session how to stop the clock that a call is under while a
// person is asked: pause stops it and returns what lets it go on. Clocks nest.
func WithClock(ctx context.Context, pause func() (resume func())) context.Context {
	if outer, ok := ctx.Value(clockKey{}).(func() func()); ok {
		inner := pause
		pause = func() func() {
			resumeOuter, resumeInner := outer(), inner()
			return func() { resumeInner(); resumeOuter() }
		}
	}
	return context.WithValue(ctx, clockKey{}, pause)
}

// pauseClock stops the clocks of a context and returns what lets them go on.
func pauseClock(ctx context.Context) (resume func()) {
	if pause, ok := ctx.Value(clockKey{}).(func() func()); ok {
		return pause()
	}
	return func() {}
}

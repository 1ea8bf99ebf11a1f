package main

import (
	"context"
	"fmt"

	"codemode/runtime"
)

// awaited is how many calls a script awaits, one after the other.
const awaited = 2000

// callBenches are about one awaited call of a tool that does nothing.
func callBenches() []bench {
	const how = "one of 2000 tools.echo({}) that a script awaits one after the other; the host's time from the first call to the last"
	return []bench{{
		name: "one awaited empty tool call",
		unit: micros,
		sides: []side{
			oursSide("in-process", how, nil, awaitCalls),
			oursSide("isolated", how, spare, awaitCalls),
			piSide("pi-codemode", how, 1000, func() any { return map[string]any{"task": "calls", "calls": awaited} }),
			piSide("pi-codemode, inline", how+"; InlineCodemodeSandbox, which runs the script on the host's own thread", 1000, func() any { return map[string]any{"task": "calls", "calls": awaited, "inline": true} }),
		},
		pairs: []pair{
			{ours: "in-process", peer: "pi-codemode", times: 10},
			{ours: "isolated", peer: "pi-codemode", times: 3},
			{ours: "in-process", peer: "pi-codemode, inline"},
		},
	}}
}

func awaitCalls(ctx context.Context, engine runtime.Engine) (float64, error) {
	var host stopwatch
	err := run(ctx, engine, &host, fmt.Sprintf("for (let i = 0; i < %d; i++) await tools.echo({})", awaited))
	if err == nil && host.calls != awaited {
		err = fmt.Errorf("%d calls came of %d", host.calls, awaited)
	}
	return micros.of(host.last.Sub(host.first)) / (awaited - 1), err
}

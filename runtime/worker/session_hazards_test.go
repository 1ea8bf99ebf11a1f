package worker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// TestHazardsInSessions holds that after a hazard within a session the session
// either has what it had, or has lost its engine and says so, and that the next
// run works either way, without anything of the runs before it.
func TestHazardsInSessions(t *testing.T) {
	t.Parallel()
	pool := worker.New(worker.Config{})
	defer pool.Close()
	leftovers := `let kept = 'kept'
		setInterval(() => { tools.echo({late: 1}); console.log('late') }, 1)
		;(async () => { for (;;) { await new Promise(r => setTimeout(r, 1)); console.log('later') } })()
		return 1`
	for n, h := range append(readHazards(t, "examined.json"),
		hazard{ID: "timer-loop", Code: "setTimeout(() => { for (;;); }, 0); return 1"},
		hazard{ID: "calls-left", Code: "(async () => { for (;;) await tools.echo({bg: 1}) })(); return 1"},
		hazard{ID: "exit-calls", Code: "(async () => { await 0; for (;;) tools.echo({bg: 2}) })(); exit()"},
		hazard{ID: "dispose-loop", Code: "using q = {[Symbol.dispose]() { for (;;); }}; return 1"},
		hazard{ID: "later-throw", Code: "setTimeout(() => { throw new Error('later') }, 0); return 1"},
	) {
		if n%4 != 0 && len(h.Kinds) > 0 || h.ID[:min(len(h.ID), 10)] == "examined-t" { // those change the built-ins for the runs after them
			continue
		}
		session := runtime.NewSession()
		run := func(source string, limit time.Duration) runtime.Report {
			return runtime.Run(context.Background(), runtime.Script{Source: source}, echo{}, runtime.Options{
				Engine: pool, Session: session, Deadline: runtime.NewDeadline(limit),
			})
		}
		if r := run(leftovers, time.Minute); !r.OK {
			t.Fatal(r.Error)
		}
		bad := run(h.Code, 200*time.Millisecond)
		want := `["kept",7,"1,2"]`
		if bad.Lost {
			want = `["undefined",7,"1,2"]`
		}
		after := run(fmt.Sprintf("const x%d = await tools.echo({n: 7}); return [typeof kept === 'undefined' ? 'undefined' : kept, x%d.n, [2, 1].sort().join()]", n, n), time.Minute)
		if !after.OK || string(after.Value) != want || len(after.Output) > 0 || after.Lost {
			t.Errorf("%s: %s\nafter it (%v, lost: %v): %s %v %v", h.ID, h.Code, bad.Error, bad.Lost, after.Value, after.Error, after.Output)
		}
		session.Close()
	}
}

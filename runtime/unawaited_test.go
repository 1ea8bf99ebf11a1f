package runtime_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// TestThousandsOfCallsNotAwaited holds that any number of calls may be under way,
// in both directions at once, and that each reaches the host in its order.
func TestThousandsOfCallsNotAwaited(t *testing.T) {
	const calls = 5000 // more than a channel between processes lets pass at once
	for _, tt := range []struct {
		name, end string
		ok        bool
		carried   int // how many are carried out; the others are only recorded
	}{
		{"ended", "", true, calls},
		{"awaited together", "await Promise.all(list)", true, calls},
		{"thrown", "throw new Error('x')", false, 0},
		{"thrown later", "await list[2000]; tools.echo({i: 5000}); throw new Error('x')", false, -1},
		{"exit", "exit()", true, calls},
		{"busy", "for (let i = 0; i < 3e5; i++);", true, calls},
		{"one failed", "await tools.fail({}).catch(() => 0)", true, calls},
	} {
		r, h := run(t, fmt.Sprintf("const list = []; for (let i = 0; i < %d; i++) list.push(tools.echo({i, fill: 'x'.repeat(500)}));%s", calls, tt.end))
		if r.OK != tt.ok {
			t.Errorf("%s: %+v", tt.name, r.Error)
		}
		carried, echoes := 0, 0
		for _, call := range h.calls {
			if strings.Contains(call, "fail ") {
				continue
			}
			if !strings.HasPrefix(strings.TrimPrefix(call, "!"), fmt.Sprintf(`echo {"i":%d,`, echoes)) && echoes < calls {
				t.Errorf("%s: call %d is %.30s", tt.name, echoes, call)
				break
			}
			echoes++
			if call[0] != '!' {
				carried++
			}
		}
		if echoes < calls || tt.carried >= 0 && carried != tt.carried {
			t.Errorf("%s: %d of %d calls carried out, want %d", tt.name, carried, echoes, tt.carried)
		}
	}
}

// TestLargeFramesBothWays: arguments and results are far larger than a pipe holds.
func TestLargeFramesBothWays(t *testing.T) {
	r, h := run(t, "const s = 'x'.repeat(3 << 20); const all = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(n => tools.echo({n, s}))); return all.every((r, i) => r.s === s && r.n === i + 1)")
	if string(r.Value) != "true" || len(h.calls) != 8 {
		t.Errorf("%s, %d calls, %+v", r.Value, len(h.calls), r.Error)
	}
}

// TestTimersAndCalls holds that timers fire while answers come.
func TestTimersAndCalls(t *testing.T) {
	got := value(t, `
		let ticks = 0, calls = 0
		const every = setInterval(() => ticks++, 1)
		while (ticks < 10 || calls < 10) { await tools.echo({}); calls++; await new Promise(r => setTimeout(r, 1)) }
		clearInterval(every)
		await tools.slow({}); store('k', 1); load('k')
		return true`)
	if got != "true" {
		t.Error(got)
	}
}

// TestStoreWhileCallsAreUnderWay: answers to questions pass those to calls.
func TestStoreWhileCallsAreUnderWay(t *testing.T) {
	h := &fakeHost{}
	r := execute(context.Background(), runtime.Script{Source: `
		const list = []
		for (let i = 0; i < 300; i++) { list.push(tools.echo({i})); store('k' + i, {i}); if (load('k' + i).i !== i) throw new Error('lost') }
		return (await Promise.all(list)).length`}, h, runtime.Options{Deadline: runtime.NewDeadline(20 * time.Second)})
	if string(r.Value) != "300" || len(h.kept) != 300 {
		t.Errorf("%s, %d kept: %+v", r.Value, len(h.kept), r.Error)
	}
}

// TestCallsBeforeAHang: calls that the script made are known to the host, and
// recorded as not begun, although the engine never comes back.
func TestCallsBeforeAHang(t *testing.T) {
	if engine == nil {
		t.Skip("this process would keep the hanging engine")
	}
	h := &fakeHost{}
	r := execute(context.Background(), runtime.Script{Source: "text('before'); tools.echo(1); tools.echo(2); let a = []; a.length = 2**32 - 1; a.indexOf(1)"}, h,
		runtime.Options{Deadline: runtime.NewDeadline(100 * time.Millisecond)})
	if got := strings.Join(h.calls, ", "); got != "!echo 1, !echo 2" || r.OK || r.Error.Kind != "timeout" || texts(r) != "before" {
		t.Errorf("%s, %+v", got, r.Error)
	}
}

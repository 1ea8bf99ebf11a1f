//go:build linux

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/opstest"
)

// serving is a world with a server's command in it.
func serving(t *testing.T, setup string, needs ...opstest.Need) (opstest.World, command) {
	t.Helper()
	bin := binary(t)
	t.Parallel()
	w := opstest.NewWorld(t, needs...)
	w.Setup(t, setup, false)
	return w, command{bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env()}
}

// recorded is the last run in the journal.
func (c command) recorded(t *testing.T) (r report) {
	t.Helper()
	c.run(t, "", "log", "last", "--json").document(t, &r)
	return r
}

// tree is a directory src with 2000 files.
const tree = "mkdir -p proj/src; cd proj/src; for i in $(seq 1 40); do mkdir d$i; for j in $(seq 1 50); do printf $i-$j > d$i/f$j; done; done; "

// copies is a script that copies src again and again.
const copies = `for (let i = 0; i < 500; i++) await tools.copy({path: "src", target: "c" + i})`

// TestClientVanishes holds that when a client goes away in the middle of an
// operation, that operation is finished and recorded, no other begins, and no
// process is left.
func TestClientVanishes(t *testing.T) {
	w, c := serving(t, tree)
	v := c.speak(t, cannotAsk, nil)
	v.begin("codemode", `{"code":`+strconv.Quote(copies)+`}`)
	waitFor(t, w, "test -e proj/c1")
	children := childrenOf(t, v.cmd.Process.Pid)
	if len(children) == 0 {
		t.Error("the script has no process of its own")
	}
	began := time.Now()
	if status := v.end(); status != 0 {
		t.Errorf("status %d\n%s", status, v.stderr.String())
	}
	t.Logf("ended after %s", time.Since(began))
	for _, pid := range children {
		if _, err := os.Stat("/proc/" + strconv.Itoa(pid)); err == nil {
			t.Errorf("process %d is left", pid)
		}
	}
	r := c.recorded(t)
	if r.Status != "finished" || len(r.Operations) < 2 {
		t.Fatalf("%s with %d operations", r.Status, len(r.Operations))
	}
	for i, op := range r.Operations {
		if !op.OK && (i != len(r.Operations)-1 || op.Error.Code != ops.Aborted || op.Effect != ops.NotApplied) {
			t.Errorf("%+v %v", op, op.Error)
		}
		if complete := fmt.Sprintf("diff -r proj/src proj/c%d", i); op.OK {
			w.Check(t, complete)
		} else {
			w.Check(t, fmt.Sprintf("! test -e proj/c%d", i))
		}
	}
	w.Check(t, fmt.Sprintf("! test -e proj/c%d\n! ls -a proj | grep -q '^.codemode'", len(r.Operations)))
}

// TestClientVanishesWhileAsked holds that a client which goes away with a
// question before it has said no.
func TestClientVanishesWhileAsked(t *testing.T) {
	w, c := serving(t, gitProject)
	v := c.speak(t, canAsk, nil)
	v.begin("codemode", `{"code":"await tools.delete({path: 'u'}); await tools.delete({path: 't'}); await tools.copy({path: 't', target: 'c'})"}`)
	v.asked(1)
	if status := v.end(); status != 0 {
		t.Errorf("status %d\n%s", status, v.stderr.String())
	}
	r := c.recorded(t)
	if r.Status != "finished" || len(r.Operations) != 2 || !r.Operations[0].OK || r.Operations[1].Error == nil || r.Operations[1].Error.Code != ops.Aborted {
		t.Errorf("%s %+v", r.Status, r.Operations)
	}
	w.Check(t, "! test -e proj/u\ntest -f proj/t/t\n! test -e proj/c")
}

// TestServerIsStopped holds the same for a server that a signal ends, and that
// the status says so.
func TestServerIsStopped(t *testing.T) {
	w, c := serving(t, tree)
	v := c.speak(t, cannotAsk, nil)
	id := v.begin("codemode", `{"code":`+strconv.Quote(copies)+`}`)
	waitFor(t, w, "test -e proj/c1")
	if err := v.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rep := v.reportOf(v.result(id))
	<-v.exited
	if status := v.cmd.ProcessState.ExitCode(); status != 130 || rep.OK || rep.Error.Kind != "aborted" {
		t.Errorf("status %d, %+v\n%s", status, rep.Error, v.stderr.String())
	}
	if r := c.recorded(t); r.Status != "finished" || len(r.Operations) != len(rep.Operations) {
		t.Errorf("%s, %d operations, %d in the answer", r.Status, len(r.Operations), len(rep.Operations))
	}
}

// TestServerIsKilled holds that nothing of a server outlives it, and that its
// journal tells the truth.
func TestServerIsKilled(t *testing.T) {
	w, c := serving(t, tree)
	v := c.speak(t, cannotAsk, nil)
	v.begin("codemode", `{"code":`+strconv.Quote(copies)+`}`)
	waitFor(t, w, "test -e proj/c1")
	children := childrenOf(t, v.cmd.Process.Pid)
	_ = v.cmd.Process.Kill() // that it is gone, the next line sees
	<-v.exited
	for _, pid := range children {
		gone := false
		for range 200 {
			if gone = !running(pid); gone {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if !gone {
			t.Errorf("process %d is left", pid)
		}
	}
	r := c.recorded(t)
	if r.Status != "interrupted" {
		t.Errorf("the journal says %s", r.Status)
	}
	for i, op := range r.Operations {
		if op.OK {
			w.Check(t, fmt.Sprintf("diff -r proj/src proj/c%d", i))
		} else if op.Effect != ops.Unknown {
			t.Errorf("%+v", op)
		}
	}
	w.Check(t, fmt.Sprintf("! test -e proj/c%d", len(r.Operations)))
}

// TestFlood holds that a thousand calls at once are all answered, each once, and
// that the journal has them.
func TestFlood(t *testing.T) {
	w, c := serving(t, "mkdir proj; cd proj; printf a > a; for i in $(seq 0 249); do printf $i > f$i; done")
	v := c.speak(t, cannotAsk, nil)
	var ids []int
	for i := range 250 {
		ids = append(ids,
			v.begin("move", fmt.Sprintf(`{"path":"f%d","target":"g/f%d"}`, i, i)),
			v.begin("stat", `{"path":"a"}`),
			v.begin("delete", `{"path":"gone"}`),
			v.begin("read", `{"path":"a"}`))
	}
	for i := range 20 {
		ids = append(ids, v.begin("codemode", fmt.Sprintf(`{"code":"return %d"}`, i)))
	}
	ok := 0
	for _, id := range ids {
		if r := v.result(id); !r.IsError {
			ok++
		}
	}
	if ok != 770 {
		t.Errorf("%d calls are ok, want 770", ok)
	}
	if status := v.end(); status != 0 || len(v.strays) > 0 {
		t.Errorf("status %d, answers to nothing %+v", status, v.strays)
	}
	r := c.recorded(t)
	applied := 0
	for i, op := range r.Operations {
		if op.Seq != i+1 {
			t.Errorf("operation %d has the number %d", i+1, op.Seq)
		}
		if op.OK {
			applied++
		}
	}
	if r.Status != "finished" || len(r.Operations) != 500 || applied != 250 {
		t.Errorf("%s, %d operations, %d applied", r.Status, len(r.Operations), applied)
	}
	w.Check(t, "test $(ls proj/g | wc -l) -eq 250")
}

// TestTooMany holds that a client which makes ever more calls without an answer
// is refused, and served again when there is room.
func TestTooMany(t *testing.T) {
	_, c := serving(t, "mkdir proj; cd proj; printf t > t; git init -q; git add t; git commit -qm t")
	v := c.speak(t, canAsk, nil, "--strict")
	first := v.begin("delete", `{"path":"t"}`)
	v.asked(1)
	var rest []int
	for range 1100 {
		rest = append(rest, v.begin("delete", `{"path":"t"}`))
	}
	refused := v.await(rest[1099])
	if refused.Error == nil || refused.Error.Code != -32001 {
		t.Errorf("%+v", refused)
	}
	v.cancel(first)
	for _, id := range rest[:1099] {
		v.cancel(id)
	}
	v.await(first)
	if r := v.receipt("delete", `{"path":"gone"}`); r.Error == nil || r.Error.Code != "ENOENT" {
		t.Errorf("%+v", r)
	}
}

// TestEverythingCancelled holds that calls which are cancelled right after they
// were sent end one way or the other, and that the journal tells which.
func TestEverythingCancelled(t *testing.T) {
	w, c := serving(t, "mkdir proj; cd proj; for i in $(seq 0 199); do printf $i > f$i; done")
	v := c.speak(t, cannotAsk, nil)
	var ids []int
	for i := range 200 {
		tool, args := "delete", fmt.Sprintf(`{"path":"f%d"}`, i)
		if i%10 == 9 {
			tool, args = "codemode", fmt.Sprintf(`{"code":"await tools.delete({path: 'f%d'}); for (;;) {}"}`, i)
		}
		id := v.begin(tool, args)
		v.cancel(id)
		ids = append(ids, id)
	}
	for _, id := range ids {
		v.await(id) // a receipt, a report, or that it was cancelled before it began
	}
	if r := v.run("return 'alive'"); string(r.Value) != `"alive"` {
		t.Errorf("%+v", r)
	}
	if status := v.end(); status != 0 {
		t.Errorf("status %d", status)
	}
	r := c.recorded(t)
	var gone int
	for _, op := range r.Operations {
		switch op.Effect {
		case ops.Applied:
			gone++
			w.Check(t, "! test -e "+string(op.Path))
		case ops.NotApplied:
			w.Check(t, "test -e "+string(op.Path))
		default:
			t.Errorf("%+v", op)
		}
	}
	w.Check(t, fmt.Sprintf("test $(ls proj | wc -l) -eq %d", 200-gone))
}

// TestLateAnswers holds that answers which come too late, twice, or to nothing,
// approve nothing.
func TestLateAnswers(t *testing.T) {
	w, c := serving(t, "mkdir proj; cd proj; mkdir t t2; printf t > t/t; printf t > t2/t; git init -q; git add .; git commit -qm t; printf u > u")
	v := c.speak(t, canAsk, nil)
	id := v.begin("delete", `{"path":"t"}`)
	v.asked(1)
	question := func(n int) string {
		seen := 0
		for _, m := range v.notes {
			if m.Method == "elicitation/create" {
				if seen++; seen == n {
					return string(m.ID)
				}
			}
		}
		return "0"
	}
	say := func(id, result string) { v.send(`{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`) }
	const yes = `{"action":"accept","content":{"approve":true}}`
	v.cancel(id)
	if r := v.receiptOf(id); r.Error == nil || r.Error.Code != ops.Aborted {
		t.Errorf("%+v", r)
	}
	v.mu.Lock()
	old := question(1)
	v.mu.Unlock()
	say(old, yes) // its call has ended
	id = v.begin("delete", `{"path":"t2"}`)
	v.asked(2)
	say(old, yes)          // meant for another question
	say(`99999`, yes)      // for none
	say(`"a string"`, yes) // for none
	say(`null`, yes)
	v.mu.Lock()
	now := question(2)
	v.mu.Unlock()
	if now == old {
		t.Fatalf("two questions have the id %s", now)
	}
	say(now, `{"action":"decline"}`)
	say(now, yes) // too late
	if r := v.receiptOf(id); r.Error == nil || r.Error.Code != ops.NotApproved {
		t.Errorf("%+v", r)
	}
	if r := v.receipt("delete", `{"path":"u"}`); !r.OK {
		t.Errorf("%+v", r.Error)
	}
	w.Check(t, "test -f proj/t/t && test -f proj/t2/t && ! test -e proj/u")
}

// TestStandardOutputIsProtocol holds that nothing which a script prints, or the
// host says, gets between the messages.
func TestStandardOutputIsProtocol(t *testing.T) {
	_, c := serving(t, "mkdir proj; printf a > proj/a; mkdir -p home/.config/codemode")
	v := c.speak(t, cannotAsk, nil)
	lies := `{"jsonrpc":"2.0","id":1,"result":{}}`
	code := fmt.Sprintf(`for (const say of [console.log, console.error, console.warn, console.table, console.trace, text]) { say(%[1]q); say("\n" + %[1]q + "\n\n"); say("\x1b[2J\u0000\u2028\r\n") }
		console.dir({a: 1}); console.group("g"); return %[1]q`, lies)
	r := v.run(code)
	if !r.OK || string(r.Value) != strconv.Quote(lies) {
		t.Errorf("%s %+v", r.Value, r.Error)
	}
	for _, bad := range []string{"throw new Error('\\n{}\\n')", "syntax error here", "for (;;) {}", "return 'x'.repeat(2 ** 29)", "while (true) console.log('x'.repeat(100000))"} {
		args, err := json.Marshal(map[string]any{"code": bad, "timeout_ms": 300})
		if err != nil {
			t.Fatal(err)
		}
		if r := v.call("codemode", string(args)); !r.IsError {
			t.Errorf("%s: %s", bad, r.text())
		}
	}
	if status := v.end(); status != 0 || len(v.strays) > 0 {
		t.Errorf("status %d, %+v", status, v.strays)
	}
}

// TestClientStopsReading holds that a client which closes its side while
// answers are under way does not make the server fail, or lose a record.
func TestClientStopsReading(t *testing.T) {
	w, c := serving(t, "mkdir proj; printf a > proj/a; printf b > proj/b")
	out, err := w.Bash(`set +e +o pipefail; cd proj
		(echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
		 sleep 0.5
		 for i in 1 2 3; do echo '{"jsonrpc":"2.0","id":'$i',"method":"tools/call","params":{"name":"copy","arguments":{"path":"a","target":"b"}}}' || exit 0; sleep 0.3; done) | ` + c.bin + ` mcp 2>/dev/null | head -1 >/dev/null; echo "${PIPESTATUS[1]}"`)
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if status := strings.TrimSpace(string(out)); status != "0" {
		t.Errorf("status %s", status)
	}
	if r := c.recorded(t); r.Status != "finished" || len(r.Operations) < 1 || !r.Operations[0].OK {
		t.Errorf("%+v", r)
	}
}

// waitFor waits until a test of the disk succeeds.
func waitFor(t *testing.T, w opstest.World, check string) {
	t.Helper()
	for range 1000 {
		if _, err := w.Bash(check); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("it never came to: %s", check)
}

// childrenOf lists the processes that a process has started.
func childrenOf(t *testing.T, pid int) (children []int) {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		text, _ := os.ReadFile(list) // the thread may be gone
		for _, field := range strings.Fields(string(text)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			children = append(children, child)
		}
	}
	return children
}

// running reports whether a process runs; one that is dead and waits for its new
// parent does not.
func running(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
}

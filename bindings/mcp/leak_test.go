//go:build linux

package mcp_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"codemode/bindings/mcp"
	"codemode/ops"
	"codemode/runtime/worker"
)

// holdings are what a server could leak.
type holdings struct {
	goroutines, descriptors, children int
	heap, resident                    uint64
}

func take(t *testing.T) holdings {
	t.Helper()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	h := holdings{goroutines: runtime.NumGoroutine(), heap: memory.HeapAlloc}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	h.descriptors = len(open)
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		pids, _ := os.ReadFile(list) // the thread may be gone
		h.children += len(bytes.Fields(pids))
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := strconv.ParseUint(strings.Fields(string(statm))[1], 10, 64)
	h.resident = pages * uint64(os.Getpagesize())
	return h
}

// TestThousandScripts holds that a connection may last: after a thousand
// scripts, each in a process of its own, nothing is held that was not before.
// It runs by itself, so that it counts nothing of other tests.
func TestThousandScripts(t *testing.T) {
	runs := 1000
	if testing.Short() {
		runs = 100
	}
	pool := worker.New(worker.Config{Spares: 1})
	defer pool.Close()
	p := connect(t, worldOf(t, "mkdir proj; printf a > proj/a"), setting{server: mcp.Config{Engine: pool}})
	script := func(n int) {
		t.Helper()
		source := fmt.Sprintf(`await tools.copy({path: "a", target: "b", overwrite: true}); console.log("x".repeat(1000)); return %d`, n)
		session := ""
		if n%10 == 0 {
			session = "s"
		}
		rep, _ := p.run(t, code(source, session))
		if string(rep.Value) != strconv.Itoa(n) || len(rep.Operations) != 1 {
			t.Fatalf("script %d: %s %+v", n, rep.Value, rep.Error)
		}
	}
	for n := range 20 {
		script(n)
	}
	time.Sleep(200 * time.Millisecond) // until the spare is there again
	before := take(t)
	began := time.Now()
	for n := range runs {
		script(n)
	}
	took := time.Since(began)
	var after holdings
	for range 100 { // what has ended may take a moment to be gone
		time.Sleep(20 * time.Millisecond)
		if after = take(t); after.goroutines <= before.goroutines && after.descriptors <= before.descriptors && after.children <= before.children {
			break
		}
	}
	t.Logf("%d scripts, %s each; before %+v, after %+v", runs, took/time.Duration(runs), before, after)
	if after.goroutines > before.goroutines || after.descriptors > before.descriptors || after.children > before.children {
		t.Errorf("before %+v, after %+v", before, after)
	}
	// The session remembers its receipts, some of which are those of this test.
	if grown := after.heap - before.heap; after.heap > before.heap && grown > 8<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if r := p.receipt(t, ops.Delete, `{"path":"b"}`); !r.OK || r.Seq != runs+21 {
		t.Errorf("%+v", r)
	}
	if n := len(p.logged(t).Operations); n != runs+21 {
		t.Errorf("the journal has %d operations", n)
	}
}

// BenchmarkCall measures what one call takes, from a client's side.
func BenchmarkCall(b *testing.B) {
	for _, tt := range []struct{ name, tool, args string }{
		{"stat", "stat", `{"path":"a"}`}, {"copy", "copy", `{"path":"a","target":"b","overwrite":true}`}, {"script", "codemode", `{"code":"return 1"}`},
		{"session", "codemode", `{"code":"return 1","session":"s"}`},
	} {
		b.Run(tt.name, func(b *testing.B) {
			pool := worker.New(worker.Config{Spares: 1})
			defer pool.Close()
			p := connect(b, worldOf(b, "mkdir proj; printf a > proj/a"), setting{server: mcp.Config{Engine: pool}})
			for b.Loop() {
				if r := p.call(b, tt.tool, tt.args); r.IsError {
					b.Fatal(text(r))
				}
			}
		})
	}
}

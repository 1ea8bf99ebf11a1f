//go:build linux

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/ops"
	"codemode/ops/opstest"
)

// The load of a bad day. By default a part of it; with CODEMODE_LOAD=10m a
// thousand sessions for ten minutes, a hundred thousand operations in one run,
// and one operation on a million entries:
//
//	CODEMODE_LOAD=10m go test -v -timeout 1h -run TestLoad ./cmd/codemode
func load(t *testing.T) (long time.Duration) {
	t.Helper()
	long, err := time.ParseDuration(os.Getenv("CODEMODE_LOAD"))
	if err != nil && testing.Short() {
		t.Skip("takes a while")
	}
	return long
}

// inMemory moves a test's project to where many small files are quick.
func inMemory(t *testing.T, c command) command {
	t.Helper()
	w := opstest.NewWorld(t, opstest.TwoFS)
	w.Setup(t, "git init -q $X", true)
	c.dir = w.X
	return c
}

const (
	// atOnce is how many sessions are open at the same time, near what a server
	// allows.
	atOnce = 60
	// sessionMemory bounds a server and all its children: sixteen scripts at
	// once, each with what a child takes, and some for every open session.
	sessionMemory = 640 << 20
)

// TestLoadOfSessions holds that a server with many clients that all run scripts
// loses nothing, and holds nothing any more when they have gone.
func TestLoadOfSessions(t *testing.T) {
	long := load(t)
	least := int64(24)
	if long > 0 {
		least = 1000
	}
	_, c := serving(t, "mkdir proj")
	c = inMemory(t, c)
	c.limit = long + 5*time.Minute
	web := c.listen(t)
	before := descriptorsOf(t, web.pid)
	end := time.Now().Add(long)
	var sessions, scripts, operations atomic.Int64
	session := func(number int64) error {
		client := sdk.NewClient(&sdk.Implementation{Name: "load", Version: "1"}, nil)
		session, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: web.url, HTTPClient: &http.Client{Transport: bearer(web.token)}}, nil)
		if err != nil {
			return err
		}
		defer session.Close()
		for n := range 3 {
			r, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "codemode", Arguments: map[string]any{"code": loadScript(number, n)}})
			if err != nil || r.IsError {
				text, _ := json.Marshal(r)
				return fmt.Errorf("script %d: %w %s", n, err, text)
			}
			scripts.Add(1)
			operations.Add(loadOperations)
		}
		return nil
	}
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for {
				number := sessions.Add(1)
				if number > least && !time.Now().Before(end) {
					sessions.Add(-1)
					return
				}
				if err := session(number); err != nil {
					t.Errorf("session %d: %v", number, err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	var most int64
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(100 * time.Millisecond):
			most = max(most, residentOf(t, web.pid))
		}
	}
	if most > sessionMemory {
		t.Errorf("%d MiB were held, more than %d", most>>20, sessionMemory>>20)
	}
	var children int
	var after int
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		children, after = len(childrenOf(t, web.pid)), descriptorsOf(t, web.pid)
		if children <= 1 && after <= before+16 {
			break
		}
	}
	if children > 1 || after > before+16 { // a spare, and connections that are kept alive
		t.Errorf("afterwards there are %d children and %d descriptors (%d before)", children, after, before)
	}
	if status := web.stop(); status != 130 {
		t.Errorf("status %d", status)
	}
	left, err := filepath.Glob(filepath.Join(c.dir, "s*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	runs, recorded := c.journalled(t)
	if runs != sessions.Load() || recorded != operations.Load() {
		t.Errorf("the journal has %d runs with %d operations, not %d with %d", runs, recorded, sessions.Load(), operations.Load())
	}
	t.Logf("%d sessions, %d scripts, %d operations, 0 lost; at most %d MiB", sessions.Load(), scripts.Load(), operations.Load(), most>>20)
}

const loadOperations = 7

// loadScript makes, copies, moves and deletes, and looks at the result.
func loadScript(session int64, n int) string {
	return fmt.Sprintf(`
const at = 's%d-%d'
await tools.mkdir({path: at})
await tools.write({path: at + '/a', text: at})
await tools.copy({path: at, target: at + '-copy'})
await tools.move({path: at + '/a', target: at + '/b'})
await tools.delete({path: at})
await tools.copy({path: at + '-copy/a', target: at + '-copy/c'})
const {text} = await tools.read({path: at + '-copy/c'})
if (text !== at) throw new Error('read ' + text)
await tools.delete({path: at + '-copy'})
`, session, n)
}

// residentOf is what a process and its children take.
func residentOf(t *testing.T, pid int) (bytes int64) {
	t.Helper()
	for _, id := range append(childrenOf(t, pid), pid) {
		statm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", id)) // it may be gone
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			bytes += pages * int64(os.Getpagesize())
		}
	}
	return bytes
}

func descriptorsOf(t *testing.T, pid int) int {
	t.Helper()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(open)
}

// journalled counts the runs and operations that the journal calls finished and
// applied; others are errors.
func (c command) journalled(t *testing.T) (runs, operations int64) {
	t.Helper()
	var state string
	for _, v := range c.env {
		if home, found := strings.CutPrefix(v, "HOME="); found {
			state = filepath.Join(home, ".local/state/codemode")
		}
	}
	err := filepath.WalkDir(state, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		runs++
		for line := range bytes.Lines(text) {
			var l struct {
				Type    string
				Receipt struct{ Effect ops.Effect }
			}
			if err := json.Unmarshal(line, &l); err != nil {
				return fmt.Errorf("%w in %s", err, line)
			}
			if l.Type != "operation-finished" {
				continue
			}
			if operations++; l.Receipt.Effect != ops.Applied {
				t.Errorf("not applied: %s", line)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return runs, operations
}

// TestLoadOfOperations holds that one script may do very much.
func TestLoadOfOperations(t *testing.T) {
	operations := 2000
	long := load(t)
	if long > 0 {
		operations = 100_000
	}
	_, c := serving(t, "mkdir proj")
	c = inMemory(t, c)
	write(t, filepath.Join(c.dir, "f"), "f")
	write(t, filepath.Join(c.dir, "script.js"), fmt.Sprintf(`
for (let i = 0; i < %d; i++) {
	await tools.copy({path: 'f', target: 'g' + i})
	await tools.delete({path: 'g' + i})
}`, operations/2))
	ctx, cancel := context.WithTimeout(t.Context(), long+5*time.Minute)
	defer cancel()
	cmd := c.prepare(ctx, "run", "--json", "--timeout", "30m", "script.js")
	out, err := cmd.Output()
	var r report
	if err != nil || json.Unmarshal(out, &r) != nil || !r.OK || len(r.Operations) != operations {
		t.Fatalf("%v, %d operations, %v", err, len(r.Operations), r.Error)
	}
	if _, recorded := c.journalled(t); recorded != int64(operations) {
		t.Errorf("the journal has %d operations", recorded)
	}
	t.Logf("%d operations, 0 lost", operations)
}

// peakOf is the most that a process has held when it ends. (What the kernel tells
// of an ended process counts what its parent held when it was started.)
func peakOf(pid int) (bytes int64) {
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, peak, found := strings.Cut(string(status), "VmHWM:")
		if err != nil || !found {
			return bytes
		}
		kilobytes, _ := strconv.ParseInt(strings.Fields(peak)[0], 10, 64)
		bytes = kilobytes << 10
		time.Sleep(time.Millisecond)
	}
}

// TestLoadOfEntries holds that the size of a tree costs no memory.
func TestLoadOfEntries(t *testing.T) {
	entries := 60_000
	if load(t) > 0 {
		entries = 1_000_000
	}
	_, c := serving(t, "mkdir proj")
	c = inMemory(t, c)
	memory := func(args ...string) int64 {
		cmd := c.prepare(t.Context(), args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		peak := make(chan int64)
		go func() { peak <- peakOf(cmd.Process.Pid) }()
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v: %s", err, out.String())
		}
		return <-peak
	}
	write(t, filepath.Join(c.dir, "one"), "")
	idle := memory("delete", "one")
	for name, dirs := range map[string]int{"flat": 1, "wide": entries / 500} {
		for d := range dirs {
			dir := filepath.Join(c.dir, name, fmt.Sprint("d", d))
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			for f := range entries / dirs {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("f", f)), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, args := range [][]string{{"copy", name, name + "2"}, {"move", name, name + "3"}, {"delete", name + "2"}, {"delete", name + "3"}} {
			took := memory(args...)
			t.Logf("%s of %d entries, %s: %d MiB more than of one", args[0], entries, name, (took-idle)>>20)
			if took-idle > 64<<20 {
				t.Errorf("%s of %d entries, %s: %d MiB more than of one", args[0], entries, name, (took-idle)>>20)
			}
		}
	}
}

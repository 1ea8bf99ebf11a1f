package worker_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	stdruntime "runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// soon is how long after a stop the report may come.
const soon = 250 * time.Millisecond

// holdings are what a process could leak.
type holdings struct {
	goroutines, descriptors, children int
	heap                              uint64
}

// take counts what this process holds.
func take(t *testing.T) holdings {
	t.Helper()
	stdruntime.GC()
	var memory stdruntime.MemStats
	stdruntime.ReadMemStats(&memory)
	h := holdings{goroutines: stdruntime.NumGoroutine(), heap: memory.HeapAlloc}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.descriptors = len(open)
	}
	h.children = len(childrenOf(os.Getpid()))
	return h
}

// childrenOf lists the processes whose parent is pid, dead ones too.
func childrenOf(pid int) (children []int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		child, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue
		}
		_, after, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(after); len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			children = append(children, child)
		}
	}
	return children
}

// compare fails when more is held than before.
func (h holdings) compare(t *testing.T) {
	t.Helper()
	var now holdings
	for range 50 { // what has ended may take a moment to be gone
		now = take(t)
		if now.goroutines <= h.goroutines && now.descriptors <= h.descriptors && now.children <= h.children && now.heap < h.heap+16<<20 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("before %+v, after %+v", h, now)
}

func TestHundredCancelledRuns(t *testing.T) {
	pool := worker.New(worker.Config{Spares: 1})
	defer pool.Close()
	warm(t, pool)
	before := take(t)
	for n := range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		source := []string{"for (;;) {}", "await new Promise(r => setTimeout(r, 60000))", "for (;;) await tools.echo({})", "let a = []; a.length = 2**32 - 1; a.indexOf(1)"}[n%4]
		time.AfterFunc(time.Duration(n%10)*time.Millisecond, cancel)
		started := time.Now()
		r := runtime.Run(ctx, runtime.Script{Source: source}, echo{}, runtime.Options{Engine: pool})
		if r.OK || r.Error.Kind != "aborted" {
			t.Errorf("%s: %+v", source, r.Error)
		}
		if took := time.Since(started); took > 2*soon {
			t.Errorf("%s: %v", source, took)
		}
		cancel()
	}
	settled(pool)
	before.compare(t)
}

func TestFiftyAtOnce(t *testing.T) {
	pool := worker.New(worker.Config{Spares: 4})
	defer pool.Close()
	warm(t, pool)
	before := take(t)
	var group sync.WaitGroup
	for n := range 50 {
		group.Go(func() {
			r := runtime.Run(context.Background(), runtime.Script{Source: fmt.Sprintf("globalThis.x = (globalThis.x ?? 0) + 1; let n = 0; for (let i = 0; i < 20; i++) n += (await tools.echo({n: %d})).n; return [n, x]", n)}, echo{}, runtime.Options{Engine: pool})
			if want := fmt.Sprintf("[%d,1]", 20*n); string(r.Value) != want {
				t.Errorf("got %s, want %s: %+v", r.Value, want, r.Error)
			}
		})
	}
	group.Wait()
	settled(pool)
	before.compare(t)
}

func TestThousandRuns(t *testing.T) {
	runs := 1000
	if testing.Short() {
		runs = 100
	}
	pool := worker.New(worker.Config{Spares: 1})
	defer pool.Close()
	warm(t, pool)
	before := take(t)
	for n := range runs {
		r := runtime.Run(context.Background(), runtime.Script{Source: "text('x'.repeat(1000)); return " + strconv.Itoa(n)}, echo{}, runtime.Options{Engine: pool})
		if string(r.Value) != strconv.Itoa(n) {
			t.Fatalf("run %d: %s %+v", n, r.Value, r.Error)
		}
	}
	settled(pool)
	before.compare(t)
}

// warm has the pool start its thread and its spares.
func warm(t *testing.T, pool *worker.Pool) {
	t.Helper()
	if r := runtime.Run(context.Background(), runtime.Script{}, echo{}, runtime.Options{Engine: pool}); !r.OK {
		t.Fatal(r.Error)
	}
	settled(pool)
}

// settled gives the pool the time to have its spares again.
func settled(*worker.Pool) { time.Sleep(100 * time.Millisecond) }

func TestClose(t *testing.T) {
	before := take(t)
	pool := worker.New(worker.Config{Spares: 3})
	pool.Close()
	pool.Close()
	before.compare(t)
	if r := runtime.Run(context.Background(), runtime.Script{}, echo{}, runtime.Options{Engine: pool}); r.OK || r.Error.Kind != "sandbox" || !strings.Contains(r.Error.Message, "closed") {
		t.Errorf("%+v", r.Error)
	}
}

// TestDeadSpares holds that a spare which somebody has killed is replaced.
func TestDeadSpares(t *testing.T) {
	pool := worker.New(worker.Config{Spares: 2})
	defer pool.Close()
	settled(pool)
	for _, child := range childrenOf(os.Getpid()) {
		if p, err := os.FindProcess(child); err == nil {
			_ = p.Kill()
		}
		for alive(child) {
			time.Sleep(time.Millisecond)
		}
	}
	for range 3 {
		if r := runtime.Run(context.Background(), runtime.Script{Source: "return 1"}, echo{}, runtime.Options{Engine: pool}); string(r.Value) != "1" {
			t.Errorf("%+v", r.Error)
		}
	}
}

func init() {
	parts["parent"] = func() {
		pool := worker.New(worker.Config{Spares: 2})
		for _, source := range []string{"for (;;) {}", "let a = []; a.length = 2**32 - 1; a.indexOf(1)", "await new Promise(r => setTimeout(r, 60000))"} {
			go runtime.Run(context.Background(), runtime.Script{Source: source}, echo{}, runtime.Options{Engine: pool})
		}
		time.Sleep(200 * time.Millisecond)
		fmt.Println("ready")
		time.Sleep(time.Minute)
	}
}

// TestParentKilled holds that the children of a parent that is killed are gone
// within a second, whatever they do.
func TestParentKilled(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), partEnv+"=parent")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("ready\n"))); err != nil {
		t.Fatal(err)
	}
	children := childrenOf(cmd.Process.Pid)
	if len(children) < 5 {
		t.Errorf("only %d children", len(children))
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	killed := time.Now()
	for _, child := range children {
		for alive(child) {
			if time.Since(killed) > time.Second {
				t.Errorf("child %d is still there", child)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// alive reports whether a process runs; one that is dead and waits for its new
// parent does not.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	// The first thread of a process waits for the others to be dead, too.
	threads, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	_, after, _ := strings.Cut(string(stat), ") ")
	return len(threads) > 1 || !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
}

// A report does not wait for the kernel to take back what a child had. Closing the
// pool does.
func TestCloseLeavesNoChild(t *testing.T) {
	before := len(childrenOf(os.Getpid()))
	for range 3 {
		pool := worker.New(worker.Config{Spares: 1})
		for range 3 {
			if r := runtime.Run(t.Context(), runtime.Script{Source: "const a = []; for (let i = 0; i < 1e5; i++) a.push({i})"}, echo{}, runtime.Options{Engine: pool}); !r.OK {
				t.Fatal(r.Error)
			}
		}
		pool.Close()
		if now := len(childrenOf(os.Getpid())); now > before {
			t.Fatalf("%d children before, %d after", before, now)
		}
	}
}

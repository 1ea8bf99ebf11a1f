//go:build linux

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"codemode/ops"
	"codemode/ops/opstest"
)

// nobody is the ordinary user that tests run the command as when they
// themselves run as root.
const nobody = 65534

var built struct {
	sync.Mutex
	users int
	dir   string
}

// binary builds the command once and returns where it is; other users may run
// it. A test calls it before t.Parallel: the last of those that use it throws
// it away.
func binary(t *testing.T) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if built.users == 0 {
		dir, err := os.MkdirTemp("", "codemode-built-")
		if err != nil {
			t.Fatal(err)
		}
		built.dir = dir
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, "codemode"), ".").CombinedOutput(); err != nil {
			os.RemoveAll(dir)
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	built.users++
	t.Cleanup(func() {
		built.Lock()
		defer built.Unlock()
		if built.users--; built.users == 0 {
			os.RemoveAll(built.dir)
		}
	})
	return filepath.Join(built.dir, "codemode")
}

// command is how the built command is run in a world.
type command struct {
	bin    string
	dir    string
	env    []string
	nobody bool          // as an ordinary user
	umask  string        // in octal
	files  int           // the limit of open files
	limit  time.Duration // how long it may take; 0: a minute
}

// output is what came of running it.
type output struct {
	stdout, stderr []byte
	status         int
}

// prepare makes the process. It has no controlling terminal, so that nobody
// can be asked, not even whoever runs the tests.
func (c command) prepare(ctx context.Context, args ...string) *exec.Cmd {
	argv := append([]string{c.bin}, args...)
	if c.umask != "" || c.files > 0 {
		script := `exec "$@"`
		if c.umask != "" {
			script = "umask " + c.umask + "; " + script
		}
		if c.files > 0 {
			script = fmt.Sprintf("ulimit -n %d; ", c.files) + script
		}
		argv = append([]string{"bash", "-euc", script, "codemode"}, argv...)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if c.nobody && os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return cmd
}

func (c command) run(t *testing.T, stdin string, args ...string) output {
	t.Helper()
	limit := c.limit
	if limit == 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := c.prepare(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader([]byte(stdin)), &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("codemode %q did not end within %s\n%s%s", args, limit, stdout.Bytes(), stderr.Bytes())
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("codemode %q: %v", args, err)
	}
	return output{stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}
}

// document decodes the one JSON document that --json promises.
func (o output) document(t *testing.T, into any) {
	t.Helper()
	if !utf8.Valid(o.stdout) {
		t.Fatalf("standard output is not UTF-8: %q", o.stdout)
	}
	dec := json.NewDecoder(bytes.NewReader(o.stdout))
	if err := dec.Decode(into); err != nil {
		t.Fatalf("standard output is no JSON document: %v, status %d\n%s\n%s", err, o.status, o.stdout, o.stderr)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		t.Fatalf("standard output holds more than one document: %s", o.stdout)
	}
}

// report is the part of a run report, also of a rebuilt one, that tests need.
type report struct {
	OK         bool            `json:"ok"`
	RunID      string          `json:"runId"`
	Status     string          `json:"status"`
	Value      json.RawMessage `json:"value"`
	Operations []ops.Receipt   `json:"operations"`
	Error      *struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
	} `json:"error"`
}

// receipts runs a single operation or a script and returns what it attempted.
func (c command) receipts(t *testing.T, stdin string, args ...string) ([]ops.Receipt, output) {
	t.Helper()
	out := c.run(t, stdin, args...)
	if args[0] == "run" {
		var r report
		out.document(t, &r)
		unknown := slices.ContainsFunc(r.Operations, func(op ops.Receipt) bool { return op.Effect == ops.Unknown })
		if r.OK != (r.Error == nil) || (out.status == 4) != unknown || !unknown && r.OK != (out.status == 0) {
			t.Errorf("ok %v, error %v, unknown effects %v, status %d", r.OK, r.Error, unknown, out.status)
		}
		return r.Operations, out
	}
	var r ops.Receipt
	out.document(t, &r)
	if r.Kind != "file-operation" || (out.status == 0) != r.OK || (out.status == 4) != (r.Effect == ops.Unknown) {
		t.Errorf("status %d with receipt %s", out.status, out.stdout)
	}
	return []ops.Receipt{r}, out
}

// openTo lets an ordinary user into a world, which then is theirs.
func openTo(t *testing.T, w opstest.World) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	base := filepath.Dir(w.W)
	for _, dir := range []string{base, filepath.Dir(base)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, top := range []string{w.W, w.X} {
		if top == "" {
			continue
		}
		err := filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// everything lists what a world holds, the home directory included, but not
// the host's own journals and configuration there.
func everything(t *testing.T, w opstest.World) string {
	list := w.Listing(t)
	home := filepath.Join(w.W, "home")
	entries, err := os.ReadDir(home)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains([]string{".config", ".local"}, e.Name()) {
			list += opstest.World{W: filepath.Join(home, e.Name())}.Listing(t)
		}
	}
	return list
}

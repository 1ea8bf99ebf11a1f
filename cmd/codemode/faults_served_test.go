//go:build linux

package main_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"codemode/ops"
	"codemode/ops/opstest"
)

// failing is what goes wrong with a directory that is served through FUSE.
type failing struct {
	call, object string                              // an operation on an object
	after        int64                               // for read and write: the offset from which on
	happens      func(context.Context) syscall.Errno // what happens then
}

// served is such a directory. Nothing goes wrong before it is armed.
type served struct {
	failing
	armed atomic.Bool
}

func (f *served) at(ctx context.Context, call, object string) syscall.Errno {
	if f.armed.Load() && f.call == call && f.object == object {
		return f.happens(ctx)
	}
	return 0
}

// serve mounts it at $W/proj/served and serves what is in $W/behind.
func (f *served) serve(t *testing.T, w opstest.World) {
	t.Helper()
	behind, at := filepath.Join(w.W, "behind"), filepath.Join(w.W, "proj/served")
	for _, dir := range []string{behind, at} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root := &fs.LoopbackRoot{Path: behind}
	top := &failingNode{LoopbackNode: fs.LoopbackNode{RootData: root}, failing: f}
	root.RootNode = top
	server, err := fs.Mount(at, top, &fs.Options{MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "failing"}})
	if err != nil {
		t.Skipf("FUSE cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Unmount(); err != nil {
			t.Error(err)
		}
	})
}

type failingNode struct {
	fs.LoopbackNode
	failing *served
}

// WrapChild makes nodes of this kind of all others.
func (n *failingNode) WrapChild(context.Context, fs.InodeEmbedder) fs.InodeEmbedder {
	return &failingNode{LoopbackNode: fs.LoopbackNode{RootData: n.RootData}, failing: n.failing}
}

func (n *failingNode) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if e := n.failing.at(ctx, "lookup", name); e != 0 {
		return nil, e
	}
	return n.LoopbackNode.Lookup(ctx, name, out)
}

func (n *failingNode) OpendirHandle(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	if e := n.failing.at(ctx, "list", filepath.Base(n.Path(nil))); e != 0 {
		return nil, 0, e
	}
	return n.LoopbackNode.OpendirHandle(ctx, flags)
}

func (n *failingNode) Unlink(ctx context.Context, name string) syscall.Errno {
	if e := n.failing.at(ctx, "unlink", name); e != 0 {
		return e
	}
	return n.LoopbackNode.Unlink(ctx, name)
}

func (n *failingNode) Rmdir(ctx context.Context, name string) syscall.Errno {
	if e := n.failing.at(ctx, "rmdir", name); e != 0 {
		return e
	}
	return n.LoopbackNode.Rmdir(ctx, name)
}

func (n *failingNode) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if e := n.failing.at(ctx, "mkdir", name); e != 0 {
		return nil, e
	}
	return n.LoopbackNode.Mkdir(ctx, name, mode, out)
}

func (n *failingNode) Rename(ctx context.Context, name string, parent fs.InodeEmbedder, to string, flags uint32) syscall.Errno {
	if e := n.failing.at(ctx, "rename to", to); e != 0 {
		return e
	}
	return n.LoopbackNode.Rename(ctx, name, parent, to, flags)
}

func (n *failingNode) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	f, _, e := n.LoopbackNode.Open(ctx, flags)
	return &failingFile{FileHandle: f, node: n}, fuse.FOPEN_DIRECT_IO, e
}

func (n *failingNode) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	inode, f, _, e := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return inode, &failingFile{FileHandle: f, node: n}, fuse.FOPEN_DIRECT_IO, e
}

// failingFile is an open file, which goes by the name "content".
type failingFile struct {
	fs.FileHandle
	node *failingNode
}

func (f *failingFile) Read(ctx context.Context, to []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	if at+int64(len(to)) > f.node.failing.after {
		if e := f.node.failing.at(ctx, "read", "content"); e != 0 {
			return nil, e
		}
	}
	return f.FileHandle.(fs.FileReader).Read(ctx, to, at)
}

func (f *failingFile) Write(ctx context.Context, from []byte, at int64) (uint32, syscall.Errno) {
	if at+int64(len(from)) > f.node.failing.after {
		if e := f.node.failing.at(ctx, "write", "content"); e != 0 {
			return 0, e
		}
	}
	return f.FileHandle.(fs.FileWriter).Write(ctx, from, at)
}

func (f *failingFile) Flush(ctx context.Context) syscall.Errno {
	if e := f.node.failing.at(ctx, "flush", "content"); e != 0 {
		return e
	}
	return f.FileHandle.(fs.FileFlusher).Flush(ctx)
}

func (f *failingFile) Release(ctx context.Context) syscall.Errno {
	return f.FileHandle.(fs.FileReleaser).Release(ctx)
}

// TestServedFaults has a file system of its own go wrong in each phase, as a
// failing disk or a lost server does.
func TestServedFaults(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	const tree = "mkdir -p SRC/d; echo a > SRC/a; head -c 300000 /dev/urandom > SRC/big; echo x > SRC/d/x; cp -r SRC keep"
	from, to := strings.ReplaceAll(tree, "SRC", "served/s"), strings.ReplaceAll(tree, "SRC", "s")
	always := func(e syscall.Errno) func(context.Context) syscall.Errno {
		return func(context.Context) syscall.Errno { return e }
	}
	for _, tt := range []struct {
		mishap
		failing
	}{
		{mishap{name: "reading fails in the middle of a copy", setup: from, args: []string{"copy", "served/s", "t"}, code: "EIO", effect: ops.Unknown,
			disk: "test -z \"$(ls -A | grep codemode)\"\ntest ! -e t"}, failing{call: "read", object: "content", after: 200_000, happens: always(syscall.EIO)}},
		{mishap{name: "reading fails while a tree is moved away", setup: from, args: []string{"move", "served/s", "t"}, code: "EIO", effect: ops.Unknown,
			disk: "test -f served/s/big\ntest -f served/s/d/x\ntest ! -e t"}, failing{call: "read", object: "content", after: 200_000, happens: always(syscall.EIO)}},
		{mishap{name: "a quota is used up", setup: to, args: []string{"move", "s", "served/t"}, code: "EDQUOT", effect: ops.Unknown,
			disk: "diff -r s keep\ntest -z \"$(ls -A served)\""}, failing{call: "write", object: "content", after: 200_000, happens: always(syscall.EDQUOT)}},
		{mishap{name: "what was written is lost when the file is closed", setup: to, args: []string{"move", "s", "served/t"}, code: "EIO", effect: ops.Unknown,
			disk: "diff -r s keep\ntest ! -e served/t"}, failing{call: "flush", object: "content", happens: always(syscall.EIO)}},
		{mishap{name: "a directory cannot be made", setup: to, args: []string{"copy", "s", "served/p/t"}, code: "EIO", effect: ops.Unknown,
			disk: "diff -r s keep\ntest -z \"$(ls -A served)\""}, failing{call: "mkdir", object: "d", happens: always(syscall.EIO)}},
		{mishap{name: "a directory cannot be listed", setup: from, args: []string{"delete", "served/s"}, code: "EIO", effect: ops.NotApplied,
			disk: "test -f served/s/d/x\ntest -f served/s/a"}, failing{call: "list", object: "d", happens: always(syscall.EIO)}},
		{mishap{name: "a file cannot be removed", setup: from, args: []string{"delete", "served/s"}, code: "EIO", effect: ops.Unknown,
			disk: "test -f served/s/d/x"}, failing{call: "unlink", object: "x", happens: always(syscall.EIO)}},
		{mishap{name: "a directory cannot be removed", setup: from, args: []string{"delete", "served/s"}, code: "EIO", effect: ops.Unknown,
			disk: "test -d served/s/d"}, failing{call: "rmdir", object: "d", happens: always(syscall.EIO)}},
		{mishap{name: "a source that has been copied away cannot be removed", setup: from, args: []string{"move", "served/s", "t"}, code: "EIO", effect: ops.Unknown,
			disk: "test -f t/d/x && test -f t/big"}, failing{call: "unlink", object: "x", happens: always(syscall.EIO)}},
		{mishap{name: "a rename fails", setup: from, args: []string{"move", "served/s", "served/t"}, code: "EIO", effect: ops.Unknown,
			disk: "diff -r served/s keep\ntest ! -e served/t"}, failing{call: "rename to", object: "t", happens: always(syscall.EIO)}},
		{mishap{name: "what is copied cannot get its name", setup: to, args: []string{"copy", "s", "served/t"}, code: "EIO", effect: ops.Unknown,
			disk: "test ! -e served/t\ntest -z \"$(ls -A served)\""}, failing{call: "rename to", object: "t", happens: always(syscall.EIO)}},
		{mishap{name: "a server has forgotten a directory", setup: from, args: []string{"move", "served/s/d", "t"}, code: "ESTALE", effect: ops.NotApplied,
			disk: "test ! -e t"}, failing{call: "lookup", object: "d", happens: always(syscall.ESTALE)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := opstest.NewWorld(t, opstest.Mount)
			w.Setup(t, "mkdir -p proj", false)
			f := &served{failing: tt.failing}
			f.serve(t, w)
			if out, err := w.Bash("cd proj\n" + tt.setup); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			f.armed.Store(true)
			args := append([]string{tt.args[0], "--json", "--approve", "allow"}, tt.args[1:]...)
			c := command{bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env()}
			tt.check(t, w, c.run(t, "", args...))
		})
	}
}

// TestServerThatHangs holds that whoever interrupts twice need not wait for a file
// system that does not answer, not even for a single call, to be told the truth.
func TestServerThatHangs(t *testing.T) {
	bin := binary(t)
	t.Parallel()
	for _, tt := range []struct {
		name, call, object, setup string
		args                      []string
	}{
		{"delete a file", "unlink", "f", "echo f > served/f", []string{"delete", "served/f"}},
		{"move a file", "rename to", "t", "echo f > served/f", []string{"move", "served/f", "served/t"}},
		{"copy to it", "write", "content", "echo f > f", []string{"copy", "f", "served/t"}},
		{"copy a file of it that is mounted elsewhere", "read", "content", "echo f > served/f; touch f; mount --bind served/f f", []string{"copy", "f", "t"}},
		{"delete in a script", "unlink", "f", "echo f > served/f", []string{"run", "-e", "await tools.delete({path: 'served/f'})"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := opstest.NewWorld(t, opstest.Mount)
			w.Setup(t, "mkdir -p proj", false)
			reached, answer := make(chan struct{}, 1), make(chan struct{})
			f := &served{failing: failing{call: tt.call, object: tt.object, happens: func(context.Context) syscall.Errno {
				select {
				case reached <- struct{}{}:
				default:
				}
				<-answer
				return 0
			}}}
			f.serve(t, w)
			if out, err := w.Bash("cd proj\n" + tt.setup); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			f.armed.Store(true)
			c := command{bin: bin, dir: filepath.Join(w.W, "proj"), env: w.Env()}
			cmd := c.prepare(t.Context(), append([]string{tt.args[0], "--json", "--approve", "allow"}, tt.args[1:]...)...)
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				close(answer) // the kernel keeps whoever is in such a call
				cmd.Wait()
				w.Bash("umount -l proj/f 2>/dev/null") // where it is mounted a second time
			})
			<-reached
			said := make(chan string, 1)
			go func() {
				line, _ := bufio.NewReader(stdout).ReadString('\n')
				said <- line
			}()
			for range 2 {
				cmd.Process.Signal(os.Interrupt)
				time.Sleep(100 * time.Millisecond)
			}
			select {
			case line := <-said:
				if !strings.Contains(line, `"effect":"unknown"`) || !strings.Contains(line, `"ABORTED"`) {
					t.Error(line)
				}
			case <-time.After(20 * time.Second):
				t.Error("it still waits")
			}
		})
	}
}

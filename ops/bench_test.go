package ops_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"codemode/ops"
)

// grow makes dirs directories of files small files each.
func grow(b *testing.B, top string, dirs, files int) {
	b.Helper()
	data := make([]byte, 1500)
	for d := range dirs {
		dir := filepath.Join(top, fmt.Sprint("d", d))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for f := range files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("f", f)), data, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func benchSession(b *testing.B) (string, *ops.Session) {
	b.Helper()
	base := ""
	if _, err := os.Stat("/dev/shm"); err == nil {
		base = "/dev/shm"
	}
	dir, err := os.MkdirTemp(base, "codemode-bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		b.Fatalf("%v %s", err, out)
	}
	s, err := ops.Open(ops.Config{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return dir, s
}

func do(b *testing.B, s *ops.Session, op ops.Operation, path, target string) {
	b.Helper()
	if r := s.Do(b.Context(), ops.Request{Operation: op, Path: path, Target: target}); !r.OK {
		b.Fatal(r.Err())
	}
}

// BenchmarkTree copies and deletes 4,000 small files in 40 directories; the
// sub-benchmarks named after programs do the same with those.
func BenchmarkTree(b *testing.B) {
	const entries = 4041
	dir, s := benchSession(b)
	grow(b, filepath.Join(dir, "src"), 40, 100)
	run := func(name string, arg ...string) {
		if out, err := exec.Command(name, arg...).CombinedOutput(); err != nil {
			b.Fatalf("%v %s", err, out)
		}
	}
	src, dst := filepath.Join(dir, "src"), filepath.Join(dir, "dst")
	perEntry := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/entries, "ns/entry")
	}
	b.Run("copy", func(b *testing.B) {
		for b.Loop() {
			do(b, s, ops.Copy, "src", "dst")
			b.StopTimer()
			run("rm", "-rf", dst)
			b.StartTimer()
		}
		perEntry(b)
	})
	b.Run("copy/cp", func(b *testing.B) {
		for b.Loop() {
			run("cp", "-r", src, dst)
			b.StopTimer()
			run("rm", "-rf", dst)
			b.StartTimer()
		}
		perEntry(b)
	})
	b.Run("delete", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			run("cp", "-r", src, dst)
			b.StartTimer()
			do(b, s, ops.Delete, "dst", "")
		}
		perEntry(b)
	})
	b.Run("delete/rm", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			run("cp", "-r", src, dst)
			b.StartTimer()
			run("rm", "-rf", dst)
		}
		perEntry(b)
	})
}

// BenchmarkMove moves one file, and one directory, to and fro.
func BenchmarkMove(b *testing.B) {
	for name, files := range map[string]int{"file": 0, "directory of 1000": 1000} {
		b.Run(name, func(b *testing.B) {
			dir, s := benchSession(b)
			if files == 0 {
				os.WriteFile(filepath.Join(dir, "a"), nil, 0o644)
			} else {
				grow(b, filepath.Join(dir, "a"), 1, files)
			}
			from, to := "a", "b"
			for b.Loop() {
				do(b, s, ops.Move, from, to)
				from, to = to, from
			}
		})
	}
}

package ops_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"codemode/ops"
	"codemode/ops/opstest"
)

// meanwhile repeats act until the test calls the returned function.
func meanwhile(act func()) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			default:
				act()
			}
		}
	}()
	return func() { close(quit); <-done }
}

// Attack: between check and act a parent is swapped for a link that leads out
// of the root. Whatever a call answers, nothing outside may be touched.
func TestConfinedParentIsSwapped(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir -p proj box/d box/src out; printf k > out/victim; printf s > box/src/f", true)
	s, err := ops.Open(ops.Config{Root: filepath.Join(w.W, "box")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d := filepath.Join(w.W, "box/d")
	stop := meanwhile(func() {
		os.RemoveAll(d)
		os.Symlink("../out", d)
		os.Remove(d)
		os.Mkdir(d, 0o755)
		os.WriteFile(d+"/victim", []byte("v"), 0o644)
	})
	effects := map[ops.Effect]int{}
	for i := range 300 {
		for _, r := range []ops.Receipt{
			s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "d/victim"}),
			s.Do(t.Context(), ops.Request{Operation: ops.Copy, Path: "src", Target: fmt.Sprintf("d/new%d", i)}),
			s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "d"}),
		} {
			effects[r.Effect]++
		}
		s.Query(t.Context(), "read", []byte(`{"path":"d/victim"}`), "")
	}
	stop()
	t.Log(effects)
	w.Check(t, "test \"$(ls -A out)\" = victim\ntest \"$(cat out/victim)\" = k")
}

// Promise: while a directory is replaced, its name always holds the complete
// old tree or the complete new one.
func TestReplacedDirectoryIsNeverMissing(t *testing.T) {
	t.Parallel()
	w, s := open(t, "mkdir proj/t; printf 0 > proj/t/v", ops.Config{})
	target := filepath.Join(w.W, "proj/t")
	misses := 0
	stop := meanwhile(func() {
		if _, err := os.Lstat(target); err != nil {
			misses++
		}
	})
	for i := range 200 {
		src := filepath.Join(w.W, "proj", fmt.Sprint("s", i))
		os.Mkdir(src, 0o755)
		os.WriteFile(src+"/v", []byte("x"), 0o644)
		wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Move, Path: src, Target: "t", Overwrite: ops.OverwriteAny}), ops.Applied, "")
	}
	stop()
	if misses > 0 {
		t.Errorf("the name was empty %d times", misses)
	}
	w.Check(t, "test \"$(ls -A proj | sort | tr '\\n' ' ')\" = '.git t '")
}

// Promise: a destination file is always the complete old one or the complete
// new one.
func TestNoHalfWrittenFile(t *testing.T) {
	t.Parallel()
	const size = 3 << 20
	w, s := open(t, "mkdir proj/a proj/b proj/t", ops.Config{})
	for i, name := range []string{"a", "b"} {
		data := make([]byte, size)
		for j := range data {
			data[j] = byte('0' + i)
		}
		os.WriteFile(filepath.Join(w.W, "proj", name, "f"), data, 0o644)
	}
	target := filepath.Join(w.W, "proj/t/f")
	bad := 0
	stop := meanwhile(func() {
		data, err := os.ReadFile(target)
		if err == nil && (len(data) != size || data[0] != data[size-1]) {
			bad++
		}
	})
	for i := range 40 {
		source := string("ab"[i%2])
		wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Copy, Path: source, Target: "t", Overwrite: ops.OverwriteAny}), ops.Applied, "")
		wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Copy, Path: source + "/f", Target: "t/f", Overwrite: ops.OverwriteAny}), ops.Applied, "")
	}
	stop()
	if bad > 0 {
		t.Errorf("%d half-written files were seen", bad)
	}
}

// Somebody else removes and makes files in the source while it is copied.
func TestSourceChangesDuringCopy(t *testing.T) {
	t.Parallel()
	w, s := open(t, "mkdir proj/src; for i in $(seq 200); do printf $i > proj/src/f$i; done", ops.Config{})
	victim := filepath.Join(w.W, "proj/src/f150")
	stop := meanwhile(func() {
		os.Remove(victim)
		os.WriteFile(victim, []byte("150"), 0o644)
	})
	defer stop()
	for i := range 8 {
		r := s.Do(t.Context(), ops.Request{Operation: ops.Copy, Path: "src", Target: fmt.Sprint("dst", i)})
		if r.Effect == ops.Applied {
			continue
		}
		if _, err := os.Lstat(filepath.Join(w.W, "proj", fmt.Sprint("dst", i))); err == nil {
			t.Errorf("%v, and yet the target exists", r.Err())
		}
	}
	w.Check(t, "test $(ls proj/src | wc -l) -ge 199\ntest -z \"$(find proj -name '.codemode-*')\"")
}

// A write into the source of a Move between file systems must not be lost,
// whenever it comes.
func TestWriteDuringMoveAcross(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t, opstest.TwoFS)
	w.Setup(t, "mkdir proj", false)
	s, err := ops.Open(ops.Config{Dir: filepath.Join(w.W, "proj")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for round := range 12 {
		src, dst := fmt.Sprint("src", round), filepath.Join(w.X, fmt.Sprint("dst", round))
		if out, err := w.Bash(fmt.Sprintf("mkdir proj/%[1]s; for i in $(seq 100); do printf $i > proj/%[1]s/f$i; done", src)); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		log := filepath.Join(w.W, "proj", src, "log")
		written := 0
		stop := meanwhile(func() {
			f, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
			if err != nil {
				return
			}
			if _, err := f.WriteString("x"); err == nil {
				written++
			}
			f.Close()
			time.Sleep(time.Duration(round) * time.Millisecond)
		})
		r := s.Do(t.Context(), ops.Request{Operation: ops.Move, Path: src, Target: dst})
		stop()
		here, _ := os.ReadFile(log)
		there, _ := os.ReadFile(filepath.Join(dst, "log"))
		if max(len(here), len(there)) < written-1 { // one may be open when the source is hidden
			t.Errorf("%s: %d written, %d here, %d there (%v)", r.Effect, written, len(here), len(there), r.Err())
		}
		for i := 1; i <= 100; i++ {
			name := fmt.Sprint("f", i)
			_, errHere := os.Stat(filepath.Join(w.W, "proj", src, name))
			_, errThere := os.Stat(filepath.Join(dst, name))
			if errHere != nil && errThere != nil {
				t.Errorf("%s: %s is lost (%v)", r.Effect, name, r.Err())
			}
		}
	}
	w.Check(t, "test -z \"$(find proj $X -name '.codemode-*')\"")
}

func TestHugeDirectory(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t, opstest.TwoFS) // in memory, where unlinking 200,000 files is quick
	w.Setup(t, "git init -q $X; mkdir $X/d; cd $X/d; seq 100000 | xargs touch", true)
	s, err := ops.Open(ops.Config{Dir: w.X})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := s.Do(t.Context(), ops.Request{Operation: ops.Copy, Path: "d", Target: "e"})
	wantReceipt(t, r, ops.Applied, "")
	if r.Entries != 100001 {
		t.Errorf("%d entries", r.Entries)
	}
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "d"}), ops.Applied, "")
	wantReceipt(t, s.Do(t.Context(), ops.Request{Operation: ops.Delete, Path: "e"}), ops.Applied, "")
	w.Check(t, "test \"$(ls -A $X)\" = .git")
}

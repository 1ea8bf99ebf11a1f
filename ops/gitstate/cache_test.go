package gitstate

import (
	"crypto/sha1"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// age makes the index of a repository look old enough to be kept by its stamp.
// The change time cannot be set, so the trust in it is set instead.
func (in *Inspector) age(t *testing.T) {
	t.Helper()
	for _, s := range in.slots {
		for _, i := range s.inputs {
			i.settled = true
		}
	}
}

// The answer is never older than the question, whatever was kept.
func TestKeptIndexIsCurrent(t *testing.T) {
	t.Parallel()
	for _, split := range []string{"", "; git -C proj update-index --split-index"} {
		w := newWorld(t, "repo proj"+split)
		in := New(Options{})
		w.asks(t, in, "proj", "free proj/u \n tracked proj/t")
		for range 3 {
			in.age(t)
			w.sh("git -C proj add u")
			w.asks(t, in, "proj", "tracked proj/u")
			in.age(t)
			w.sh("git -C proj rm -q --cached u")
			w.asks(t, in, "proj", "free proj/u")
		}
		in.age(t)
		w.sh("mv proj/.git/index away")
		w.asks(t, in, "proj", "doubt proj/u proj/t")
		w.sh("mv away proj/.git/index")
		w.asks(t, in, "proj", "free proj/u \n tracked proj/t")
		if split != "" {
			in.age(t)
			w.sh("for f in proj/.git/sharedindex.*; do mv $f away; done")
			w.asks(t, in, "proj", "doubt proj/u proj/t")
			continue
		}
		in.age(t)
		w.sh("printf x >> proj/.git/index")
		w.asks(t, in, "proj", "doubt proj/u proj/t")
	}
}

// A change that leaves size and times as they were is seen by the change time,
// and where that ticked too coarsely, by the content.
func TestSameSizeSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `git init -q proj; printf a > proj/a; git -C proj add a; git -C proj ls-files > /dev/null; cp -p proj/.git/index one
		git -C proj rm -q --cached a; printf b > proj/b; git -C proj add b; cp -p proj/.git/index two; touch -r one two; [ "$(stat -c %s one)" = "$(stat -c %s two)" ]`)
	in := New(Options{})
	for i := range 20 {
		from, tracked, free := "one", "a", "b"
		if i%2 == 1 {
			from, tracked, free = "two", "b", "a"
		}
		data, err := os.ReadFile(w.path(from))
		if err != nil {
			t.Fatal(err)
		}
		index := w.path("proj/.git/index")
		fi, _ := os.Stat(w.path(from))
		f, err := os.OpenFile(index, os.O_WRONLY, 0) // in place: the inode stays
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(data)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(index, fi.ModTime(), fi.ModTime()); err != nil {
			t.Fatal(err)
		}
		w.asks(t, in, "proj", "tracked proj/"+tracked+"\nfree proj/"+free)
	}
}

// Where the clock ticks so coarsely that a change leaves the stamp as it was,
// only the content tells.
func TestUnsettledStampProvesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "index")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tail := strings.Repeat("t", tailSize)
	write("one" + tail)
	i := &input{path: path, limit: maxIndex, newHash: sha1.New}
	_, sum, err := i.read()
	if err != nil {
		t.Fatal(err)
	}
	i.sum = sum()
	write("two" + tail)
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	i.stamp = stampOf(fi)
	if i.same() {
		t.Error("a change within one tick of the clock was not seen")
	}
	if !i.same() {
		t.Error("the new state is not the same as itself")
	}
	os.Remove(path)
	if i.same() {
		t.Error("a file that is gone is the same")
	}
	if !i.same() {
		t.Error("a file that is still gone has changed")
	}
}

func TestSettled(t *testing.T) {
	t.Parallel()
	now := time.Now()
	ns := func(d time.Duration) int64 { return now.Add(d).UnixNano() }
	for _, c := range []struct {
		name         string
		mtime, ctime time.Duration
		exact, want  bool
	}{
		{"old", -time.Hour, -time.Hour, true, true},
		{"fresh", -time.Second, -time.Second, true, false},
		{"time set back", -time.Hour, -time.Second, true, false},
		{"from the future", time.Hour, -time.Hour, true, false},
		{"a platform that cannot tell", -time.Hour, -time.Hour, false, false},
	} {
		s := stamp{mtime: ns(c.mtime), ctime: ns(c.ctime), exact: c.exact}
		if got := s.settled(now); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A fresh index is not trusted by its stamp, and is not decoded twice either.
func TestFreshIndexIsComparedNotDecoded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "repo proj")
	in := New(Options{})
	w.asks(t, in, "proj", "tracked proj/t")
	before := in.slots[slotKey{w.path("proj/.git/index"), "sha1"}].names
	w.asks(t, in, "proj", "tracked proj/t")
	s := in.slots[slotKey{w.path("proj/.git/index"), "sha1"}]
	if s.names != before {
		t.Error("the same content was decoded again")
	}
	if s.inputs[0].settled {
		t.Error("a file written just now counts as settled")
	}
}

func TestManyRepositories(t *testing.T) {
	t.Parallel()
	setup, asks := "", ""
	for i := range maxSlots + 4 {
		setup += fmt.Sprintf("git init -q r%d; printf t > r%d/t; git -C r%d add t;", i, i, i)
		asks += fmt.Sprintf("tracked r%d/t\nfree r%d/u\n", i, i)
	}
	w := newWorld(t, setup)
	in := New(Options{})
	w.asks(t, in, "r0", asks)
	w.asks(t, in, "r0", asks)
	if len(in.slots) > maxSlots {
		t.Errorf("%d indexes are kept", len(in.slots))
	}
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "repo proj; repo split; git -C split update-index --split-index; git init -q busy; touch busy/a busy/t; git -C busy add t")
	in := New(Options{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				w.asks(t, in, "proj", "tracked proj/t split/t busy/t \n free proj/u split/u")
				in.Project(t.Context(), filepath.Join(w.dir, "proj"))
			}
		})
	}
	wg.Go(func() {
		for range 10 {
			w.sh("git -C busy add a; git -C busy rm -q --cached a")
		}
	})
	wg.Wait()
}

// An index that was left alone is trusted by its stamp, and the first write
// ends that, even one that puts size and time back.
func TestSettledIndexIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `git init -q proj; printf a > proj/a; git -C proj add a; cp proj/.git/index one
		git -C proj rm -q --cached a; printf a > proj/b; git -C proj add b; cp proj/.git/index two; [ "$(stat -c %s one)" = "$(stat -c %s two)" ]; cat one > proj/.git/index`)
	in := New(Options{})
	time.Sleep(settleTime + 100*time.Millisecond)
	w.asks(t, in, "proj", "tracked proj/a")
	i := in.slots[slotKey{w.path("proj/.git/index"), "sha1"}].inputs[0]
	if !i.stamp.exact {
		t.Skip("this platform never trusts a stamp")
	}
	if !i.settled || !i.sameTail() {
		t.Fatal("an old index is not trusted")
	}
	w.sh("touch -r proj/.git/index time; cat two > proj/.git/index; touch -r time proj/.git/index")
	w.asks(t, in, "proj", "tracked proj/b \n free proj/a")
}

// What git lists belongs to no state of the index when that changes meanwhile.
func TestIndexChangesWhileGitReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `repo proj; git -C proj update-index --split-index
		cat > meddling <<-EOF
			#!/bin/sh
			git -C "$W/proj" update-index --add --cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,new-\$\$
			exec git "\$@"
		EOF
		chmod +x meddling`)
	in := New(Options{Git: w.path("meddling")})
	_, v := w.verdict(in, "proj/u", "proj")
	if !strings.Contains(v.Doubt, "keeps changing") {
		t.Errorf("the verdict is %+v", v)
	}
}

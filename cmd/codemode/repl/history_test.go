package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func history(t *testing.T, path string) *History {
	t.Helper()
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHistoryIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	h := history(t, path)
	want := []string{"1 + 1", "several\n  lines\n", "with \"quotes\" and 宽", "1 + 1"}
	for _, entry := range append(want, "1 + 1", "", strings.Repeat("x", maxEntry+1)) {
		if err := h.Add(entry); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("\"torn") // by a crash
	f.Close()
	if err := history(t, path).Add("after it"); err != nil {
		t.Fatal(err)
	}
	want = append(want, "after it")
	if got := history(t, path).Entries(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Several sessions add at once, and none loses what another has added.
func TestHistoriesAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	var sessions sync.WaitGroup
	for s := range 4 {
		h := history(t, path)
		sessions.Go(func() {
			for i := range 100 {
				if err := h.Add(fmt.Sprintf("%d of %d\nand more", i, s)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	sessions.Wait()
	all := history(t, path).Entries()
	slices.Sort(all)
	if len(slices.Compact(all)) != 400 {
		t.Errorf("%d entries", len(all))
	}
}

func TestHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h := history(t, path)
	for i := range 150 {
		if err := h.Add(fmt.Sprintf("%d%s", i, strings.Repeat("x", 10_000))); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxHistory {
		t.Fatalf("%d bytes, %v", info.Size(), err)
	}
	if all := history(t, path).Entries(); !strings.HasPrefix(all[len(all)-1], "149x") || len(all) < 40 {
		t.Errorf("%d entries", len(all))
	}
	for i := range maxEntries + 10 {
		h.mu.Lock()
		h.path = ""
		h.mu.Unlock()
		h.Add(fmt.Sprint(i))
	}
	if n := len(h.Entries()); n != maxEntries {
		t.Errorf("%d entries", n)
	}
}

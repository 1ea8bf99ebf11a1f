//go:build unix

package journal_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"codemode/ops/journal"
)

// TestAReaderDoesNotKeepARunFromBeginning holds the lock as a reader does that
// looks at a journal which was made a moment ago.
func TestAReaderDoesNotKeepARunFromBeginning(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "j")
	writer, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	fd := int(reader.Fd())
	if err := unix.Flock(fd, unix.LOCK_SH); err != nil {
		t.Fatal(err)
	}
	looked := make(chan error)
	go func() {
		time.Sleep(20 * time.Millisecond)
		looked <- unix.Flock(fd, unix.LOCK_UN)
	}()
	if err := journal.Claim(writer); err != nil {
		t.Error(err)
	}
	if err := <-looked; err != nil {
		t.Error(err)
	}
}

// TestIDsStayUniqueWhenTheClockStands makes many runs within one moment: what
// tells them apart is not the time.
func TestIDsStayUniqueWhenTheClockStands(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		id := journal.NewID(time.Unix(0, 0))
		if seen[id] {
			t.Fatalf("%s twice", id)
		}
		seen[id] = true
	}
}

package repl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Bounds of a history.
const (
	maxEntries = 2000
	maxEntry   = 64 << 10 // bytes; what is longer is not kept
	maxHistory = 1 << 20  // bytes of the file, beyond which the older half goes
)

// A History is what was typed, in this session and in earlier ones. Its file has
// one JSON string a line, so that an entry may have lines of its own; several
// sessions may add to it at once.
type History struct {
	path string // "" where it is not kept

	mu      sync.Mutex
	entries []string
}

// OpenHistory reads the history in a file, which need not exist. With an empty
// path it lasts as long as the session.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	if path == "" {
		return h, nil
	}
	entries, err := readEntries(path)
	h.entries = entries
	return h, err
}

// Add appends an entry, unless it is the last one again.
func (h *History) Add(entry string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.entries); entry == "" || len(entry) > maxEntry || n > 0 && h.entries[n-1] == entry {
		return nil
	}
	h.entries = append(h.entries, entry)
	if len(h.entries) > maxEntries {
		h.entries = append([]string{}, h.entries[len(h.entries)-maxEntries:]...)
	}
	if h.path == "" {
		return nil
	}
	return appendEntry(h.path, entry)
}

// Entries are all entries, oldest first.
func (h *History) Entries() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string{}, h.entries...)
}

func readEntries(path string) ([]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var entries []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 8*maxEntry)
	for lines.Scan() {
		var entry string
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry != "" { // a torn line is passed over
			entries = append(entries, entry)
		}
	}
	return entries[max(len(entries)-maxEntries, 0):], lines.Err()
}

// appendEntry adds an entry to the file. It is the person's alone, like the
// journals beside it.
func appendEntry(path, entry string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unlock, err := lockedfile.MutexAt(path + ".lock").Lock()
	if err != nil {
		return err
	}
	defer unlock()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Chmod(0o600); err != nil {
		return err
	}
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	info, err := f.Stat()
	if err != nil {
		return err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
		line = append([]byte{'\n'}, line...) // behind what a crash has torn
	}
	if _, err := f.Write(line); err != nil {
		return err
	}
	if info.Size()+int64(len(line)) <= maxHistory {
		return nil
	}
	return compact(path)
}

// compact leaves the newest entries only.
func compact(path string) error {
	entries, err := readEntries(path)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for size, i := 0, len(entries)-1; i >= 0; i-- { // the newest that fit into half of the bound
		if size += len(entries[i]); size > maxHistory/2 {
			entries = entries[i+1:]
			break
		}
	}
	for _, entry := range entries {
		line, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	next := path + ".new"
	if err := os.WriteFile(next, text.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}

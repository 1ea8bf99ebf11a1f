package journal

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const suffix = ".jsonl"

// Options of [Create].
type Options struct {
	// Sync makes every line durable against power loss before Append returns.
	Sync bool
}

// Run is the journal of one run that goes on. It is safe for concurrent use.
type Run struct {
	id   string
	path string
	sync bool

	mu   sync.Mutex
	file *os.File
	size int64 // of the whole lines written
	err  error // why the journal can no longer be trusted
}

// Durable reports whether records survive a power loss, see [Options.Sync].
func (r *Run) Durable() bool { return r.sync }

// NewID makes a run's name: it sorts by time and is unique.
func NewID(now time.Time) string {
	var random [4]byte
	rand.Read(random[:])
	return now.UTC().Format("20060102T150405.000Z")[:19] + "-" + hex.EncodeToString(random[:])
}

// Create starts the journal of a new run in dir, which is made if necessary.
// Directory and file are the owner's alone.
func Create(dir string, opts Options) (*Run, error) {
	existed := nearest(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for {
		id := NewID(time.Now())
		path := filepath.Join(dir, id+suffix)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := claim(f); err != nil {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if opts.Sync {
			if err := syncMade(dir, existed); err != nil {
				f.Close()
				return nil, err
			}
		}
		return &Run{id: id, path: path, sync: opts.Sync, file: f}, nil
	}
}

// claim locks the journal of a new run. Whoever reads it just then holds it for a
// moment, too, to find out whether its writer is alive.
func claim(f *os.File) error {
	err := lock(f)
	for range 200 {
		if !busy(err) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
		err = lock(f)
	}
	return err
}

// syncMade makes a directory durable, with those around it that were made for it.
func syncMade(dir, existed string) error {
	for {
		if err := syncDir(dir); err != nil || dir == existed || dir == filepath.Dir(dir) {
			return err
		}
		dir = filepath.Dir(dir)
	}
}

// nearest is the innermost directory at or above dir that exists.
func nearest(dir string) string {
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// ID names the run.
func (r *Run) ID() string { return r.id }

// Path is the journal's file.
func (r *Run) Path() string { return r.path }

// Append writes v as one JSON line: with its own AppendJSON if it has one, else
// as encoding/json does. After an error the line is not part of the
// journal: a torn piece of it is cut off again where possible, and closed with
// a line end otherwise, which readers pass over.
func (r *Run) Append(v any) error {
	line, err := encode(v)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	n, err := r.file.Write(line)
	if err == nil && r.sync {
		err = r.file.Sync()
		if err != nil {
			// After a failed sync nobody knows what the disk holds.
			r.err = err
			return err
		}
	}
	if err != nil {
		if n > 0 && r.file.Truncate(r.size) != nil {
			r.err = err
		}
		return err
	}
	r.size += int64(n)
	return nil
}

func encode(v any) ([]byte, error) {
	if v, ok := v.(interface {
		AppendJSON([]byte) ([]byte, error)
	}); ok {
		return v.AppendJSON(make([]byte, 0, 512))
	}
	return json.Marshal(v)
}

// Err says why nothing can be recorded any more, if so.
func (r *Run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close ends the run. A run whose process ends without it reads as interrupted
// unless its last line says that it finished.
func (r *Run) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = os.ErrClosed
	}
	return r.file.Close()
}

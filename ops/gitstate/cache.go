package gitstate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// slotKey names one index. The hash is part of it because it decides how the
// file is read.
type slotKey struct{ index, format string }

// slot keeps the names of one index together with the files they were read
// from.
type slot struct {
	busy   chan struct{} // held while the slot is read or filled
	used   uint64
	names  *names
	inputs []*input
}

// maxSlots bounds how many indexes are kept; the least used goes first.
const maxSlots = 16

var errNoIndex = errors.New("has no index")

// index returns the names in the index of a repository. The error of a
// repository without one is errNoIndex.
func (in *Inspector) index(ctx context.Context, r *repository) (*names, error) {
	path := filepath.Join(r.gitDir, "index")
	s := in.slot(slotKey{path, r.settings.objectFormat})
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.names != nil && allSame(s.inputs) {
		return s.names, nil
	}
	s.names, s.inputs = nil, nil
	for range 3 {
		n, inputs, err := in.readIndex(ctx, r, path)
		if errors.Is(err, errUnstable) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s.names, s.inputs = n, inputs
		return n, nil
	}
	return nil, fmt.Errorf("%q %w", path, errUnstable)
}

func (in *Inspector) slot(key slotKey) *slot {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.clock++
	s := in.slots[key]
	if s == nil {
		if len(in.slots) >= maxSlots {
			oldest := key
			for k, s := range in.slots {
				if oldest == key || s.used < in.slots[oldest].used {
					oldest = k
				}
			}
			delete(in.slots, oldest)
		}
		s = &slot{busy: make(chan struct{}, 1)}
		in.slots[key] = s
	}
	s.used = in.clock
	return s
}

func (in *Inspector) readIndex(ctx context.Context, r *repository, path string) (*names, []*input, error) {
	file, data, err := readInput(path, maxIndex)
	if absent(err) {
		if _, lerr := os.Lstat(path); !absent(lerr) {
			return nil, nil, fmt.Errorf("%q is a link that leads nowhere", path)
		}
		return nil, nil, errNoIndex
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%q cannot be read (%s)", path, reason(err))
	}
	n, err := decodeIndex(data, r.settings.objectFormat)
	if err == nil {
		return n, []*input{file}, nil
	}
	if !errors.Is(err, errNeedsGit) {
		return nil, nil, fmt.Errorf("%q %w", path, err)
	}

	// What git says depends on more files than the index. All of them have to
	// be the same before and after.
	inputs := []*input{file}
	for _, other := range gitInputs(r) {
		i, _, err := readInput(other, maxIndex)
		if err != nil && !absent(err) {
			return nil, nil, fmt.Errorf("%q cannot be read (%s)", other, reason(err))
		}
		inputs = append(inputs, i)
	}
	n, err = in.gitNames(ctx, r)
	if err != nil {
		return nil, nil, fmt.Errorf("%q %w, and that failed: %w", path, errNeedsGit, err)
	}
	if !allSame(inputs) {
		return nil, nil, errUnstable
	}
	return n, inputs, nil
}

// gitInputs are the files besides the index that decide what git lists: the
// shared part of a split index, and the config.
func gitInputs(r *repository) []string {
	list := configFiles(r.gitDir, r.commonDir)
	shared, _ := os.ReadDir(r.gitDir)
	for _, e := range shared {
		if name := e.Name(); len(name) > 12 && name[:12] == "sharedindex." {
			list = append(list, filepath.Join(r.gitDir, name))
		}
	}
	return list
}

// input is a file that an answer was made from, in the state it then had.
type input struct {
	path    string
	limit   int64
	present bool
	stamp   stamp
	settled bool // the stamp alone proves that nothing changed
	tail    []byte
	sum     [sha256.Size]byte
}

// tailSize covers the checksum that ends an index.
const tailSize = 32

// readInput reads a file and notes its state. For a missing file it returns
// both the input (nothing there) and the error.
func readInput(path string, limit int64) (*input, []byte, error) {
	i := &input{path: path, limit: limit}
	data, err := i.read()
	return i, data, err
}

func (i *input) read() ([]byte, error) {
	now := time.Now()
	data, st, err := readRegular(i.path, i.limit)
	if err != nil {
		*i = input{path: i.path, limit: i.limit}
		return nil, err
	}
	i.present, i.stamp, i.settled = true, st, st.settled(now)
	i.tail = slices.Clone(data[max(0, len(data)-tailSize):])
	i.sum = sha256.Sum256(data)
	return data, nil
}

// same reports whether the file still has the content it was read with. When
// its stamp is settled and equal, that and the last bytes are enough; otherwise
// all of it is read and compared.
func (i *input) same() bool {
	if i.present && i.settled && i.sameStamp() {
		return true
	}
	was := *i
	_, err := i.read()
	if err != nil {
		return !was.present && absent(err)
	}
	return was.present && was.sum == i.sum
}

func (i *input) sameStamp() bool {
	f, fi, err := openRegular(i.path)
	if err != nil {
		return false
	}
	defer f.Close()
	if stampOf(fi) != i.stamp {
		return false
	}
	tail := make([]byte, len(i.tail))
	if _, err := f.ReadAt(tail, max(0, i.stamp.size-tailSize)); err != nil && err != io.EOF {
		return false
	}
	return bytes.Equal(tail, i.tail)
}

func allSame(list []*input) bool {
	for _, i := range list {
		if !i.same() {
			return false
		}
	}
	return true
}

package gitstate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"sync"
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
	file := &input{path: path, limit: maxIndex, newHash: indexHash(r.settings.objectFormat)}
	data, sum, err := file.read()
	if absent(err) {
		if _, lerr := lstat(path); !absent(lerr) {
			return nil, nil, fmt.Errorf("%q is a link that leads nowhere", path)
		}
		return nil, nil, errNoIndex
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%q cannot be read (%s)", path, reason(err))
	}
	n, err := decodeIndex(data, r.settings.objectFormat, sum)
	file.sum = sum()
	if err == nil {
		file.alone = true
		return n, []*input{file}, nil
	}
	if !errors.Is(err, errNeedsGit) {
		return nil, nil, fmt.Errorf("%q %w", path, err)
	}

	// What git says depends on more files than the index. All of them have to
	// be the same before and after.
	inputs := []*input{file}
	for _, other := range gitInputs(r) {
		i := &input{path: other, limit: maxIndex, newHash: sha256.New}
		_, sum, err := i.read()
		i.sum = sum()
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
//
// Its content is known by the size in the stamp, the last bytes and a hash of
// the rest. For an index that is the hash that git itself goes by, SHA-1 most
// of the time. Whoever could make two files for it could also just write the
// second one: all that this has to notice is that a file is another.
type input struct {
	path    string
	limit   int64
	newHash func() hash.Hash
	alone   bool // the answer came from nothing else, and reading it again is no more work than comparing
	present bool
	stamp   stamp
	settled bool // the stamp alone proves that nothing changed
	tail    []byte
	sum     []byte // of all but the last bytes
}

// tailSize covers the checksum that ends an index.
const tailSize = 32

// read returns the whole content and notes the state it was read in. sum is
// for the caller to be called and put into the input, now or later; it may be
// called more than once. A missing file is an error, and noted as missing.
func (i *input) read() (data []byte, sum func() []byte, err error) {
	now := time.Now()
	data, st, d, err := readHashed(i.path, i.limit, i.newHash)
	*i = input{path: i.path, limit: i.limit, newHash: i.newHash}
	if err != nil {
		return nil, func() []byte { return nil }, err
	}
	i.present, i.stamp, i.settled = true, st, st.settled(now)
	i.tail = bytes.Clone(data[max(0, len(data)-tailSize):])
	return data, sync.OnceValue(d.sum), nil
}

// same reports whether the file still has the content it was read with. When
// its stamp is settled and equal, that and the last bytes are enough; otherwise
// all of it is read and compared.
func (i *input) same() bool {
	at, err := stat(i.path)
	if i.present && err == nil && at.stamp == i.stamp {
		if i.settled && i.sameTail() {
			return true
		}
	} else if i.alone {
		return false
	}
	was := *i
	_, sum, err := i.read()
	i.sum, i.alone = sum(), was.alone
	if err != nil {
		return !was.present && absent(err)
	}
	return was.present && was.stamp.size == i.stamp.size && bytes.Equal(was.tail, i.tail) && bytes.Equal(was.sum, i.sum)
}

func (i *input) sameTail() bool {
	f, err := openFile(i.path)
	if err != nil {
		return false
	}
	defer f.close()
	var tail [tailSize]byte
	n, err := f.readAt(tail[:], max(0, i.stamp.size-tailSize))
	return err == nil && bytes.Equal(tail[:n], i.tail)
}

func allSame(list []*input) bool {
	for _, i := range list {
		if !i.same() {
			return false
		}
	}
	return true
}

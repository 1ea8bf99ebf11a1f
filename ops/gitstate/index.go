package gitstate

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	gitindex "github.com/go-git/go-git/v5/plumbing/format/index"
)

// errNeedsGit says that an index is sound as far as can be told, and in a
// format that only git reads.
var errNeedsGit = errors.New("is in a format that only git reads")

// decodeIndex returns the names in an index file.
//
// The decoder leaves a partial result next to its errors; it is never used.
func decodeIndex(data []byte, format string) (*names, error) {
	data, err := checkSum(data, format)
	if err != nil {
		return nil, err
	}
	if format != "sha1" {
		return nil, errNeedsGit
	}
	if err := checkBulk(data); err != nil {
		return nil, err
	}
	entries, err := decodeEntries(data)
	if errors.Is(err, gitindex.ErrUnknownExtension) {
		return nil, errNeedsGit // split or sparse, or newer than this
	}
	if err != nil {
		return nil, err
	}
	return newNames(entries)
}

func decodeEntries(data []byte) (list []entry, err error) {
	defer func() { // a stranger's file and a stranger's parser
		if p := recover(); p != nil {
			list, err = nil, fmt.Errorf("makes the decoder fail: %q", fmt.Sprint(p))
		}
	}()
	var idx gitindex.Index
	if err := gitindex.NewDecoder(bytes.NewReader(data)).Decode(&idx); err != nil {
		return nil, fmt.Errorf("cannot be decoded: %w", err)
	}
	list = make([]entry, len(idx.Entries))
	for i, e := range idx.Entries {
		list[i] = entry{name: e.Name, link: e.Mode == filemode.Submodule}
	}
	return list, nil
}

// checkSum verifies the hash at the end of an index. Git itself does not, and
// lists whatever a damaged file says. All zeros mean that whoever wrote it
// skipped the hash (index.skipHash); then the real one is put there, which the
// decoder insists on.
func checkSum(data []byte, format string) ([]byte, error) {
	var h hash.Hash
	switch format {
	case "sha1":
		h = sha1.New()
	case "sha256":
		h = sha256.New()
	default:
		return nil, fmt.Errorf("uses the unknown hash %q", format)
	}
	if len(data) < indexHeader+h.Size() {
		return nil, errors.New("is too short")
	}
	body, sum := data[:len(data)-h.Size()], data[len(data)-h.Size():]
	h.Write(body)
	switch real := h.Sum(nil); {
	case bytes.Equal(real, sum):
		return data, nil
	case bytes.Count(sum, []byte{0}) == len(sum):
		return append(body[:len(body):len(body)], real...), nil
	}
	return nil, errors.New("has a wrong checksum")
}

const (
	indexHeader = 12
	entryFixed  = 62 // of one entry, before the name
)

// checkBulk refuses an index of version 4 whose names would take far more
// memory than the file. Each name there is a piece of the one before plus a
// tail, so a small file can spell a lot.
func checkBulk(data []byte) error {
	if binary.BigEndian.Uint32(data[4:]) != 4 {
		return nil
	}
	budget := max(64<<20, 8*len(data))
	length := 0
	rest := data[indexHeader:]
	for range binary.BigEndian.Uint32(data[8:]) {
		if len(rest) <= entryFixed {
			return nil // the decoder will say what is wrong
		}
		skip := entryFixed
		if rest[entryFixed-2]&0x40 != 0 {
			skip += 2
		}
		if len(rest) < skip {
			return nil
		}
		strip, used := offsetInt(rest[skip:])
		rest = rest[min(len(rest), skip+used):]
		tail := bytes.IndexByte(rest, 0)
		if used == 0 || tail < 0 || strip > length {
			return nil
		}
		length += tail - strip
		if budget -= length; budget < 0 {
			return errors.New("spells more names than can be believed")
		}
		rest = rest[tail+1:]
	}
	return nil
}

// offsetInt reads the variable-length number that version 4 puts before a
// name; used is 0 when it makes no sense.
func offsetInt(b []byte) (value, used int) {
	for i, c := range b {
		if i == 5 {
			break // longer than any name
		}
		if i > 0 {
			value++
		}
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

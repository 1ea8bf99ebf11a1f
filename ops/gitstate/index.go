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

// indexHash is the hash that ends an index of the given object format.
func indexHash(format string) func() hash.Hash {
	if format == "sha1" {
		return sha1.New
	}
	return sha256.New
}

// decodeIndex returns the names in an index file. sum returns the hash of what
// comes before the hash at its end; it may have to be waited for, so it is
// asked for last.
//
// The decoder leaves a partial result next to its errors; it is never used.
func decodeIndex(data []byte, format string, sum func() []byte) (*names, error) {
	if format != "sha1" && format != "sha256" {
		return nil, fmt.Errorf("uses the unknown hash %q", format)
	}
	end := len(data) - indexHash(format)().Size()
	if end < indexHeader {
		return nil, errors.New("is too short")
	}
	var plain *names
	usual := false
	if format == "sha1" {
		plain, usual = scanIndex(data[:end])
	}
	data, err := checkSum(data, end, sum())
	switch {
	case err != nil:
		return nil, err
	case usual:
		return plain, nil
	case format != "sha1":
		return nil, errNeedsGit
	}
	if binary.BigEndian.Uint32(data[4:]) == 4 {
		if _, err := bulk(data); err != nil { // the decoder has no limit
			return nil, err
		}
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

// checkSum verifies the hash that an index has from end on. Git itself does
// not, and lists whatever a damaged file says. All zeros mean that whoever
// wrote it skipped the hash (index.skipHash); then the real one is put there,
// which the decoder insists on.
func checkSum(data []byte, end int, real []byte) ([]byte, error) {
	switch sum := data[end:]; {
	case bytes.Equal(real, sum):
		return data, nil
	case bytes.Count(sum, []byte{0}) == len(sum):
		return append(data[:end:end], real...), nil
	}
	return nil, errors.New("has a wrong checksum")
}

const (
	indexHeader = 12
	entryFixed  = 62 // of one entry, before the name
)

// bulk is how many bytes all names of an index of version 4 have together, or
// an error if that is far more than the file has. Each name there is a piece
// of the one before plus a tail, so a small file can spell a lot. Of a file
// that makes no sense it measures what comes before that.
func bulk(data []byte) (size int, err error) {
	budget := min(max(64<<20, 8*len(data)), maxNames)
	length := 0
	rest := data[indexHeader:]
	for range binary.BigEndian.Uint32(data[8:]) {
		if len(rest) <= entryFixed {
			break
		}
		skip := entryFixed
		if rest[entryFixed-2]&0x40 != 0 {
			skip += 2
		}
		if len(rest) < skip {
			break
		}
		strip, used := offsetInt(rest[skip:])
		rest = rest[min(len(rest), skip+used):]
		tail := bytes.IndexByte(rest, 0)
		if used == 0 || tail < 0 || strip > length {
			break
		}
		length += tail - strip
		if size += length; size > budget {
			return 0, errManyNames
		}
		rest = rest[tail+1:]
	}
	return size, nil
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

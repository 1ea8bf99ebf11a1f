package gitstate

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"strconv"
	"strings"
	"sync"
)

// scanIndex reads the names in an index as git writes it every day: version 2,
// 3 or 4 with SHA-1, names in order, known optional extensions. body is the
// file without its checksum, which the caller verifies.
//
// It knows one answer besides the names: no. Then nothing is said about the
// file, and whoever reads everything has to look at it. So it can refuse all
// that is unusual and has no error to get wrong; what it accepts is exact to
// the last byte.
func scanIndex(body []byte) (*names, bool) {
	if len(body) < indexHeader || string(body[:4]) != "DIRC" {
		return nil, false
	}
	s := scan{version: binary.BigEndian.Uint32(body[4:]), body: body, at: indexHeader}
	count := binary.BigEndian.Uint32(body[8:])
	if uint64(count) > uint64(len(body)/leastEntry) {
		return nil, false
	}
	size := len(body) - entryFixed*int(count)
	switch s.version {
	case 2, 3:
	case 4:
		var err error
		if size, err = bulk(body); err != nil {
			return nil, false
		}
	default:
		return nil, false
	}
	if size > maxNames {
		return nil, false
	}
	s.names = newBuilder(int(count), size)
	for range count {
		if !s.entry() {
			return nil, false
		}
	}
	for s.at < len(body) {
		if !s.extension() {
			return nil, false
		}
	}
	n := &names{all: s.names.list(), links: s.links}
	n.folded = sync.OnceValue(n.fold)
	return n, true
}

// leastEntry is the size of the smallest entry of any version.
const leastEntry = entryFixed + 2

// scan is a reader on its way through an index.
type scan struct {
	version  uint32
	body     []byte
	at       int // how much of it is read
	names    *builder
	links    []string
	previous int    // where the last name begins in the text of all
	stage    uint16 // of that name
}

// Flags of an entry.
const (
	flagExtended = 1 << 14
	maskStage    = 3 << 12
	maskLength   = 1<<12 - 1 // the largest value means "that or more"

	// The second word that flagExtended announces: skip-worktree, intent-to-add.
	knownExtended = 1<<14 | 1<<13
)

// Modes of an entry. A directory stands only in a sparse index.
const (
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeLink       = 0o120000
	modeGitlink    = 0o160000
)

// entry reads one entry. It does without calls of its own where it can: there
// are hundreds of thousands.
func (s *scan) entry() bool {
	e := s.body[s.at:]
	if len(e) < leastEntry {
		return false
	}
	mode := binary.BigEndian.Uint32(e[24:])
	flags := binary.BigEndian.Uint16(e[entryFixed-2:])
	fixed := entryFixed
	if flags&flagExtended != 0 {
		if s.version == 2 || binary.BigEndian.Uint16(e[entryFixed:])&^knownExtended != 0 {
			return false
		}
		fixed += 2
	}
	length := int(flags & maskLength)
	if length == 0 || length == maskLength {
		return false
	}
	switch mode {
	case modeFile, modeExecutable, modeLink, modeGitlink:
	default:
		return false
	}

	previous := s.names.text.String()[s.previous:]
	strip, tail := 0, length // how much of the name before is not in this one, and how much is new
	size := (fixed + length + 8) &^ 7
	if s.version == 4 {
		used := 0
		if strip, used = offsetInt(e[fixed:]); used == 0 || strip > len(previous) {
			return false
		}
		fixed += used
		tail = length - (len(previous) - strip)
		size = fixed + tail + 1
	}
	if tail < 0 || size > len(e) {
		return false
	}
	// The first NUL is the end of the name, and only NULs follow.
	if bytes.IndexByte(e[fixed:size], 0) != tail || size > fixed+tail+1 && !blank(e[fixed+tail:size]) {
		return false
	}

	kept, added := len(previous)-strip, e[fixed:fixed+tail]
	if s.version != 4 {
		kept = 0
	}
	stage := flags & maskStage
	s.at += size

	// The rest of the name before, against the new part of this one.
	before := previous[kept:]
	switch {
	case before < string(added):
		s.previous = s.names.text.Len()
		s.names.text.WriteString(previous[:kept])
		s.names.text.Write(added)
		s.names.end()
		previous = s.names.text.String()[s.previous:]
		if previous[0] == '/' || previous[length-1] == '/' {
			return false
		}
	case before == string(added) && 0 < s.stage && s.stage < stage: // a conflict has up to three entries
	default:
		return false
	}
	s.stage = stage
	if last := len(s.links) - 1; mode == modeGitlink && (last < 0 || s.links[last] != previous) {
		s.links = append(s.links, strings.Clone(previous))
	}
	return true
}

func blank(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// extension reads one extension. All that git writes are known here, and all
// that is not optional is not for this reader.
func (s *scan) extension() bool {
	const header = 8
	e := s.body[s.at:]
	if len(e) < header {
		return false
	}
	size := binary.BigEndian.Uint32(e[4:])
	if uint64(size) > uint64(len(e)-header) {
		return false
	}
	signature, data := string(e[:4]), e[header:header+int(size)]
	s.at += header + int(size)
	switch signature {
	case "TREE":
		return soundTree(data)
	case "REUC":
		return soundUndo(data)
	case "EOIE":
		return len(data) == 4+sha1.Size
	case "IEOT", "UNTR", "FSMN":
		return true
	}
	return false
}

// soundTree checks the cached trees: for each a path, how many entries it has,
// how many trees are in it, and its object unless it is out of date, which a
// negative number of entries says.
func soundTree(data []byte) bool {
	for len(data) > 0 {
		_, rest, path := bytes.Cut(data, []byte{0})
		entries, rest, blank := bytes.Cut(rest, []byte{' '})
		trees, rest, line := bytes.Cut(rest, []byte{'\n'})
		count, err := strconv.Atoi(string(entries))
		if _, bad := strconv.Atoi(string(trees)); !path || !blank || !line || err != nil || bad != nil {
			return false
		}
		if count >= 0 {
			if len(rest) < sha1.Size {
				return false
			}
			rest = rest[sha1.Size:]
		}
		data = rest
	}
	return true
}

// soundUndo checks what resolving a conflict left: for each path three modes,
// and an object for every mode that is not zero.
func soundUndo(data []byte) bool {
	for len(data) > 0 {
		_, rest, ok := bytes.Cut(data, []byte{0})
		if !ok {
			return false
		}
		objects := 0
		for range 3 {
			var mode []byte
			mode, rest, ok = bytes.Cut(rest, []byte{0})
			n, err := strconv.ParseInt(string(mode), 8, 64)
			if !ok || err != nil {
				return false
			}
			if n != 0 {
				objects += sha1.Size
			}
		}
		if len(rest) < objects {
			return false
		}
		data = rest[objects:]
	}
	return true
}

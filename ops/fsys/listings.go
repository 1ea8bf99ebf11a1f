package fsys

import (
	"hash/maphash"
	"sync"
)

// Listings remembers what the directories of a tree held when it was surveyed:
// the name, number and kind of every entry, summed up in some twenty bytes for
// each directory. A removal compares before it takes anything out of a
// directory, so that nothing is removed that no check has seen.
//
// What a file contains is not part of it: a log that is written to meanwhile
// is still the same entry.
type Listings struct {
	mu   sync.Mutex
	sums map[uint64]int64 // the bytes of a directory's own files, by what it held
	full bool
}

// maxListings bounds the memory: about 48 MiB. In a tree of more directories
// the later ones are removed as they are found, the way all of them were
// before there was a survey to compare with.
const maxListings = 2 << 20

var listingSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// listing sums up one directory, in no particular order.
type listing struct {
	sum, count uint64
}

func (l *listing) add(name string, ino uint64, kind byte) {
	// The name's hash is secret, so that no other entry can be made to weigh
	// the same; the rest is the finish of a common mixing function.
	h := maphash.String(listingSeeds[0], name)
	h ^= (ino*0x9e3779b97f4a7c15 + uint64(kind)) * 0xd1342543de82ef95
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	l.sum += h ^ h>>31
	l.count++
}

func (l listing) of(directory Identity) uint64 {
	return maphash.Comparable(listingSeeds[1], struct {
		Identity
		listing
	}{directory, l})
}

// note remembers what a directory holds, and the bytes of the files in it.
func (ls *Listings) note(directory Identity, l listing, bytes int64) {
	if ls == nil {
		return
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.sums == nil {
		ls.sums = map[uint64]int64{}
	}
	if ls.full = len(ls.sums) >= maxListings; !ls.full {
		ls.sums[l.of(directory)] = bytes
	}
}

// holds reports whether a directory holds what was noted, and the bytes then.
// Without listings every directory does.
func (ls *Listings) holds(directory Identity, l listing) (bytes int64, same bool) {
	if ls == nil {
		return 0, true
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	bytes, known := ls.sums[l.of(directory)]
	return bytes, known || ls.full
}

package fsys

import (
	"encoding/binary"
	"hash/maphash"
)

// Digest sums up a tree: names, identities, kinds, modes, sizes and times of
// all entries, in no particular order, so that it can be made by several
// workers. Digests are comparable within one process only.
type Digest [2]uint64

// The seeds are random so that nobody can prepare two trees with the same digest.
var digestSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func (d *Digest) join(other Digest) {
	d[0] += other[0]
	d[1] += other[1]
}

// add takes an entry into a digest. record is memory to work in.
func (d *Digest) add(record []byte, parent Identity, name string, info *Info) []byte {
	put := binary.NativeEndian.AppendUint64
	root := uint64(0)
	if info.MountRoot {
		root = 1
	}
	record = put(record[:0], parent.Dev)
	record = put(record, parent.Ino)
	record = put(record, info.Dev)
	record = put(record, info.Ino)
	record = put(record, uint64(info.Mode)<<32|uint64(info.Links))
	record = put(record, uint64(info.UID)<<32|uint64(info.GID))
	record = put(record, uint64(info.Size))
	record = put(record, uint64(info.Mtime.UnixNano()))
	record = put(record, uint64(info.Ctime.UnixNano()))
	record = put(record, info.Mount<<1|root)
	record = append(record, info.Kind...)
	record = append(record, 0)
	record = append(record, name...)
	for i, seed := range digestSeeds {
		d[i] += maphash.Bytes(seed, record)
	}
	return record
}

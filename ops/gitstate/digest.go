package gitstate

import "hash"

// digest hashes what it is given, of a large file on another processor: an
// index is hashed for longer than it is read and understood.
type digest struct {
	hash   hash.Hash
	pieces chan []byte   // nil when everything is hashed on the spot
	done   chan struct{} // closed when the last piece is hashed
}

// newDigest returns a digest of size bytes.
func newDigest(h hash.Hash, size int) *digest {
	d := &digest{hash: h}
	if size <= pieceSize {
		return d
	}
	d.pieces, d.done = make(chan []byte, size/pieceSize+1), make(chan struct{})
	go func() {
		defer close(d.done)
		for p := range d.pieces {
			d.hash.Write(p)
		}
	}()
	return d
}

// write gives the digest the next bytes, which must not change any more.
func (d *digest) write(p []byte) {
	if d.pieces == nil {
		d.hash.Write(p)
		return
	}
	d.pieces <- p
}

// sum waits for the hash of everything written. It has to be called once, or
// a goroutine stays.
func (d *digest) sum() []byte {
	if d.pieces != nil {
		close(d.pieces)
		<-d.done
	}
	return d.hash.Sum(nil)
}

package runtime

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Between two processes each method of message.go is one frame: a byte for its
// type, its length in four bytes, little endian, and its fields one after the
// other. A field is a byte, a number of eight bytes, or a text: its length in
// four bytes and its bytes. There is nothing optional and no version; both ends
// are the same program.
const (
	frameHeader = 5

	// From the engine's half. See [upward].
	frameCall    byte = 1
	frameRelease byte = 2
	frameFail    byte = 3
	frameOutput  byte = 4
	frameStore   byte = 5
	frameLoad    byte = 6
	frameDone    byte = 7
	frameSeen    byte = 8
	frameModule  byte = 9

	// From the host's half. See [downward].
	frameJob    byte = 17
	frameSettle byte = 18
	frameStop   byte = 19
	frameStored byte = 20
	frameLoaded byte = 21
	frameFound  byte = 22
)

// How much one frame may hold. What comes from the engine's half is bounded by
// what the engine's half itself lets a script do, with room for fields.
const (
	frameRoom = 64 << 10
	maxOutput = 16 << 20 // text or base64 of one piece of output
	maxDown   = 1 << 30  // the child trusts its parent, and has a memory limit
)

// maxFrame is the longest frame of each type; 0 for types that do not exist.
var maxFrame = [...]int{
	frameCall:    maxArgBytes + frameRoom,
	frameRelease: 0,
	frameFail:    0,
	frameOutput:  maxOutput + frameRoom,
	frameStore:   maxArgBytes + frameRoom,
	frameLoad:    frameRoom,
	frameDone:    maxValueBytes + maxShown + 2*frameRoom,
	frameSeen:    8,
	frameModule:  frameRoom,
	frameJob:     maxDown,
	frameSettle:  maxDown,
	frameStop:    0,
	frameStored:  frameRoom,
	frameLoaded:  maxDown,
	frameFound:   maxDown,
}

// errFrame is what a malformed frame is.
var errFrame = errors.New("malformed frame")

// beginFrame appends the header of a frame, whose length endFrame fills in.
func beginFrame(dst []byte, kind byte) []byte { return append(dst, kind, 0, 0, 0, 0) }

func endFrame(dst []byte, start int) []byte {
	binary.LittleEndian.PutUint32(dst[start+1:], uint32(len(dst)-start-frameHeader))
	return dst
}

func appendNumber(dst []byte, n uint64) []byte { return binary.LittleEndian.AppendUint64(dst, n) }

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendText[T ~string | ~[]byte](dst []byte, text T) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	return append(dst, text...)
}

// fields reads the fields of a frame. The first that is not there, and whatever
// is left at the end, makes the frame malformed.
type fields struct {
	rest []byte
	bad  bool
}

func (f *fields) take(n int) []byte {
	if f.bad || n > len(f.rest) {
		f.bad = true
		return nil
	}
	field := f.rest[:n]
	f.rest = f.rest[n:]
	return field
}

func (f *fields) byte() byte {
	if b := f.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (f *fields) bool() bool {
	b := f.byte()
	f.bad = f.bad || b > 1
	return b == 1
}

func (f *fields) number() uint64 {
	if b := f.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// count is a number of things that follow, each of at least size bytes.
func (f *fields) count(size int) int {
	n := f.number()
	if n > uint64(len(f.rest)/size) {
		f.bad = true
		return 0
	}
	return int(n)
}

// bytes is a text that lives as long as the frame.
func (f *fields) bytes() []byte {
	if b := f.take(4); b != nil {
		n := binary.LittleEndian.Uint32(b)
		if uint64(n) <= uint64(len(f.rest)) {
			return f.take(int(n))
		}
	}
	f.bad = true
	return nil
}

// text is a text of at most limit bytes.
func (f *fields) text(limit int) string {
	b := f.bytes()
	if len(b) > limit {
		f.bad = true
		return ""
	}
	return string(b)
}

// data is like text; it is nil when empty.
func (f *fields) data(limit int) []byte {
	b := f.bytes()
	if len(b) > limit {
		f.bad = true
	}
	if f.bad || len(b) == 0 {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}

// end reports whether exactly the fields that were read were there.
func (f *fields) end() error {
	if f.bad || len(f.rest) > 0 {
		return errFrame
	}
	return nil
}

// A frameReader splits what comes out of a channel into frames.
type frameReader struct {
	from        io.Reader
	first, last byte // the types that may come
	buffer      []byte
	start, end  int // what is read and not yet used
}

const (
	frameBuffer = 16 << 10
	frameKeep   = 256 << 10 // a buffer larger than that serves one frame
)

// next returns the next frame. Its payload is good until the following call.
func (r *frameReader) next() (kind byte, payload []byte, err error) {
	if len(r.buffer) > frameKeep && r.end-r.start <= frameBuffer {
		rest := append(make([]byte, 0, frameBuffer), r.buffer[r.start:r.end]...)
		r.start, r.end, r.buffer = 0, len(rest), rest[:frameBuffer]
	}
	if err := r.fill(frameHeader); err != nil {
		return 0, nil, err
	}
	header := r.buffer[r.start:]
	kind = header[0]
	length := binary.LittleEndian.Uint32(header[1:])
	if kind < r.first || kind > r.last {
		return 0, nil, fmt.Errorf("a frame of type %d", kind)
	}
	if uint64(length) > uint64(maxFrame[kind]) {
		return 0, nil, fmt.Errorf("a frame of type %d with %d bytes", kind, length)
	}
	if err := r.fill(frameHeader + int(length)); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return 0, nil, err
	}
	payload = r.buffer[r.start+frameHeader : r.start+frameHeader+int(length)]
	r.start += frameHeader + int(length)
	return kind, payload, nil
}

// rest is how many bytes came after the last frame.
func (r *frameReader) rest() int { return r.end - r.start }

// fill reads until n bytes are there. The buffer grows with what has come, never
// with what was announced.
func (r *frameReader) fill(n int) error {
	for r.end-r.start < n {
		if r.end == len(r.buffer) || r.start == r.end {
			r.end = copy(r.buffer, r.buffer[r.start:r.end])
			r.start = 0
		}
		if r.end == len(r.buffer) {
			bigger := make([]byte, max(frameBuffer, min(2*len(r.buffer), n+frameBuffer)))
			copy(bigger, r.buffer[:r.end])
			r.buffer = bigger
		}
		m, err := r.from.Read(r.buffer[r.end:])
		r.end += m
		if m == 0 && err != nil {
			return err
		}
	}
	return nil
}

package runtime

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	maxFlood  = 64 << 20 // bytes of output that end a run
	maxImages = 16 << 20 // bytes of base64 that a report keeps

	// What a piece of output costs besides its text, so that a flood of empty
	// ones is a flood too.
	pieceCost = 64

	// How many pieces are kept of the beginning and of the end, however short.
	maxPieces = 1 << 16
)

// A collector keeps what the script shows, within bounds. Of too much text it
// keeps the beginning and the end.
type collector struct {
	onOutput func(Output)
	flooded  chan struct{} // closed when there is far too much

	mu      sync.Mutex
	sealed  bool
	total   int // bytes taken in
	images  int // bytes of base64 taken in
	half    int // bytes of text to keep of the beginning, and of the end
	head    []Output
	headLen int
	tail    []Output // what came after head was full
	tailLen int
	dropped int // bytes between head and tail
}

func newCollector(limit int, onOutput func(Output)) *collector {
	return &collector{onOutput: onOutput, flooded: make(chan struct{}), half: max(limit/2, 1)}
}

func (c *collector) add(o Output) {
	if c.keep(&o) && c.onOutput != nil {
		c.onOutput(o)
	}
}

// keep reports whether the run still takes output.
func (c *collector) keep(o *Output) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sealed || c.total > maxFlood {
		return false
	}
	c.total += len(o.Text) + len(o.Data) + pieceCost
	if c.total > maxFlood {
		close(c.flooded)
		return false
	}
	if o.Type == OutputImage {
		c.images += len(o.Data)
		if c.images > maxImages {
			*o = imageLeftOut(*o)
		}
	}
	c.place(*o)
	return true
}

// imageLeftOut stands in for an image that is too large.
func imageLeftOut(o Output) Output {
	return Output{Type: OutputText, Text: fmt.Sprintf("[image of %d bytes left out: a run may show %d bytes of images]", len(o.Data), maxImages)}
}

func (c *collector) place(o Output) {
	if c.tail == nil {
		room := c.half - c.headLen
		if len(c.head) >= maxPieces {
			room = 0
		}
		if len(o.Text)+1 <= room {
			c.head = append(c.head, o)
			c.headLen += len(o.Text) + 1
			return
		}
		if at := boundary(o.Text, room); at > 0 {
			first := o
			first.Text = o.Text[:at]
			c.head = append(c.head, first)
			o.Text = o.Text[at:]
		}
		c.headLen = c.half
	}
	c.dropped += trim(&o, c.half)
	c.tail = append(c.tail, o)
	c.tailLen += len(o.Text) + 1
	for first := len(c.tail[0].Text) + 1; c.tailLen-first >= c.half || len(c.tail) > maxPieces; first = len(c.tail[0].Text) + 1 {
		c.tail[0] = Output{}
		c.tail = c.tail[1:]
		c.tailLen -= first
		c.dropped += first
	}
}

// trim shortens the text of o to its last n bytes, or a few less, and returns
// how many went.
func trim(o *Output, n int) int {
	at := len(o.Text) - n
	if at <= 0 {
		return 0
	}
	for at < len(o.Text) && !utf8.RuneStart(o.Text[at]) {
		at++
	}
	o.Text = strings.Clone(o.Text[at:])
	return at
}

// boundary is the start of a character at or just before at.
func boundary(s string, at int) int {
	at = min(at, len(s))
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return max(at, 0)
}

// seal takes no more output and returns what was kept.
func (c *collector) seal() []Output {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sealed = true
	out := c.head
	if len(c.tail) > 0 {
		over := c.tailLen - c.half
		c.dropped += trim(&c.tail[0], max(len(c.tail[0].Text)-max(over, 0), 0))
	}
	if c.dropped > 0 {
		out = append(out, Output{Type: OutputText, Text: fmt.Sprintf("… %d bytes of output left out here …", c.dropped)})
	}
	return append(out, c.tail...)
}

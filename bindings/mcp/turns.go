package mcp

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// turns keeps the operations that come over one stream in the order in which
// they came: a client may send several without waiting, and the SDK then
// handles them all at once. A nil one keeps no order.
type turns struct {
	mu     sync.Mutex
	last   *place
	places map[*sdk.RequestExtra]*place
}

// place is that of one operation.
type place struct {
	before <-chan struct{} // nil: none came before
	left   chan struct{}
	once   sync.Once
}

func (p *place) leave() { p.once.Do(func() { close(p.left) }) }

// join takes a place for a request, if it is an operation. The returned
// function, called when it has its answer, forgets it.
func (t *turns) join(extra *sdk.RequestExtra, req *jsonrpc.Request) (forget func()) {
	var called struct {
		Name string `json:"name"`
	}
	if req.Method != "tools/call" || json.Unmarshal(req.Params, &called) != nil || !changes(called.Name) {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.places == nil {
		t.places = map[*sdk.RequestExtra]*place{}
	}
	p := &place{left: make(chan struct{})}
	if t.last != nil {
		p.before = t.last.left
	}
	t.last = p
	t.places[extra] = p
	return func() {
		p.leave()
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.places, extra)
		if t.last == p {
			t.last = nil
		}
	}
}

// wait returns when those that came before have been carried out, or when ctx
// is done. The returned function lets the next one begin.
func (t *turns) wait(ctx context.Context, extra *sdk.RequestExtra) (leave func()) {
	if t == nil {
		return func() {}
	}
	t.mu.Lock()
	p := t.places[extra]
	t.mu.Unlock()
	if p == nil {
		return func() {}
	}
	if p.before != nil {
		select {
		case <-p.before:
		case <-ctx.Done():
		}
	}
	return p.leave
}

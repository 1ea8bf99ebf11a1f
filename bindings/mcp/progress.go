package mcp

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/ops"
	"codemode/ops/policy"
	"codemode/ops/wording"
)

const (
	progressAfter = 500 * time.Millisecond // what is over sooner needs none
	progressEvery = time.Second
	// sign is how often a client is told that its call is alive although nothing
	// can be seen to go on: many give up on a call that is silent for a minute.
	sign = 10 * time.Second

	// entryWeight is what an entry counts beside its bytes, so that one number
	// tells of a thousand empty files and of a single large one.
	entryWeight = 4 << 10
)

// progress tells a client how one call of its goes on. A nil one tells nobody.
type progress struct {
	ss    *sdk.ServerSession
	ctx   context.Context
	token any
	whole bool // the call is one operation, so that its end is known
	over  chan struct{}
	told  sync.WaitGroup

	mu    sync.Mutex
	base  float64 // of the operations that have ended
	now   *ops.Activity
	quest string // what a person is being asked
	last  float64
	said  string
	at    time.Time
}

type progressKey struct{}

// follow has the progress of a call reported until the returned function is
// called, which must be before its answer is sent.
func follow(ctx context.Context, req *sdk.CallToolRequest, whole bool) (context.Context, func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return ctx, func() {}
	}
	p := &progress{ss: req.Session, ctx: ctx, token: token, whole: whole, over: make(chan struct{}), at: time.Now()}
	p.told.Go(p.report)
	ctx = ops.WithWatch(context.WithValue(ctx, progressKey{}, p), p.watch)
	return ctx, func() {
		close(p.over)
		p.told.Wait()
	}
}

// progressOf is that of the call of a context.
func progressOf(ctx context.Context) *progress {
	p, _ := ctx.Value(progressKey{}).(*progress)
	return p
}

// watch is told of each operation that begins to change the disk.
func (p *progress) watch(a ops.Activity) (ended func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = &a
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.base += weight(a.Total.Entries, a.Total.Bytes)
		p.now = nil
	}
}

// asking is told that the call waits for a person.
func (p *progress) asking(q policy.Question) (answered func()) {
	if p == nil {
		return func() {}
	}
	set := func(quest string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.quest = quest
	}
	set("waiting for a person to answer for " + policy.Printable(string(q.Path)))
	return func() { set("") }
}

func (p *progress) report() {
	wait := time.NewTimer(progressAfter)
	defer wait.Stop()
	for {
		select {
		case <-wait.C:
		case <-p.over:
			return
		}
		if params := p.next(time.Now()); params != nil {
			if p.ss.NotifyProgress(p.ctx, params) != nil {
				return
			}
		}
		wait.Reset(progressEvery)
	}
}

// next is what there is to say now, or nil. The number always grows, as the
// protocol wants it, and never reaches the total before the end.
func (p *progress) next(now time.Time) *sdk.ProgressNotificationParams {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, total, message := p.base, 0.0, "working"
	switch {
	case p.quest != "":
		message = p.quest
	case p.now != nil:
		done := min(weight(p.now.Done.Entries.Load(), p.now.Done.Bytes.Load()), weight(p.now.Total.Entries, p.now.Total.Bytes))
		value += done
		if p.whole {
			total = weight(p.now.Total.Entries, p.now.Total.Bytes) + 1
		}
		message = wording.Progress(*p.now)
	}
	if value <= p.last {
		if message == p.said && now.Sub(p.at) < sign {
			return nil
		}
		value = p.last + 1.0/(1<<20)
	}
	p.last, p.said, p.at = value, message, now
	return &sdk.ProgressNotificationParams{ProgressToken: p.token, Progress: value, Total: total, Message: message}
}

func weight(entries, bytes int64) float64 { return float64(entries*entryWeight + bytes) }

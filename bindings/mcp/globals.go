package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"codemode/bindings"
	"codemode/ops/policy"
	"codemode/runtime"
)

// globals are the script sessions of a connection: by name, what scripts left in
// global variables for those that follow.
type globals struct {
	most int
	idle time.Duration

	mu      sync.Mutex
	closed  bool
	byName  map[string]*kept
	dropped map[string]string // names of those that are gone, and why
}

// kept is one session. A nil one keeps nothing.
type kept struct {
	name    string
	session *runtime.Session
	turn    chan struct{} // held by the script that runs
	lost    bool          // what it had is gone, and no script that began since was told
	users   int           // that script, and those that wait for it
	used    time.Time
	timer   *time.Timer
}

// maxDropped bounds how many lost sessions are remembered.
const maxDropped = 1000

func (g *globals) limit(most int, idle time.Duration) {
	g.most, g.idle = most, idle
	g.byName, g.dropped = map[string]*kept{}, map[string]string{}
}

// take gives the session of a name to a script when those before it have ended.
// A remark says that it begins anew although its name was known.
func (g *globals) take(ctx context.Context, name string) (k *kept, remark string, err error) {
	if name == "" {
		return nil, "", nil
	}
	if k, remark, err = g.find(name); err != nil {
		return nil, "", err
	}
	select {
	case k.turn <- struct{}{}:
		if k.lost {
			k.lost = false
			remark = fmt.Sprintf("the session %s begins anew: it could not be kept after the script before this one", policy.Printable(k.name))
		}
		return k, remark, nil
	case <-ctx.Done():
		g.release(k)
		return nil, remark, errors.New("cancelled before the script began")
	}
}

// find looks for a session, or makes it.
func (g *globals) find(name string) (k *kept, remark string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, "", errClosed
	}
	k = g.byName[name]
	if k == nil {
		if len(g.byName) >= g.most && !g.makeRoom() {
			return nil, "", fmt.Errorf("all %d sessions are in use; wait for one, or do without", g.most)
		}
		k = &kept{name: name, session: runtime.NewSession(), turn: make(chan struct{}, 1)}
		g.byName[name] = k
		if why, known := g.dropped[name]; known {
			remark = fmt.Sprintf("the session %s begins anew, its globals are gone: %s", policy.Printable(name), why)
			delete(g.dropped, name)
		}
	}
	k.users++
	if k.timer != nil {
		k.timer.Stop()
	}
	return k, remark, nil
}

// makeRoom drops the session that was not used for the longest.
func (g *globals) makeRoom() bool {
	var oldest *kept
	for _, k := range g.byName {
		if k.users == 0 && (oldest == nil || k.used.Before(oldest.used)) {
			oldest = k
		}
	}
	if oldest != nil {
		g.drop(oldest, fmt.Sprintf("at most %d sessions are kept, and others were used since", g.most))
	}
	return oldest != nil
}

// drop ends a session that nobody uses. The globals are locked.
func (g *globals) drop(k *kept, why string) {
	delete(g.byName, k.name)
	if len(g.dropped) < maxDropped {
		g.dropped[k.name] = why
	}
	if k.timer != nil {
		k.timer.Stop()
	}
	k.session.Close()
}

// giveBack lets the next script of the session begin.
func (g *globals) giveBack(k *kept) {
	if k == nil {
		return
	}
	<-k.turn
	g.release(k)
}

// release starts the clock of a session that nobody uses any more.
func (g *globals) release(k *kept) {
	g.mu.Lock()
	defer g.mu.Unlock()
	k.used = time.Now()
	if k.users--; k.users > 0 || g.closed {
		return
	}
	since := k.used
	k.timer = time.AfterFunc(g.idle, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if k.users == 0 && k.used.Equal(since) && g.byName[k.name] == k {
			g.drop(k, fmt.Sprintf("it was not used for %s", g.idle))
		}
	})
}

// close ends all sessions.
func (g *globals) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for _, k := range g.byName {
		if k.timer != nil {
			k.timer.Stop()
		}
		k.session.Close()
	}
	g.byName = nil
}

// lend has a script run in the session.
func (k *kept) lend(o *bindings.Options) {
	if k != nil {
		o.Session = k.session
	}
}

// after adds to a remark what became of the session.
func (k *kept) after(r bindings.Report, remark string) string {
	if k == nil || !r.Lost {
		return remark
	}
	k.lost = true // whoever cancelled this script does not see its result
	gone := fmt.Sprintf("the session %s could not be kept after this script: its globals are gone", policy.Printable(k.name))
	return strings.TrimPrefix(remark+"; "+gone, "; ")
}

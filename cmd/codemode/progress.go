package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"codemode/ops"
)

const (
	progressAfter = 500 * time.Millisecond // what is over sooner needs no bar
	progressEvery = 100 * time.Millisecond

	// entryWeight is what an entry counts beside its bytes, so that one bar
	// tells of a thousand empty files and of a single large one.
	entryWeight = 4 << 10
)

// watcher shows a progress bar for operations that take long, on a terminal
// only; nil where there is nobody to see it.
func (p *program) watcher(f *flags) func(ops.Activity) func() {
	if f.quiet || !p.screen.errTTY || p.screen.dumb {
		return nil
	}
	return func(a ops.Activity) func() {
		over := make(chan struct{})
		var painter sync.WaitGroup
		painter.Go(func() { p.screen.follow(a, over) })
		return func() {
			close(over)
			painter.Wait()
			p.screen.erase()
		}
	}
}

// follow draws the bar until over is closed.
func (s *screen) follow(a ops.Activity, over <-chan struct{}) {
	select {
	case <-time.After(progressAfter):
	case <-over:
		return
	}
	weight := func(entries, bytes int64) int64 { return entries*entryWeight + bytes }
	total := max(weight(a.Total.Entries, a.Total.Bytes), 1)
	bar := progressbar.NewOptions64(total+1, // never full, since a full bar leaves its line
		progressbar.OptionSetWriter(s.err),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionSetWidth(24),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[", BarEnd: "]"}),
	)
	wipe := func() { io.WriteString(s.err, "\r\x1b[2K") }
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		s.draw(func() {
			entries, bytes := a.Done.Entries.Load(), a.Done.Bytes.Load()
			wipe()
			_ = bar.Set64(min(weight(entries, bytes), total)) // fails beyond its maximum only
			bar.Describe(fmt.Sprintf("%s: %s of %s, %s of %s", a.Operation,
				grouped(entries), plural(a.Total.Entries, "entry", "entries"), humanBytes(bytes), humanBytes(a.Total.Bytes)))
		}, wipe)
		select {
		case <-tick.C:
		case <-over:
			return
		}
	}
}

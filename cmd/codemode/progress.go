package main

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/schollz/progressbar/v3"

	"codemode/ops"
	"codemode/ops/wording"
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

// watchers tells all of them of each operation; nil ones are left out.
func watchers(all ...func(ops.Activity) func()) func(ops.Activity) func() {
	return func(a ops.Activity) func() {
		var ended []func()
		for _, watch := range all {
			if watch != nil {
				ended = append(ended, watch(a))
			}
		}
		return func() {
			for _, end := range ended {
				end()
			}
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
	bar := newProgressLine(a, s.width(s.err))
	wipe := func() { io.WriteString(s.err, wipeLine) }
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		s.draw(func() {
			io.WriteString(s.err, wipeLine+bar.at(a.Done.Entries.Load(), a.Done.Bytes.Load(), s.width(s.err)))
		}, wipe)
		select {
		case <-tick.C:
		case <-over:
			return
		}
	}
}

// wipeLine empties the line that the cursor is in.
const wipeLine = "\r\x1b[2K"

// progressLine is one line of progress.
type progressLine struct {
	a     ops.Activity
	total int64
	bar   *progressbar.ProgressBar
	short bool // there is no room for the bar itself
	drawn bytes.Buffer
}

func weight(entries, bytes int64) int64 { return entries*entryWeight + bytes }

func newProgressLine(a ops.Activity, width int) *progressLine {
	l := &progressLine{a: a, total: max(weight(a.Total.Entries, a.Total.Bytes), 1)}
	// What is left beside the longest words and the percentage.
	room := width - runewidth.StringWidth(wording.Done(a, a.Total.Entries, a.Total.Bytes)) - len(" 100% [] ")
	l.short = room < 4
	l.bar = progressbar.NewOptions64(l.total+1, // never full, since a full bar leaves its line
		progressbar.OptionSetWriter(&l.drawn),
		progressbar.OptionSetWidth(min(max(room, 4), 24)),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[", BarEnd: "]"}),
	)
	return l
}

// at draws the line for what is done. It never fills the line, and leaves the
// cursor at its beginning: what the terminal echoes, such as ^C, then stands
// in the line and cannot push it up to where nothing takes it away.
func (l *progressLine) at(entries, bytes int64, width int) string {
	_ = l.bar.Set64(min(weight(entries, bytes), l.total)) // fails beyond its maximum only
	l.drawn.Reset()
	l.bar.Describe(wording.Done(l.a, entries, bytes))
	text := l.drawn.String()
	text = text[strings.LastIndexByte(strings.TrimRight(text, "\r"), '\r')+1:]
	if l.short {
		text, _, _ = strings.Cut(text, "[")
	}
	return runewidth.Truncate(strings.TrimRight(text, " \r"), width-1, "") + "\r"
}

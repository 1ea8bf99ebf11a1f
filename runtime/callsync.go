package runtime

import "github.com/dop251/goja"

// callToolSync makes a call and waits for its result; the script does nothing
// meanwhile. Calls that it made before and did not await come first. It cannot
// have taken notice of their failures, which therefore do not stop this one.
func (s *sandbox) callToolSync(name string, arguments []goja.Value) goja.Value {
	call := s.newCall(name, arguments)
	s.lastCall++
	id := s.lastCall
	answered := make(chan Result, 1)
	s.mu.Lock()
	s.direct, s.directly = id, answered
	s.mu.Unlock()
	s.host.call(id, call, false)
	s.waiting = 0
	s.host.release(false)
	s.host.seen(id, false)
	r, ok := s.await(answered)
	s.mu.Lock()
	s.direct = 0
	s.mu.Unlock()
	if !ok {
		panic(errStopping)
	}
	if r.Err != nil {
		panic(s.newOperationError(r.Err, s.CaptureCallStack(0, nil)))
	}
	if len(r.Value) == 0 {
		return goja.Undefined()
	}
	return s.parse(r.Value)
}

// await waits for a result. It reports false when the script was stopped first.
func (s *sandbox) await(answered <-chan Result) (r Result, ok bool) {
	for {
		select {
		case r = <-answered:
			return r, true
		default:
		}
		if s.halting.Load() {
			return r, false
		}
		if s.loop.pull != nil {
			s.loop.pull(-1, nil)
			continue
		}
		select {
		case r = <-answered:
			return r, true
		case <-s.stopped:
			return r, false
		}
	}
}

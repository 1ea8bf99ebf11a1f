package runtime

import (
	"encoding/json"
	"errors"
)

// Frames from the host's half to the engine's.

func appendJob(dst []byte, j job) []byte {
	start := len(dst)
	dst = beginFrame(dst, frameJob)
	dst = appendNumber(dst, uint64(j.Memory))
	dst = appendBool(dst, j.Keep)
	dst = append(dst, j.Run)
	dst = appendText(dst, j.Script.Name)
	dst = appendText(dst, j.Script.Source)
	dst = appendText(dst, j.Script.File)
	dst = appendBool(dst, j.Script.Deterministic)
	dst = appendBool(dst, j.Script.Interactive)
	dst = appendBool(dst, j.Script.Colours)
	dst = appendText(dst, string(j.Script.Inquiry))
	dst = appendNumber(dst, uint64(len(j.Script.Args)))
	for _, arg := range j.Script.Args {
		dst = appendText(dst, arg)
	}
	dst = appendNumber(dst, uint64(len(j.Script.Globals)))
	for name, value := range j.Script.Globals {
		dst = appendText(dst, name)
		dst = appendText(dst, value)
	}
	dst = appendNumber(dst, uint64(len(j.Tools)))
	for _, tool := range j.Tools {
		dst = appendText(dst, tool.Name)
		dst = appendText(dst, tool.Description)
	}
	return endFrame(dst, start)
}

func readJob(payload []byte) (job, error) {
	f := fields{rest: payload}
	j := job{Memory: int64(f.number()), Keep: f.bool(), Run: f.byte()}
	j.Script.Name = f.text(maxDown)
	j.Script.Source = f.text(maxDown)
	j.Script.File = f.text(maxDown)
	j.Script.Deterministic = f.bool()
	j.Script.Interactive = f.bool()
	j.Script.Colours = f.bool()
	j.Script.Inquiry = Inquiry(f.text(maxInquiry))
	for range f.count(4) {
		j.Script.Args = append(j.Script.Args, f.text(maxDown))
	}
	if n := f.count(8); n > 0 {
		j.Script.Globals = make(map[string]json.RawMessage, n)
		for range n {
			name := f.text(maxDown)
			j.Script.Globals[name] = f.data(maxDown)
		}
	}
	for range f.count(8) {
		j.Tools = append(j.Tools, Tool{Name: f.text(maxDown), Description: f.text(maxDown)})
	}
	return j, f.end()
}

func appendSettle(dst []byte, id uint64, r Result) []byte {
	start := len(dst)
	dst = beginFrame(dst, frameSettle)
	dst = appendNumber(dst, id)
	dst = appendBool(dst, r.Err != nil)
	if r.Err != nil {
		dst = appendText(dst, r.Err.Message)
		dst = appendText(dst, r.Err.Props)
	} else {
		dst = appendText(dst, r.Value)
	}
	return endFrame(dst, start)
}

func readSettle(payload []byte) (id uint64, r Result, err error) {
	f := fields{rest: payload}
	id = f.number()
	if f.bool() {
		r.Err = &CallError{Message: f.text(maxDown), Props: f.data(maxDown)}
	} else {
		r.Value = f.data(maxDown)
	}
	return id, r, f.end()
}

func appendStored(dst []byte, err error) []byte {
	start := len(dst)
	dst = appendBool(beginFrame(dst, frameStored), err != nil)
	if err != nil {
		dst = appendText(dst, shorten(err.Error(), maxMessage))
	}
	return endFrame(dst, start)
}

// readStored returns what the host said to a store.
func readStored(payload []byte) (refused error, err error) {
	f := fields{rest: payload}
	if f.bool() {
		refused = errors.New(f.text(frameRoom))
	}
	return refused, f.end()
}

func appendFound(dst []byte, name, source string, err error) []byte {
	start := len(dst)
	dst = appendBool(beginFrame(dst, frameFound), err == nil)
	if err != nil {
		return endFrame(appendText(dst, shorten(err.Error(), maxMessage)), start)
	}
	return endFrame(appendText(appendText(dst, name), source), start)
}

// readFound returns what the host said to the question for a module.
func readFound(payload []byte) (name, source string, refused error, err error) {
	f := fields{rest: payload}
	if f.bool() {
		name, source = f.text(maxDown), f.text(maxDown)
	} else {
		refused = errors.New(f.text(frameRoom))
	}
	return name, source, refused, f.end()
}

func appendLoaded(dst []byte, value []byte, ok bool) []byte {
	start := len(dst)
	dst = appendBool(beginFrame(dst, frameLoaded), ok)
	return endFrame(appendText(dst, value), start)
}

func readLoaded(payload []byte) (value []byte, ok bool, err error) {
	f := fields{rest: payload}
	ok = f.bool()
	value = f.data(maxDown)
	return value, ok, f.end()
}

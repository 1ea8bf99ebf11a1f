package runtime

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// frames writes one frame of each type in both directions.
func frames() [][]byte {
	return [][]byte{
		appendCall(nil, 3, 1, Call{Args: []byte(`{"a":1}`), Problem: "p"}, true),
		appendOutput(nil, Output{Type: OutputText, Stream: stderr, Text: "x"}),
		appendOutput(nil, Output{Type: OutputImage, MimeType: "image/png", Data: "AAAA"}),
		appendStore(nil, "k", []byte(`[1]`)), appendLoad(nil, "k"), appendSeen(nil, 9), appendModule(nil, "./a", "b"),
		appendDone(nil, outcome{Value: []byte("1"), Shown: "1", Spent: true}),
		appendDone(nil, outcome{Err: &Error{Kind: KindScript, Message: "m", Stack: "s"}, Incomplete: true}),
		appendJob(nil, job{Script: Script{Name: "n", Source: "s", Args: []string{"a"}, Globals: map[string]json.RawMessage{"g": json.RawMessage("1")}}, Tools: []Tool{{"t", "d"}}, Memory: 5}),
		appendSettle(nil, 7, Result{Value: []byte("1")}), appendSettle(nil, 7, Result{Err: &CallError{Message: "m", Props: []byte("{}")}}),
		appendStored(nil, errFrame), appendStored(nil, nil), appendFound(nil, "n", "s", nil), appendFound(nil, "", "", errFrame), appendLoaded(nil, []byte("1"), true),
	}
}

// FuzzFrames holds that a frame says one thing in one way: what is accepted of any
// bytes at all is, written again, those very bytes, so that the two processes
// cannot read one frame differently.
func FuzzFrames(f *testing.F) {
	for _, frame := range frames() {
		f.Add(frame)
	}
	f.Add([]byte{frameCall, 255, 255, 255, 255})
	f.Add(append([]byte{frameStore, 8, 0, 0, 0}, 255, 255, 255, 255, 0, 0, 0, 0))
	tools := []Tool{{Name: "t"}, {Name: "u"}}
	f.Fuzz(func(t *testing.T, all []byte) {
		reader := frameReader{from: bytes.NewReader(all), first: 0, last: byte(len(maxFrame) - 1)}
		for {
			kind, payload, err := reader.next()
			if err != nil {
				return
			}
			payload = bytes.Clone(payload)
			again, ok := rewritten(kind, payload, tools)
			if ok && !bytes.Equal(again[frameHeader:], payload) {
				t.Fatalf("a frame of type %d with %q is, written again, %q", kind, payload, again[frameHeader:])
			}
		}
	})
}

// rewritten reads a frame and writes it again, unless it is refused.
func rewritten(kind byte, payload []byte, tools []Tool) ([]byte, bool) {
	switch kind {
	case frameCall:
		id, call, alone, err := readCall(payload, tools)
		at := 0
		for i, tool := range tools {
			if tool.Name == call.Name {
				at = i
			}
		}
		return appendCall(nil, id, at, call, alone), err == nil
	case frameOutput:
		o, err := readOutput(payload)
		return appendOutput(nil, o), err == nil
	case frameStore:
		key, value, err := readStore(payload)
		return appendStore(nil, key, value), err == nil
	case frameLoad:
		key, err := readLoad(payload)
		return appendLoad(nil, key), err == nil
	case frameSeen:
		id, err := readSeen(payload)
		return appendSeen(nil, id), err == nil
	case frameModule:
		specifier, importer, err := readModule(payload)
		return appendModule(nil, specifier, importer), err == nil
	case frameDone:
		o, err := readDone(payload)
		if err != nil || o.Err != nil { // of a failure no value is kept
			return nil, false
		}
		return appendDone(nil, o), len(o.Shown) <= maxShown
	case frameSettle:
		id, r, err := readSettle(payload)
		return appendSettle(nil, id, r), err == nil
	case frameStored:
		refused, err := readStored(payload)
		return appendStored(nil, refused), err == nil && (refused == nil || len(refused.Error()) <= maxMessage)
	case frameFound:
		name, source, refused, err := readFound(payload)
		return appendFound(nil, name, source, refused), err == nil && (refused == nil || len(refused.Error()) <= maxMessage)
	case frameLoaded:
		value, ok, err := readLoaded(payload)
		return appendLoaded(nil, value, ok), err == nil
	case frameJob:
		j, err := readJob(payload)
		if err != nil {
			return nil, false
		}
		if again, err := readJob(appendJob(nil, j)[frameHeader:]); err != nil || !reflect.DeepEqual(again, j) {
			return []byte("\x00\x00\x00\x00\x00a job that is another one"), true
		}
		return nil, false // its globals stand in any order
	}
	return nil, false
}

// TestFramesAreSeeds holds that each frame there is has a seed, and is read.
func TestFramesAreSeeds(t *testing.T) {
	seen := map[byte]bool{}
	for _, frame := range frames() {
		kind, payload, err := (&frameReader{from: bytes.NewReader(frame), first: 0, last: byte(len(maxFrame) - 1)}).next()
		if err != nil {
			t.Fatal(err)
		}
		seen[kind] = true
		if again, ok := rewritten(kind, payload, []Tool{{Name: "t"}, {Name: "u"}}); ok && !bytes.Equal(again, frame) {
			t.Errorf("a frame of type %d is, written again, %q", kind, again)
		}
	}
	for kind, limit := range maxFrame {
		if limit > 0 && !seen[byte(kind)] {
			t.Errorf("there is no seed of type %d", kind)
		}
	}
}

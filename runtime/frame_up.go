package runtime

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Frames from the engine's half to the host's: how they are written, and how
// they are read by somebody who believes nothing.

const (
	maxProblem  = 32 << 10
	maxMimeType = 1 << 10
	maxStoreKey = 8 << 10
	maxShown    = 4 << 20 // more than inspect writes

	// maxSpecifier bounds both names in the question for a module.
	maxSpecifier = 16 << 10
)

func appendCall(dst []byte, id uint64, tool int, c Call, alone bool) []byte {
	start := len(dst)
	dst = beginFrame(dst, frameCall)
	dst = appendNumber(dst, id)
	dst = appendNumber(dst, uint64(tool))
	dst = appendText(dst, c.Args)
	dst = appendText(dst, c.Problem)
	dst = appendBool(dst, alone)
	return endFrame(dst, start)
}

// readCall reads a call of one of tools. Its argument is JSON.
func readCall(payload []byte, tools []Tool) (id uint64, c Call, alone bool, err error) {
	f := fields{rest: payload}
	id = f.number()
	tool := f.number()
	c.Args = f.data(maxArgBytes)
	c.Problem = f.text(maxProblem)
	alone = f.bool()
	if err := f.end(); err != nil {
		return 0, Call{}, false, err
	}
	if tool >= uint64(len(tools)) {
		return 0, Call{}, false, fmt.Errorf("a call of a tool that does not exist")
	}
	if !validJSON(c.Args) {
		return 0, Call{}, false, fmt.Errorf("an argument that is no JSON")
	}
	c.Name = tools[tool].Name
	return id, c, alone, nil
}

func validJSON(data []byte) bool { return utf8.Valid(data) && json.Valid(data) }

func appendOutput(dst []byte, o Output) []byte {
	start := len(dst)
	dst = beginFrame(dst, frameOutput)
	dst = appendBool(dst, o.Type == OutputImage)
	dst = appendText(dst, o.Stream)
	dst = appendText(dst, o.MimeType)
	if o.Type == OutputImage {
		dst = appendText(dst, o.Data)
	} else {
		dst = appendText(dst, o.Text)
	}
	return endFrame(dst, start)
}

func readOutput(payload []byte) (Output, error) {
	f := fields{rest: payload}
	image := f.bool()
	o := Output{Type: OutputText, Stream: f.text(len(stdout)), MimeType: f.text(maxMimeType)}
	content := f.text(maxOutput)
	if err := f.end(); err != nil {
		return Output{}, err
	}
	if !image {
		o.Text = content
		if o.MimeType != "" || o.Stream != "" && o.Stream != stdout && o.Stream != stderr {
			return Output{}, errFrame
		}
		return o, nil
	}
	o.Type, o.Data = OutputImage, content
	if _, err := base64.StdEncoding.DecodeString(content); err != nil || content == "" || o.Stream != "" || !isImageType(o.MimeType) {
		return Output{}, fmt.Errorf("an image that is none")
	}
	return o, nil
}

func appendStore(dst []byte, key string, value []byte) []byte {
	start := len(dst)
	dst = beginFrame(dst, frameStore)
	dst = appendText(dst, key)
	dst = appendText(dst, value)
	return endFrame(dst, start)
}

func readStore(payload []byte) (key string, value []byte, err error) {
	f := fields{rest: payload}
	key = f.text(maxStoreKey)
	value = f.data(maxArgBytes)
	if err := f.end(); err != nil {
		return "", nil, err
	}
	if !validJSON(value) {
		return "", nil, fmt.Errorf("a value to store that is no JSON")
	}
	return key, value, nil
}

func appendLoad(dst []byte, key string) []byte {
	start := len(dst)
	return endFrame(appendText(beginFrame(dst, frameLoad), key), start)
}

func readLoad(payload []byte) (key string, err error) {
	f := fields{rest: payload}
	key = f.text(maxStoreKey)
	return key, f.end()
}

func appendSeen(dst []byte, id uint64) []byte {
	start := len(dst)
	return endFrame(appendNumber(beginFrame(dst, frameSeen), id), start)
}

func readSeen(payload []byte) (id uint64, err error) {
	f := fields{rest: payload}
	id = f.number()
	return id, f.end()
}

func appendModule(dst []byte, specifier, importer string) []byte {
	start := len(dst)
	return endFrame(appendText(appendText(beginFrame(dst, frameModule), specifier), importer), start)
}

func readModule(payload []byte) (specifier, importer string, err error) {
	f := fields{rest: payload}
	specifier, importer = f.text(maxSpecifier), f.text(maxSpecifier)
	return specifier, importer, f.end()
}

// appendEmpty is a frame without fields.
func appendEmpty(dst []byte, kind byte) []byte { return beginFrame(dst, kind) }

func appendDone(dst []byte, o outcome) []byte {
	start := len(dst)
	dst = beginFrame(dst, frameDone)
	dst = appendText(dst, o.Value)
	dst = appendText(dst, shorten(o.Shown, maxShown))
	dst = appendBool(dst, o.Incomplete)
	dst = appendBool(dst, o.Spent)
	dst = appendBool(dst, o.Err != nil)
	if o.Err != nil {
		dst = appendText(dst, o.Err.Kind)
		dst = appendText(dst, shorten(o.Err.Message, frameRoom/2))
		dst = appendText(dst, shorten(o.Err.Stack, frameRoom/2))
	}
	return endFrame(dst, start)
}

func readDone(payload []byte) (outcome, error) {
	f := fields{rest: payload}
	o := outcome{Value: f.data(maxValueBytes), Shown: f.text(maxShown + 8), Incomplete: f.bool(), Spent: f.bool()}
	if f.bool() {
		o.Err = &Error{Kind: f.text(32), Message: f.text(frameRoom), Stack: f.text(frameRoom)}
	}
	if err := f.end(); err != nil {
		return outcome{}, err
	}
	if len(o.Value) > 0 && !validJSON(o.Value) {
		return outcome{}, fmt.Errorf("a value that is no JSON")
	}
	if o.Err != nil {
		switch o.Err.Kind {
		case KindScript, KindAborted, KindMemory, KindOutput, KindSandbox:
		default: // the deadline is not the engine's to tell
			return outcome{}, fmt.Errorf("an error of a kind that does not exist")
		}
		o.Value, o.Shown = nil, ""
	}
	return o, nil
}

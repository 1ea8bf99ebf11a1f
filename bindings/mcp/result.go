package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/ops"
	"codemode/ops/plain"
	"codemode/ops/wording"
)

// Limits of results. Text is for reading, and is shortened in its middle; what
// is structured is kept whole up to its limit.
const (
	// MaxText is how many bytes of text a result has.
	MaxText = 20_000
	// MaxStructured is how many bytes of JSON a query's result has, and a report
	// beside its receipts.
	MaxStructured = 256 << 10
	// MaxReceipts is how many receipts a report has. Of more, the middle ones
	// that are ok are left out.
	MaxReceipts = 1000

	maxOutput = 96 << 10 // of a script; the runtime leaves out the middle
)

// failed is the result of a call that could not be tried.
func failed(message string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: texts(message)}
}

func texts(text string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: shorten(text)}} }

// structured makes a result of a value that is JSON, or becomes it. The bytes
// stay what they are: no name passes through a Go string that is not UTF-8.
func structured(v any, text string, ok bool) *sdk.CallToolResult {
	data, err := json.Marshal(v)
	if err != nil { // cannot be, but what was done must not be reported as undone
		return failed("the result cannot be written: " + err.Error() + "\n" + text)
	}
	return &sdk.CallToolResult{Content: texts(text), StructuredContent: json.RawMessage(data), IsError: !ok}
}

// receiptResult is that of one operation.
func receiptResult(r ops.Receipt) *sdk.CallToolResult {
	return structured(r, receiptText(r), r.OK)
}

func receiptText(r ops.Receipt) string {
	text := fmt.Sprintf("%s: %s", r.Effect, wording.Summary(r, ""))
	if r.Error != nil {
		text += fmt.Sprintf("\n%s: %s", r.Error.Code, r.Error.Message)
	}
	if r.Evidence != nil {
		text += "\n" + wording.Evidence(r)
	}
	return text
}

// shorten leaves out the middle of a long text and says so.
func shorten(text string) string {
	text = legible(text)
	if len(text) <= MaxText {
		return text
	}
	head, tail := MaxText*3/5, MaxText*2/5
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	from := len(text) - tail
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return fmt.Sprintf("%s\n[… %s left out here …]\n%s", text[:head], wording.Bytes(int64(from-head)), text[from:])
}

// legible spells bytes that are not UTF-8 so that they can be seen. In what is
// structured they are exact.
func legible(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
		} else {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// name spells a file name for a line of text: as it is where that cannot be
// misread, else as the JSON string that names it.
func name(path plain.Text) string {
	quoted := string(plain.AppendString(nil, string(path)))
	if bare := string(path); quoted == `"`+bare+`"` && strings.TrimSpace(bare) == bare {
		return bare
	}
	return quoted
}

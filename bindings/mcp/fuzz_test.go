package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"codemode/ops/plain"
)

// FuzzRequest holds that the arguments of a script's call are understood whole or
// refused, and mean what a lax reader takes them for.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"code":"return 1"}`, `{"code":"","session":"s","timeout_ms":5}`, `{"code":"x","timeout_ms":1e3}`, `{"code":"x","timeout_ms":0.5}`, `{"code":"x","code":"y"}`,
		`{"CODE":"x"}`, `{"code":"\udc80"}`, `{"code":"x","session":"__proto__"}`, `{"code":["x"]}`, `{"code":"x"}{}`, `{"code":"x","timeout_ms":99999999999999999999}`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		got, err := parseRequest(args)
		if err != nil {
			return
		}
		var lax struct {
			Code, Session string
			Timeout       float64 `json:"timeout_ms"`
		}
		if err := json.Unmarshal(args, &lax); err != nil {
			t.Fatalf("accepted %q: %v", args, err)
		}
		if !strings.Contains(strings.ToLower(string(args)), `\ud`) && (lax.Code != got.code || lax.Session != got.session) {
			t.Errorf("%q is %+v, and %+v elsewhere", args, got, lax)
		}
		if got.timeout < 0 || got.timeout > 24*time.Hour || float64(got.timeout/time.Millisecond) > max(lax.Timeout, 0) || len(got.session) > maxSessionName {
			t.Errorf("%q is %+v", args, got)
		}
		written := []byte(`{"code":`)
		written = plain.AppendString(written, got.code)
		if got.session != "" {
			written = plain.AppendString(append(written, `,"session":`...), got.session)
		}
		if again, err := parseRequest(append(written, '}')); err != nil || again.code != got.code || again.session != got.session {
			t.Errorf("%q is %+v, and written again %+v, %v", args, got, again, err)
		}
	})
}

// FuzzLines holds that a client's input falls apart into lines as it stands:
// none is lost, none is made up, and none holds the end of another.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{}\n[]\r\n\n"), 1)
	f.Add([]byte("no end"), 3)
	f.Add(bytes.Repeat([]byte("x"), 5000), 1000)
	f.Add([]byte("\n\n\x00\n\xff"), 2)
	f.Fuzz(func(t *testing.T, input []byte, piece int) {
		r := bufio.NewReaderSize(&inPieces{input, max(piece, 1)}, 16)
		var got []byte
		for {
			line, err := readLine(r)
			if n := bytes.IndexByte(line, '\n'); n >= 0 && n != len(line)-1 {
				t.Fatalf("a line holds the end of another: %q", line)
			}
			got = append(got, line...)
			if err != nil {
				break
			}
		}
		if !bytes.Equal(got, input) {
			t.Errorf("%q fell apart into %q", input, got)
		}
	})
}

// inPieces gives few bytes at a time.
type inPieces struct {
	rest  []byte
	piece int
}

func (p *inPieces) Read(into []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(into[:min(len(into), p.piece)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

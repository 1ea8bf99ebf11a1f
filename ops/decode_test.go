package ops_test

import (
	"reflect"
	"strings"
	"testing"

	"codemode/ops"
)

// FuzzDecode: whatever a stranger sends, either it is refused or it names real
// paths, and reading it again gives the same.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"path":"a"}`, `{"path":"a","target":"b","overwrite":true}`, `{"src":"a","dst":null,"delete":"true"}`, `{"path":"\udcff"}`,
		`{"path":"a","path":"b"}`, `{"PATH":"a"}`, `{"path":"x\u0000"}`, `[]`, `{"src":"a","dst":"b","create_dirs":"false"}`,
	} {
		for _, op := range ops.Operations {
			f.Add(string(op), []byte(seed))
		}
	}
	for _, seed := range []string{
		`{"path":"a","text":""}`, `{"path":"a","bytes":"AA==","overwrite":"true","create_dirs":false}`, `{"path":"a","text":"\udc80"}`,
	} {
		f.Add("write", []byte(seed))
	}
	for _, seed := range []string{
		`{"path":"a","edits":[{"find":"x","replace":"y","all":true},{"range":[1,2],"replace":""}]}`,
		`{"path":"a","edits":[{"range":{"start":{"line":1,"column":1},"end":5},"replace":"x"}]}`, `{"path":"a","edits":[{"find":"","replace":"y"}]}`,
	} {
		f.Add("edit", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, op string, args []byte) {
		req, err := ops.Decode(ops.Operation(op), args)
		if err != nil {
			return
		}
		if req.Path == "" || strings.IndexByte(req.Path+req.Target, 0) >= 0 {
			t.Errorf("accepted %q as %+v", args, req)
		}
		if again, err := ops.Decode(ops.Operation(op), args); err != nil || !reflect.DeepEqual(again, req) {
			t.Errorf("%q: first %+v, then %+v, %v", args, req, again, err)
		}
	})
}

package ops_test

import (
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
		for _, op := range []string{"delete", "copy", "move"} {
			f.Add(op, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, op string, args []byte) {
		req, err := ops.Decode(ops.Operation(op), args)
		if err != nil {
			return
		}
		if req.Path == "" || strings.IndexByte(req.Path+req.Target, 0) >= 0 {
			t.Errorf("accepted %q as %+v", args, req)
		}
		if again, err := ops.Decode(ops.Operation(op), args); err != nil || again != req {
			t.Errorf("%q: first %+v, then %+v, %v", args, req, again, err)
		}
	})
}

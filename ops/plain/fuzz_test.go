package plain_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"codemode/ops/plain"
)

// FuzzParseReference holds the parser's values against those of encoding/json:
// what ours accepts means the same there, but for the stray bytes of file names,
// which that does not know, and members that stand twice, which ours refuses.
func FuzzParseReference(f *testing.F) {
	for _, seed := range []string{
		`{"path":"a","n":[1,2.5e3,-0,null,true,false]}`, `"\ud83d\ude00\u2028\""`, `[[],{},""]`, `{"a":{"b":"\u0000","__proto__":1}}`, ` { "a" : 1 } `,
		`{"a":1,"a":2}`, `{"a":1,"A":2}`, `1e400`, `"\ud800"`, "\"\t\"", `[1,]`, `01`, `"\/\b\f"`, `{"":[]}`, "\ufeff{}", "\"\xff\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := plain.Parse(data)
		if err != nil {
			return
		}
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("accepted %q: %v", data, err)
		}
		if strings.Contains(strings.ToLower(string(data)), `\ud`) || bytes.ContainsRune(data, '\ufffd') {
			return
		}
		if got := asAny(t, v); !reflect.DeepEqual(got, want) {
			t.Errorf("%q means %#v, and %#v elsewhere", data, got, want)
		}
	})
}

func asAny(t *testing.T, v any) any {
	switch v := v.(type) {
	case *plain.Object:
		object := map[string]any{}
		for _, m := range v.Members {
			if _, twice := object[m.Name]; twice {
				t.Errorf("the member %q stands twice", m.Name)
			}
			object[m.Name] = asAny(t, m.Value)
		}
		return object
	case []any:
		list := []any{}
		for _, element := range v {
			list = append(list, asAny(t, element))
		}
		return list
	case plain.Number:
		return json.Number(v)
	}
	return v
}

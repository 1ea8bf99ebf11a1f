package runtime

import (
	"testing"

	"codemode/ops/plain"
)

// FuzzRoundTrip holds that what enters the engine leaves it again: JSON that is
// built, copied as an argument, built and copied again stays what it was, and
// the tolerant form agrees with the strict one.
func FuzzRoundTrip(f *testing.F) {
	for _, seed := range []string{
		`{"path":"a","target":"caf\udce9","list":[1,-2.5e3,null,true,{}]}`, `"\udcff\ud83d\ude00"`, `{"__proto__":{"constructor":1},"0":"a"}`,
		`[[[[]]]]`, `{"\udc80":1,"then":2,"toJSON":3,"length":4}`, `1e400`, `-0`, `"\u0000\u2028"`, `{"\udcc3\udca9":1}`, `{"é":1,"\udcc3\udca9":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := plain.Parse(data)
		if err != nil {
			return
		}
		e := newEngine()
		err = e.visit(func() {
			built := e.build(v)
			first, problem := e.snapshot(built)
			if problem != "" {
				return // too deep, too large, or infinite
			}
			again, err := plain.Parse(first)
			if err != nil {
				t.Fatalf("%q left as %q: %v", data, first, err)
			}
			second, problem := e.snapshot(e.build(again))
			if problem != "" || string(second) != string(first) {
				t.Fatalf("%q left as %q and then as %q (%s)", data, first, second, problem)
			}
			loose, problem := e.jsonValue(built)
			if problem != "" || string(loose) != string(first) {
				t.Fatalf("%q left as %q and, tolerantly, as %q (%s)", data, first, loose, problem)
			}
		})
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
	})
}

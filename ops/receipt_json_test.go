package ops

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"codemode/ops/plain"
)

// TestAppendedJSON holds what appends itself against encoding/json, for values
// of all sorts in every field, so that no field is forgotten.
func TestAppendedJSON(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	compareAppended(t, &Receipt{}, (&Receipt{}).AppendJSON)
	for range 300 {
		var r Receipt
		makeUp(reflect.ValueOf(&r).Elem(), random)
		compareAppended(t, &r, r.AppendJSON)
		f := finished{Receipt: &r}
		makeUp(reflect.ValueOf(&f.Type).Elem(), random)
		makeUp(reflect.ValueOf(&f.Time).Elem(), random)
		compareAppended(t, &f, f.AppendJSON)
		var s started
		makeUp(reflect.ValueOf(&s).Elem(), random)
		compareAppended(t, &s, s.AppendJSON)
	}
}

// makeUp puts a random value into everything exported.
func makeUp(v reflect.Value, random *rand.Rand) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(random.Int64N(4e9), random.Int64N(1e9)).UTC()))
		return
	}
	switch v.Kind() {
	case reflect.String:
		texts := []string{"", "a", "/tmp/a b", "quote \" \\ <&>", "line\nend\u2028", "ü€😀"}
		if v.Type() == reflect.TypeFor[plain.Text]() {
			texts = append(texts, "stray \xff\xed\xa0\x80")
		}
		v.SetString(texts[random.IntN(len(texts))])
	case reflect.Bool:
		v.SetBool(random.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(random.Int64N(1<<53) >> random.IntN(53))
	case reflect.Float64:
		v.SetFloat(float64(random.Int64N(1e9)) / 1000)
	case reflect.Pointer:
		if random.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			makeUp(v.Elem(), random)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), random.IntN(3), 3))
		for i := range v.Len() {
			makeUp(v.Index(i), random)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				makeUp(v.Field(i), random)
			}
		}
	}
}

func compareAppended(t *testing.T, v any, appendJSON func([]byte) ([]byte, error)) {
	t.Helper()
	want, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := appendJSON([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	a, errA := plain.Parse(want)
	b, errB := plain.Parse(got[len("before"):])
	if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
		t.Fatalf("appended %s (%v), not %s (%v)", got, errB, want, errA)
	}
}

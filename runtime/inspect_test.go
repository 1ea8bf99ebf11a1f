package runtime_test

import (
	"encoding/json"
	"os"
	"testing"
)

// TestConsolePrintsLikeNode holds the console against what Node.js printed.
func TestConsolePrintsLikeNode(t *testing.T) {
	data, err := os.ReadFile("testdata/inspect.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases struct {
		Inspect []struct{ Expr, Want string }
		Console []struct{ Code, Want string }
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases.Inspect) < 50 || len(cases.Console) < 20 {
		t.Fatal("cases are missing")
	}
	check := func(code, want string) {
		t.Helper()
		r, _ := run(t, code)
		if !r.OK {
			t.Errorf("%s\nfailed: %s", code, r.Error.Message)
		} else if got := texts(r) + "\n"; got != want {
			t.Errorf("%s\n got %s\nwant %s", code, got, want)
		}
	}
	for _, c := range cases.Inspect {
		check("console.log("+c.Expr+")", c.Want+"\n")
	}
	for _, c := range cases.Console {
		check(c.Code, c.Want)
	}
}

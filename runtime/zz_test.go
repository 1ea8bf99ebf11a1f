package runtime_test

import (
	"encoding/json"
	"os"
	"testing"
)

func TestZZ(t *testing.T) {
	src, _ := os.ReadFile("/tmp/lab/names.js")
	var a, b []string
	n, _ := os.ReadFile("/tmp/lab/node_names.json")
	json.Unmarshal(n, &a)
	json.Unmarshal([]byte(value(t, "const console={log: s=>text(s)};let R; text=s=>R=s;"+string(src)+";return JSON.parse(R)")), &b)
	have := map[string]bool{}
	for _, x := range b {
		have[x] = true
	}
	for _, x := range a {
		if !have[x] {
			t.Log(x)
		}
	}
}
